// One attempt of a delivery: claim, request, record.
import { tenantAccountOf } from '../operation/account.js'
import type { Deployment } from '../operation/deployment.js'
import type { DeliveryName } from '../outbox/lanes.js'
import { releaseDelivery, settleDelivery, type TakenDelivery, takeDelivery } from '../outbox/take-delivery.js'
import { webhookLimits } from '../outbox/webhook-limits.js'
import { isGone } from '../refusals/refusal.js'
import type { AttemptFacts } from '../rows/webhook-delivery.js'
import { endpointPolicy } from './endpoint.js'
import { eventMessage } from './event-message.js'
import { type SendPorts, sendEvent } from './send-event.js'
import { signingSecrets } from './signature.js'

export type AttemptPorts = Pick<SendPorts, 'network' | 'stopping'>

/** Works on a delivery. Returns false if there was nothing to do. Rejects only when the store fails. */
export async function runDelivery(deployment: Deployment, name: DeliveryName, ports: AttemptPorts): Promise<boolean> {
  try {
    const taken = await takeDelivery(deployment, name, webhookLimits.claimMs)
    if (typeof taken === 'string') return taken === 'settled'
    const last = await attempt(deployment, taken, ports)
    if (last.error === 'interrupted') await releaseDelivery(deployment, taken)
    else report(deployment, taken, { last, settled: await settleDelivery(deployment, taken, last) })
    return true
  } catch (error) {
    // The document or tenant is being deleted, and the delivery with it.
    if (isGone(error)) return false
    throw error
  }
}

async function attempt(deployment: Deployment, taken: TakenDelivery, ports: AttemptPorts): Promise<AttemptFacts> {
  const { clock, config, sealing } = deployment
  const { webhook, row, tenantId, name } = taken
  const nowMs = clock.now()
  let secrets: readonly Uint8Array[]
  try {
    secrets = signingSecrets(sealing, name, { row: webhook, nowMs })
  } catch {
    // The sealing key was replaced; a rotation gives the webhook a new secret.
    return { at: nowMs, durationMs: 0, statusCode: null, error: 'secret-unreadable' }
  }
  const message = eventMessage(row.event, { tenantId, secrets, nowMs })
  const account = tenantAccountOf(name.tenant)
  return sendEvent({ url: webhook.url, message }, { ...ports, clock, account, policy: endpointPolicy(config) })
}

/** Logs and counts the attempt. The log names internal ids and no URL, which may contain a secret. */
function report(
  { log, metrics }: Deployment,
  { name: { webhook, delivery }, row }: TakenDelivery,
  { last, settled }: { readonly last: AttemptFacts; readonly settled: string },
): void {
  metrics.count(`webhook-${settled}`)
  if (last.error === null) return
  const { error: code, statusCode } = last
  log.warn({ webhook, delivery, code, statusCode, attempts: row.attempts, settled }, 'a webhook delivery failed')
}
