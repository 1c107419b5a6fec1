// `agents webhooks rotate ID`: replaces the secret of a webhook.
import { Command, Option } from 'clipanion'
import { type WebhookRecord, WebhooksCommand } from '../shared/webhooks-command.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'

export class WebhooksRotateCommand extends WebhooksCommand {
  static override paths = [['webhooks', 'rotate']]
  static override usage = Command.Usage({
    category: 'Documents',
    description: 'Replace the secret of a webhook',
    details: 'The secret before signs too for a day, so that the receiver can be changed meanwhile.',
    examples: [
      ['A new secret', 'agents webhooks rotate ID'],
      ['After the old one became known', 'agents webhooks rotate ID --at-once'],
    ],
  })

  webhookId = Option.String({ name: 'ID' })
  atOnce = Option.Boolean('--at-once', false, { description: 'Sign with the new secret alone.' })

  override async execute(): Promise<ExitCode> {
    const client = await this.connect()
    const path = `${this.webhookPath(this.webhookId)}/rotate-secret`
    const json = this.atOnce ? { overlapSeconds: 0 } : {}
    this.printSecret(
      await client.json<{ readonly webhook: WebhookRecord; readonly secret: string }>(path, { method: 'POST', json }),
    )
    return exitCode.done
  }
}
