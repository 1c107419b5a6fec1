// Creates, changes, pauses and deletes webhooks, and replaces their secrets. A secret leaves the server once, in the
// answer of the request that made it.
import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { subjectOf } from '../auth/caller.js'
import type { TenantContext } from '../operation/operation.js'
import { refuseMore } from '../operation/row-bounds.js'
import { removeDeliveries } from '../outbox/remove-deliveries.js'
import { webhookLimits } from '../outbox/webhook-limits.js'
import { webhookTopic } from '../outbox/webhook-topic.js'
import { notFound } from '../refusals/refusal.js'
import type { WebhookRow } from '../rows/webhook.js'
import type { WebhookCreate, WebhookRotate, WebhookUpdate, WebhookWithSecret } from '../schemas/webhook.js'
import { newInternalId } from '../storage/internal-ids.js'
import { transact } from '../storage/transaction.js'
import { checkEndpoint } from './endpoint.js'
import { describeWebhook, webhookSlot } from './find-webhook.js'
import { sealSecret, secretText } from './signature.js'

/** Throws `InvalidArg` for a URL that nothing may be sent to, and `Conflict` if the tenant has too many webhooks. */
export async function createWebhook(
  { url, types }: Static<typeof WebhookCreate>,
  context: TenantContext,
): Promise<Static<typeof WebhookWithSecret>> {
  const { deployment, tenant, caller } = context
  const { tables, clock, sealing, config } = deployment
  checkEndpoint(url, config)
  const now = clock.now()
  const webhook = `whk_${newInternalId(now)}`
  const secret = randomBytes(webhookLimits.secretBytes)
  const row: WebhookRow = {
    url,
    types: [...new Set(types)],
    secret: sealSecret(sealing, { tenant: tenant.internal, webhook }, secret),
    earlier: null,
    paused: null,
    failingSince: null,
    skippingSince: null,
    createdBy: subjectOf(caller),
    createdAt: now,
    updatedAt: now,
  }
  await deployment.leases.hold(`webhooks:${tenant.internal}`, async () => {
    const known = tables.webhooks.keys([tenant.internal])
    await refuseMore(known, webhookLimits.perTenantMax, (count) => {
      return `The tenant has ${count} webhooks, which is the most; delete one first`
    })
    await transact(deployment, async (transaction) => transaction.put(webhookSlot(context, webhook), row))
  })
  return { webhook: describeWebhook(webhook, row), secret: secretText(secret) }
}

/** Throws like `createWebhook`, and `NotFound`. */
export async function updateWebhook(
  webhook: string,
  { url, types }: Static<typeof WebhookUpdate>,
  context: TenantContext,
) {
  if (url !== undefined) checkEndpoint(url, context.deployment.config)
  const row = await changeWebhook(webhook, context, (before) => ({
    ...before,
    ...(url === undefined ? {} : { url }),
    ...(types === undefined ? {} : { types: [...new Set(types)] }),
  }))
  return { webhook: describeWebhook(webhook, row) }
}

/** Deliveries that wait are kept, and events that happen meanwhile are recorded. */
export async function pauseWebhook(webhook: string, context: TenantContext) {
  const row = await changeWebhook(webhook, context, (before, now) => ({
    ...before,
    paused: before.paused ?? { reason: 'requested', at: now },
  }))
  return { webhook: describeWebhook(webhook, row) }
}

/** Resumes the webhook, whatever it was paused for. */
export async function resumeWebhook(webhook: string, context: TenantContext) {
  const row = await changeWebhook(webhook, context, (before) => ({ ...before, paused: null, failingSince: null }))
  context.deployment.bus.publish(webhookTopic)
  return { webhook: describeWebhook(webhook, row) }
}

/** Replaces the secret; the one before signs too for a while, so that receivers can be changed meanwhile. */
export async function rotateSecret(
  webhook: string,
  { overlapSeconds = webhookLimits.overlapSecondsDefault }: Static<typeof WebhookRotate>,
  context: TenantContext,
): Promise<Static<typeof WebhookWithSecret>> {
  const { deployment, tenant } = context
  const secret = randomBytes(webhookLimits.secretBytes)
  const sealed = sealSecret(deployment.sealing, { tenant: tenant.internal, webhook }, secret)
  const row = await changeWebhook(webhook, context, (before, now) => ({
    ...before,
    secret: sealed,
    earlier: overlapSeconds === 0 ? null : { secret: before.secret, until: now + overlapSeconds * 1000 },
  }))
  return { webhook: describeWebhook(webhook, row), secret: secretText(secret) }
}

/** Deletes the webhook with its deliveries; what is being sent may still arrive. */
export async function deleteWebhook(webhook: string, context: TenantContext): Promise<void> {
  const { deployment, tenant } = context
  const slot = webhookSlot(context, webhook)
  await transact(deployment, async (transaction) => {
    if (!(await transaction.read(slot))) throw notFound('webhook')
    transaction.remove(slot)
  })
  await removeDeliveries(deployment, { tenant: tenant.internal, webhook })
}

async function changeWebhook(
  webhook: string,
  context: TenantContext,
  change: (row: WebhookRow, nowMs: number) => WebhookRow,
): Promise<WebhookRow> {
  const { deployment } = context
  const slot = webhookSlot(context, webhook)
  return transact(deployment, async (transaction) => {
    const before = await transaction.read(slot)
    if (before === undefined) throw notFound('webhook')
    const now = deployment.clock.now()
    const row = { ...change(before, now), updatedAt: now }
    transaction.put(slot, row)
    return row
  })
}
