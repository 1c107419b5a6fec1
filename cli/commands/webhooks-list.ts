// `agents webhooks list`: lists the webhooks of a tenant.
import { Command } from 'clipanion'
import { columns } from '../render/text.js'
import { rowOf, type WebhookRecord, WebhooksCommand } from '../shared/webhooks-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class WebhooksListCommand extends WebhooksCommand {
  static override paths = [['webhooks', 'list']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'List webhooks, newest first',
    examples: [['Those of a tenant', 'agents webhooks list --tenant acme']],
  })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    const { webhooks } = await client.json<{ readonly webhooks: readonly WebhookRecord[] }>(this.webhooksPath)
    for (const webhook of webhooks) this.output.record({ type: 'webhook', ...webhook })
    this.output.print(webhooks.length === 0 ? 'No webhooks.' : columns(webhooks.map((webhook) => [...rowOf(webhook)])))
    return exitCode.done
  }
}
