// `agents webhooks redeliver ID DELIVERY`: delivers an event again.
import { Command, Option } from 'clipanion'
import { WebhooksCommand } from '../shared/webhooks-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class WebhooksRedeliverCommand extends WebhooksCommand {
  static override paths = [['webhooks', 'redeliver']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Deliver an event again, with the same id',
    examples: [['One that was given up', 'agents webhooks redeliver ID DELIVERY']],
  })

  webhookId = Option.String({ name: 'ID' })
  deliveryId = Option.String({ name: 'DELIVERY' })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    const path = `${this.webhookPath(this.webhookId)}/deliveries/${encodeURIComponent(this.deliveryId)}/redeliver`
    const { delivery } = await client.json<{ readonly delivery: { readonly id: string; readonly type: string } }>(
      path,
      {
        method: 'POST',
        json: {},
      },
    )
    const { type, ...facts } = delivery
    this.output.record({ type: 'webhook-delivery', event: type, ...facts })
    this.output.print(delivery.id)
    return exitCode.done
  }
}
