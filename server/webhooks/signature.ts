// Signatures of deliveries, as in the Standard Webhooks specification: HMAC-SHA256 over id, time and body.
import { createHmac } from 'node:crypto'
import type { Sealing } from '../rows/sealing.js'
import type { WebhookRow } from '../rows/webhook.js'

const prefix = 'whsec_'

/** Returns the text of a secret, as receivers configure it. */
export const secretText = (secret: Uint8Array): string => prefix + Buffer.from(secret).toString('base64')

export interface WebhookName {
  /** Internal id. */
  readonly tenant: string
  readonly webhook: string
}

const placeOf = ({ tenant, webhook }: WebhookName): string => `webhook/${tenant}/${webhook}`

/** Encrypts a secret for the row of its webhook; it can be decrypted for no other one. */
export const sealSecret = (sealing: Sealing, name: WebhookName, secret: Uint8Array): string =>
  Buffer.from(sealing.seal(secret, placeOf(name))).toString('base64')

/** Returns the secrets that sign now: the current one, and the earlier one until its time. Throws like `Sealing.open`. */
export function signingSecrets(
  sealing: Sealing,
  name: WebhookName,
  { row, nowMs }: { readonly row: Pick<WebhookRow, 'secret' | 'earlier'>; readonly nowMs: number },
): readonly Uint8Array[] {
  const earlier = row.earlier !== null && row.earlier.until > nowMs ? [row.earlier.secret] : []
  return [row.secret, ...earlier].map((sealed) => sealing.open(Buffer.from(sealed, 'base64'), placeOf(name)))
}

export interface SignedContent {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

/** Returns the headers of a delivery; one signature for each secret. */
export function signatureHeaders(
  { id, timestamp, body }: SignedContent,
  secrets: readonly Uint8Array[],
): Readonly<Record<string, string>> {
  const signatures = secrets.map((secret) => {
    const digest = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`, 'utf8').digest('base64')
    return `v1,${digest}`
  })
  return { 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': signatures.join(' ') }
}
