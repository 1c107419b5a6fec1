// Finds a webhook of the tenant, and describes it without its secrets.
import type { Static } from 'typebox'
import type { TenantContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import type { WebhookRow } from '../rows/webhook.js'
import type { Webhook } from '../schemas/webhook.js'

export const webhookSlot = ({ deployment, tenant }: TenantContext, webhook: string) =>
  deployment.tables.webhooks.at([tenant.internal, webhook])

/** Throws `NotFound`, also for a webhook of another tenant. */
export async function findWebhook(webhook: string, { deployment, tenant }: TenantContext): Promise<WebhookRow> {
  const row = await deployment.tables.webhooks.get([tenant.internal, webhook])
  if (row === undefined) throw notFound('webhook')
  return row
}

export function describeWebhook(id: string, row: WebhookRow): Static<typeof Webhook> {
  const { url, types, paused, failingSince, skippingSince, earlier, createdBy, createdAt, updatedAt } = row
  return {
    id,
    url,
    types: [...types],
    status: paused === null ? 'active' : 'paused',
    pauseReason: paused?.reason ?? null,
    failingSince,
    skippingSince,
    earlierSecretUntil: earlier?.until ?? null,
    createdBy,
    createdAt,
    updatedAt,
  }
}
