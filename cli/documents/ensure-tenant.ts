// Creates a tenant unless it exists.
import type { DocumentsClient } from './client.js'

export async function ensureTenant(client: DocumentsClient, tenant: string): Promise<void> {
  await client.json('/v1/tenants', { method: 'POST', json: { id: tenant } })
}
