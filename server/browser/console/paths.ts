// Paths of the API, below the folder of the server.

export const tenantPath = (tenantId: string): string => `v1/tenants/${encodeURIComponent(tenantId)}`

export const webhooksPath = (tenantId: string): string => `${tenantPath(tenantId)}/webhooks`

export const documentsPath = (tenantId: string): string => `${tenantPath(tenantId)}/documents`

export const documentPath = (tenantId: string, docId: string): string =>
  `${documentsPath(tenantId)}/${encodeURIComponent(docId)}`

/** Returns the path with those members of the query that have a value. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | undefined>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  )
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}
