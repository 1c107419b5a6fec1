// Tries an endpoint with an event of its own, while the request waits. The attempt is answered and not logged.
import type { Static } from 'typebox'
import { accountOf, tenantAccountOf } from '../operation/account.js'
import type { TenantContext } from '../operation/operation.js'
import { noFacts } from '../outbox/record-event.js'
import { invalidArg } from '../refusals/refusal.js'
import type { WebhookPing } from '../schemas/webhook.js'
import { pingType } from '../schemas/webhook.js'
import { newInternalId } from '../storage/internal-ids.js'
import { endpointNetwork, endpointPolicy } from './endpoint.js'
import { eventMessage } from './event-message.js'
import { findWebhook } from './find-webhook.js'
import { sendEvent } from './send-event.js'
import { signingSecrets } from './signature.js'

/** Sends a ping once, also to a paused webhook. A failure of the endpoint is part of the answer. */
export async function pingWebhook(webhook: string, context: TenantContext): Promise<Static<typeof WebhookPing>> {
  const { deployment, tenant, signal } = context
  const { clock, sealing, config, imports } = deployment
  const row = await findWebhook(webhook, context)
  if (tenant.row.status === 'suspended')
    throw invalidArg('The tenant is suspended: nothing is sent until it is resumed')
  const nowMs = clock.now()
  const secrets = signingSecrets(sealing, { tenant: tenant.internal, webhook }, { row, nowMs })
  const event = { ...noFacts, docId: null, id: `evt_${newInternalId(nowMs)}`, type: pingType, at: nowMs }
  const message = eventMessage(event, { tenantId: tenant.row.id, secrets, nowMs })
  const account = tenantAccountOf(tenant.internal)
  const ports = { policy: endpointPolicy(config), network: endpointNetwork, clock, account, stopping: signal() }
  // A ping holds a connection for as long as its endpoint takes, like an import.
  const attempt = await imports.hold(accountOf(context), () => sendEvent({ url: row.url, message }, ports))
  return { eventId: event.id, attempt }
}
