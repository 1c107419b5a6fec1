// Caller of a request, as identified by its credential. Authorisation is decided in `authority.ts`.
import type { DocumentScope } from './document-scope.js'
import type { Person } from './person.js'
import type { TenantScope } from './tenant-scopes.js'

interface Bearer {
  readonly sub: string
  readonly tenantId: string
  readonly jti: string
  /** Seconds since 1970. */
  readonly issuedAt: number
  readonly expiresAt: number
  /** Origin patterns to which the token is limited. */
  readonly origins: readonly string[] | undefined
  /** Internal id of the tenant or document the token was issued for; tokens minted elsewhere have none. */
  readonly resourceId: string | undefined
}

export interface TenantCaller extends Bearer {
  readonly kind: 'tenant'
  readonly scopes: readonly TenantScope[]
}

export interface DocumentCaller extends Bearer {
  readonly kind: 'document'
  readonly docId: string
  readonly layerName: string
  readonly scope: DocumentScope
  readonly person: Person
  /** Internal id of the share from which the session was created. */
  readonly share: string | undefined
  /** Bytes that the token, or all sessions of its share, may store; 0 = unlimited, undefined = the setting. */
  readonly storedBytesMax: number | undefined
}

export type Caller = { readonly kind: 'nobody' } | { readonly kind: 'api' } | TenantCaller | DocumentCaller

/** Returns the subject of changes and audit records. */
export const subjectOf = (caller: Caller): string =>
  caller.kind === 'tenant' || caller.kind === 'document' ? caller.sub : caller.kind
