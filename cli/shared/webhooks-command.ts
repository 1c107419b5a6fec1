// Base of the `webhooks` commands: the paths of the server, and how webhooks and attempts are shown.
import { visible } from '../render/text.js'
import { DocumentsCommand } from './documents-command.js'

export interface WebhookRecord {
  readonly id: string
  readonly url: string
  readonly types: readonly string[]
  readonly status: string
  readonly pauseReason: string | null
}

export interface AttemptRecord {
  readonly statusCode: number | null
  readonly durationMs: number
  readonly error: string | null
}

export abstract class WebhooksCommand extends DocumentsCommand {
  protected get webhooksPath(): string {
    return `/v1/tenants/${encodeURIComponent(this.tenant)}/webhooks`
  }

  protected webhookPath(id: string): string {
    return `${this.webhooksPath}/${encodeURIComponent(id)}`
  }

  /** Sends a request that answers a webhook, and prints the webhook. */
  protected async change(path: string, method: 'POST' | 'PATCH', json: object = {}): Promise<void> {
    const client = await this.connect()
    const { webhook } = await client.json<{ readonly webhook: WebhookRecord }>(path, { method, json })
    this.output.record({ type: 'webhook', ...webhook })
    this.output.print(rowOf(webhook).join('  '))
  }

  /** Prints a webhook with its new secret. Under `--json` it is a member of the record. */
  protected printSecret({ webhook, secret }: { readonly webhook: WebhookRecord; readonly secret: string }): void {
    this.output.record({ type: 'webhook', ...webhook, secret })
    this.output.print(`${webhook.id}\n${secret}`)
    this.output.note('The secret is not shown again: store it where the receiver verifies signatures.')
  }
}

export const rowOf = ({ id, url, types, status, pauseReason }: WebhookRecord): readonly string[] => [
  id,
  pauseReason === null ? status : `${status} (${pauseReason})`,
  visible(url),
  types.join(','),
]

/** Describes an attempt: `204 in 12 ms`, `connection-failed after 3 ms`. */
export function attemptText({ statusCode, durationMs, error }: AttemptRecord): string {
  const answered = statusCode === null ? '' : String(statusCode)
  if (error === null) return `${answered} in ${durationMs} ms`
  return `${error}${answered === '' ? '' : ` ${answered}`} after ${durationMs} ms`
}
