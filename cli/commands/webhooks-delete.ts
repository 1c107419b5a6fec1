// `agents webhooks delete ID`: deletes a webhook with its deliveries.
import { Command, Option } from 'clipanion'
import { WebhooksCommand } from '../shared/webhooks-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class WebhooksDeleteCommand extends WebhooksCommand {
  static override paths = [['webhooks', 'delete']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Delete a webhook; what waits for it is not sent',
    examples: [['One of a tenant', 'agents webhooks delete ID --tenant acme']],
  })

  webhookId = Option.String({ name: 'ID' })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    await client.expectNone(this.webhookPath(this.webhookId), { method: 'DELETE' })
    this.output.record({ type: 'webhook-deleted', id: this.webhookId })
    this.output.print(`Deleted ${this.webhookId}.`)
    return exitCode.done
  }
}
