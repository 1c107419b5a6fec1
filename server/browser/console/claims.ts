// Claims of a tenant token, read without verification. They decide only what is offered: the server verifies every request.

export interface Claims {
  readonly tenantId: string
  readonly scopes: readonly string[]
  readonly isOfDocument: boolean
}

/** Returns undefined for a token that is not a JWT with a tenant. */
export function claimsIn(token: string): Claims | undefined {
  const payload = Object(decoded(token.split('.')[1] ?? ''))
  const { tenant_id: tenantId, doc_id: docId, scope }: Readonly<Record<string, unknown>> = payload
  if (typeof tenantId !== 'string' || !Array.isArray(scope)) return undefined
  return { tenantId, scopes: scope.filter((one) => typeof one === 'string'), isOfDocument: docId !== undefined }
}

function decoded(base64url: string): unknown {
  try {
    const bytes = Uint8Array.from(atob(base64url.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}
