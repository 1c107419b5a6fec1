// The request that delivers an event: a JSON body, and headers with its signature.
import type { Static } from 'typebox'
import type { Message } from '../imports/dial.js'
import type { EventFacts } from '../rows/webhook-delivery.js'
import type { WebhookEvent } from '../schemas/webhook.js'
import { signatureHeaders } from './signature.js'

export type SentFacts = Omit<EventFacts, 'docId'> & { readonly docId: string | null }

/** Returns the body of a delivery, in the same words for every attempt. `tenantId`: public id. */
export function eventOf(
  { id, type, at, ...data }: SentFacts,
  tenantId: string,
): Omit<Static<typeof WebhookEvent>, 'type'> & { readonly type: string } {
  return { id, type, timestamp: new Date(at).toISOString(), data: { tenantId, ...data } }
}

export interface SigningFacts {
  readonly tenantId: string
  readonly secrets: readonly Uint8Array[]
  readonly nowMs: number
}

export function eventMessage(event: SentFacts, { tenantId, secrets, nowMs }: SigningFacts): Message {
  const body = JSON.stringify(eventOf(event, tenantId))
  return {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'User-Agent': 'steward-webhooks',
      Accept: '*/*',
      'Accept-Encoding': 'identity',
      ...signatureHeaders({ id: event.id, timestamp: Math.floor(nowMs / 1000), body }, secrets),
    },
    body: Buffer.from(body, 'utf8'),
  }
}
