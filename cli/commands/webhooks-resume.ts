// `agents webhooks resume ID`: sends events again, those that wait first.
import { Command, Option } from 'clipanion'
import { WebhooksCommand } from '../shared/webhooks-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class WebhooksResumeCommand extends WebhooksCommand {
  static override paths = [['webhooks', 'resume']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Resume a webhook, whatever paused it',
    examples: [['After the receiver works again', 'agents webhooks resume ID']],
  })

  webhookId = Option.String({ name: 'ID' })

  override async execute(): Promise<ExitCode> {
    await this.change(`${this.webhookPath(this.webhookId)}/resume`, 'POST')
    return exitCode.done
  }
}
