// Makes sure that a tenant is there: asking for one that exists changes nothing.
import type { DocumentsClient } from './client.js'

export async function ensureTenant(client: DocumentsClient, tenant: string): Promise<void> {
  await client.json('/v1/tenants', { method: 'POST', json: { id: tenant } })
}
