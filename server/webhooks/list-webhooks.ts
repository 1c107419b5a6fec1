// Lists the webhooks of a tenant, newest first; they are few, so that there are no pages.
import type { TenantContext } from '../operation/operation.js'
import { describeWebhook } from './find-webhook.js'

export async function listWebhooks({ deployment, tenant }: TenantContext) {
  const webhooks: ReturnType<typeof describeWebhook>[] = []
  for await (const { key, row } of deployment.tables.webhooks.range([tenant.internal], { isReversed: true })) {
    webhooks.push(describeWebhook(key[1], row))
  }
  return { webhooks }
}
