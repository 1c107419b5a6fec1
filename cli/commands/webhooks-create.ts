// `agents webhooks create URL`: has the events of a tenant sent to a URL.
import { Command, Option } from 'clipanion'
import { type WebhookRecord, WebhooksCommand } from '../shared/webhooks-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export const everyType = ['document.ready', 'document.failed', 'document.changed', 'version.created', 'share.opened']

export class WebhooksCreateCommand extends WebhooksCommand {
  static override paths = [['webhooks', 'create']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Have events of documents sent to a URL',
    details: `Prints the id and the secret that deliveries are signed with. Default types: ${everyType.join(', ')}.`,
    examples: [
      ['Everything', 'agents webhooks create https://example.com/hook'],
      ['New documents only', 'agents webhooks create https://example.com/hook --type document.ready'],
    ],
  })

  endpoint = Option.String({ name: 'ENDPOINT' })
  types = Option.Array('--type', { description: 'Type of events to send; may be repeated.' })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    const { ensureTenant } = await import('../documents/ensure-tenant.js')
    await ensureTenant(client, this.tenant)
    const json = { url: this.endpoint, types: this.types ?? everyType }
    const created = await client.json<{ readonly webhook: WebhookRecord; readonly secret: string }>(this.webhooksPath, {
      method: 'POST',
      json,
    })
    this.printSecret(created)
    return exitCode.done
  }
}
