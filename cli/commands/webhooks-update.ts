// `agents webhooks update ID`: changes the URL or the types of a webhook.
import { Command, Option } from 'clipanion'
import { WebhooksCommand } from '../shared/webhooks-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class WebhooksUpdateCommand extends WebhooksCommand {
  static override paths = [['webhooks', 'update']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Change the URL or the types of a webhook',
    examples: [['Another address', 'agents webhooks update ID --endpoint https://example.com/other']],
  })

  webhookId = Option.String({ name: 'ID' })
  endpoint = Option.String('--endpoint', { description: 'New URL.' })
  types = Option.Array('--type', { description: 'Type of events to send from now on; may be repeated.' })

  override async execute(): Promise<ExitCode> {
    await this.change(this.webhookPath(this.webhookId), 'PATCH', {
      ...(this.endpoint === undefined ? {} : { url: this.endpoint }),
      ...(this.types === undefined ? {} : { types: this.types }),
    })
    return exitCode.done
  }
}
