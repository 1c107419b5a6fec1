// `agents webhooks deliveries ID`: lists the deliveries of a webhook, newest first.
import { Command, Option } from 'clipanion'
import { columns } from '../render/text.js'
import { type AttemptRecord, attemptText, WebhooksCommand } from '../shared/webhooks-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

interface DeliveryRecord {
  readonly id: string
  readonly type: string
  readonly docId: string
  readonly state: string
  readonly attempts: number
  readonly last: AttemptRecord | null
  readonly createdAt: number
}

interface Page {
  readonly deliveries: readonly DeliveryRecord[]
  readonly nextCursor: string | null
}

export class WebhooksDeliveriesCommand extends WebhooksCommand {
  static override paths = [['webhooks', 'deliveries']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'List deliveries of a webhook, newest first',
    examples: [['What was given up', `agents webhooks deliveries ID --json | jq 'select(.state == "given-up")'`]],
  })

  webhookId = Option.String({ name: 'ID' })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    const rows: string[][] = []
    let cursor: string | undefined
    do {
      const path = `${this.webhookPath(this.webhookId)}/deliveries`
      const page: Page = await client.json<Page>(path, { query: { cursor } })
      for (const { type, ...delivery } of page.deliveries) {
        this.output.record({ type: 'webhook-delivery', event: type, ...delivery })
        const { id, state, attempts, last, createdAt, docId } = delivery
        const outcome = last === null ? '' : attemptText(last)
        rows.push([id, new Date(createdAt).toISOString(), type, docId, state, String(attempts), outcome])
      }
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    this.output.print(rows.length === 0 ? 'No deliveries.' : columns(rows))
    return exitCode.done
  }
}
