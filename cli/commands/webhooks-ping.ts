// `agents webhooks ping ID`: sends a test event and shows what came of it.
import { Command, Option } from 'clipanion'
import { type AttemptRecord, attemptText, WebhooksCommand } from '../shared/webhooks-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class WebhooksPingCommand extends WebhooksCommand {
  static override paths = [['webhooks', 'ping']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Send a test event to a webhook',
    details: 'Ends with 1 if the receiver did not answer with success.',
    examples: [['Before the first real event', 'agents webhooks ping ID']],
  })

  webhookId = Option.String({ name: 'ID' })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    const answer = await client.json<{ readonly eventId: string; readonly attempt: AttemptRecord }>(
      `${this.webhookPath(this.webhookId)}/ping`,
      { method: 'POST', json: {} },
    )
    this.output.record({ type: 'webhook-ping', eventId: answer.eventId, ...answer.attempt })
    this.output.print(attemptText(answer.attempt))
    return answer.attempt.error === null ? exitCode.done : exitCode.failed
  }
}
