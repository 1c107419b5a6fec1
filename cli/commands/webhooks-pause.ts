// `agents webhooks pause ID`: stops sending events; they wait.
import { Command, Option } from 'clipanion'
import { WebhooksCommand } from '../shared/webhooks-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class WebhooksPauseCommand extends WebhooksCommand {
  static override paths = [['webhooks', 'pause']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Pause a webhook: events wait until it is resumed',
    examples: [['While the receiver is maintained', 'agents webhooks pause ID']],
  })

  webhookId = Option.String({ name: 'ID' })

  override async execute(): Promise<ExitCode> {
    await this.change(`${this.webhookPath(this.webhookId)}/pause`, 'POST')
    return exitCode.done
  }
}
