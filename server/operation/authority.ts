// Stage one of authority: decides whether the caller may use the operation on the path. Checks credential, tenant,
// document, layer, revocation and suspension before the handler runs. Stage two (per change op) needs stored rows.

import { type Capability, permissionBitsOf } from '../../workers/contract/capabilities.js'
import type { OpenedAs } from '../../workers/file/unlock-pdf.js'
import type { Caller } from '../auth/caller.js'
import { defaultLayer } from '../auth/claims.js'
import { ownScope, someScopeNames } from '../auth/collab.js'
import { holds, meets } from '../auth/document-scope.js'
import { matchesOrigin } from '../auth/origins.js'
import { limits } from '../limits.js'
import { forbidden, invalidArg, notFound, Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import type { TenantRow } from '../rows/tenant.js'
import { isLayerName, isPlainId } from '../schemas/ids.js'
import type { Authority, Context, DocumentContext, InternalRow, TenantContext } from './operation.js'
import { findPasswordSession, type PasswordSession } from './password-session.js'

export interface AuthorityRequest {
  readonly authority: Authority
  readonly plane: 'deployment' | 'tenant' | 'document'
  readonly tenantId?: string | undefined
  readonly docId?: string | undefined
  readonly layerName?: string | undefined
}

const elsewhere = 'it is for another tenant, document or layer'

/** Accepted credentials by authority, for messages. */
const takes: Readonly<Record<Authority['kind'], string>> = {
  none: 'none is needed',
  'api-token': 'only the API token does',
  tenant: 'a tenant token does, or the API token',
  document: 'a document token does, or the API token',
}

/** Returns the context with every row that the path names. Throws 401, 403 or 404. */
export async function authorize(
  request: AuthorityRequest,
  context: Context,
): Promise<Context | TenantContext | DocumentContext> {
  const { caller } = context
  refuseWrongKind(request, caller)
  refuseForeignOrigin(request, context)
  const password = readPassword(request, context)
  if (request.docId !== undefined && request.plane === 'document') {
    // Inherited reads name no layer; the layer of the token applies.
    const layerName = request.layerName ?? (caller.kind === 'document' ? caller.layerName : defaultLayer)
    refuseOtherSubtree(caller, { docId: request.docId, layerName: request.layerName })
    const { tenant, document, layer } = await findDocument(request.docId, layerName, context)
    const session = await sessionOfCaller(context, { tenant: tenant.internal, document })
    refuseMissingCapability(request.authority, caller, permissionBitsFor(document.row, session?.openedAs))
    if (!isLayerName(layerName)) throw invalidArg('A layer name must have 1 to 256 characters')
    return {
      ...context,
      tenant,
      document,
      layerName,
      layer,
      password: password ?? session?.password,
      openedAs: session?.openedAs,
    }
  }
  if (request.tenantId !== undefined) {
    if (caller.kind === 'tenant' && caller.tenantId !== request.tenantId) throw forbidden(elsewhere)
    return { ...context, tenant: await findTenant(request.tenantId, context) }
  }
  return context
}

/** Returns the context with current rows. Throws like `authorize` if the request is no longer authorised. */
export async function reread(context: DocumentContext): Promise<DocumentContext> {
  const { document, layerName } = context
  const now = await findDocument(document.row.id, layerName, context)
  // A different document with the same public id was not authorised.
  if (now.document.internal !== document.internal) throw missing(context.caller, 'document')
  return { ...context, ...now }
}

/** Checks that need no stored rows. */
function refuseWrongKind({ authority, plane }: AuthorityRequest, caller: Caller): void {
  if (authority.kind === 'none' || caller.kind === 'api') return
  if (caller.kind === 'nobody') throw ended()
  if (authority.kind !== caller.kind || plane === 'deployment') throw forbidden(takes[authority.kind])
  if (authority.kind !== 'tenant' || caller.kind !== 'tenant') return
  const isHeld = caller.scopes.includes('*') || authority.scopes.some((scope) => caller.scopes.includes(scope))
  if (!isHeld) throw forbidden(`it needs ${authority.scopes.join(' or ')}`, { needs: authority.scopes })
}

/** A request without `Origin` passes: the lock stops hotlinking from browsers. */
function refuseForeignOrigin({ plane }: AuthorityRequest, { caller, headers }: Context): void {
  if (!('origins' in caller) || caller.origins === undefined || headers.origin === undefined) return
  if (matchesOrigin(caller.origins, String(headers.origin))) return
  throw plane === 'tenant'
    ? new Refusal('OriginNotAllowed', 'This origin is not on the list of the token')
    : forbidden('its list of origins lacks this one')
}

function refuseOtherSubtree(
  caller: Caller,
  path: { readonly docId: string; readonly layerName: string | undefined },
): void {
  if (caller.kind !== 'document') return
  if (caller.docId !== path.docId) throw forbidden(elsewhere)
  if (path.layerName === undefined || path.layerName === caller.layerName) return
  throw forbidden(`it is for the layer ${JSON.stringify(caller.layerName)} of the document`)
}

/** Returns the running password session of a document token; only encrypted documents have some. */
async function sessionOfCaller(
  { caller, deployment, headers }: Context,
  { tenant, document }: { readonly tenant: string; readonly document: InternalRow<DocumentRow> },
): Promise<PasswordSession | undefined> {
  if (caller.kind !== 'document' || document.row.encryption?.state !== 'encrypted') return undefined
  return findPasswordSession({ caller, deployment, headers }, { tenant, document: document.internal })
}

/** Returns the permission bits that apply to the caller: with the password of the owner, all are on (null). */
export const permissionBitsFor = (
  { encryption }: Pick<DocumentRow, 'encryption'>,
  openedAs: OpenedAs | undefined,
): number | null => (openedAs === 'owner' ? null : permissionBitsOf(encryption))

/** Same as `permissionBitsFor`, of a request. */
export const permissionBitsIn = ({
  document,
  openedAs,
}: Pick<DocumentContext, 'document' | 'openedAs'>): number | null => permissionBitsFor(document.row, openedAs)

/** True if the credential has the rights on a document with these permission bits. */
export function hasRights(authority: Authority, caller: Caller, permissionBits: number | null): boolean {
  return rightsLackedBy(caller, { authority, permissionBits }).needs.length === 0
}

function refuseMissingCapability(authority: Authority, caller: Caller, permissionBits: number | null): void {
  if (authority.kind !== 'document' || caller.kind !== 'document') return
  const { needs, narrower } = rightsLackedBy(caller, { authority, permissionBits })
  if (needs.length > 0) throw forbidden(`it lacks ${needs.join(', ')}${narrower}`, { needs })
  const { oneOf } = authority
  if (oneOf === undefined || oneOf.some((one) => meets(caller.scope, one, permissionBits))) return
  throw forbidden('it has no right to change anything')
}

/** Returns the capabilities that are missing, and which narrower scope would do as well. */
function rightsLackedBy(
  caller: Caller,
  { authority, permissionBits }: { readonly authority: Authority; readonly permissionBits: number | null },
): { readonly needs: readonly Capability[]; readonly narrower: string } {
  if (authority.kind !== 'document' || caller.kind !== 'document') return { needs: [], narrower: '' }
  const { capabilities, orCollab, besides = [] } = authority
  const isOfScopes = orCollab !== undefined && someScopeNames(caller.scope.collab, orCollab)
  const lacking = (all: readonly Capability[]) => all.filter((needed) => !holds(caller.scope, needed, permissionBits))
  const replaceable = isOfScopes ? [] : lacking(capabilities)
  const needs = [...replaceable, ...lacking(besides)]
  const narrower =
    replaceable.length > 0 && orCollab && caller.person.userId !== undefined
      ? `, or ${ownScope(orCollab)} for its own annotations`
      : ''
  return { needs, narrower }
}

/** Reads the document password. Throws `Forbidden` unless the API token sends it. */
function readPassword({ authority, plane }: AuthorityRequest, { caller, headers }: Context): Uint8Array | undefined {
  const header = headers['x-document-password']
  if (header === undefined || authority.kind === 'none') return undefined
  if (caller.kind !== 'api') throw forbidden('only the API token may send X-Document-Password')
  if (plane !== 'document') return undefined
  const text = String(header)
  const bytes = Buffer.from(text, 'base64')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || bytes.length > limits.documentPasswordBytesMax)
    throw invalidArg('X-Document-Password must be the base64 form of the password in UTF-8')
  return bytes
}

async function findTenant(tenantId: string, context: Context): Promise<InternalRow<TenantRow>> {
  const { caller, deployment } = context
  const { tables } = deployment
  const pointer = isPlainId(tenantId) ? await tables.tenantIds.get([tenantId]) : undefined
  if (!pointer) throw missing(caller, 'tenant')
  const [row, revoked] = await tables.getMany([
    tables.tenants.at([pointer.tenant]),
    tables.revocations.at([pointer.tenant, 'jti' in caller ? caller.jti : '']),
  ])
  if (!row || row.status === 'deleting') throw missing(caller, 'tenant')
  const self = { internal: pointer.tenant, createdAt: row.createdAt }
  refuseStale(caller, { tenant: row, isRevoked: revoked !== undefined, self })
  return { internal: pointer.tenant, row }
}

async function findDocument(docId: string, layerName: string, context: Context) {
  const { caller, deployment } = context
  const { tables } = deployment
  const pointer = isPlainId(docId) ? await tables.documentIds.get([docId]) : undefined
  if (!pointer) throw missing(caller, 'document')
  const [tenant, document, revoked, layer] = await tables.getMany([
    tables.tenants.at([pointer.tenant]),
    tables.documents.at([pointer.tenant, pointer.document]),
    tables.revocations.at([pointer.tenant, 'jti' in caller ? caller.jti : '']),
    // An invalid layer name is reported only to authorised callers.
    tables.layers.at([pointer.tenant, pointer.document, isLayerName(layerName) ? layerName : '']),
  ])
  if (!tenant || tenant.status === 'deleting' || !document || document.state === 'deleting')
    throw missing(caller, 'document')
  const self =
    caller.kind === 'tenant'
      ? { internal: pointer.tenant, createdAt: tenant.createdAt }
      : { internal: pointer.document, createdAt: document.createdAt }
  refuseStale(caller, { tenant, isRevoked: revoked !== undefined, self })
  if ('tenantId' in caller && caller.tenantId !== tenant.id) throw forbidden(elsewhere)
  return {
    tenant: { internal: pointer.tenant, row: tenant },
    document: { internal: pointer.document, row: document },
    layer,
  }
}

interface Subject {
  readonly tenant: TenantRow
  readonly isRevoked: boolean
  /** Current row of the resource that the token names. */
  readonly self: { readonly internal: string; readonly createdAt: number }
}

/** Refuses revoked and suspended tokens, and tokens older than the resource, which were issued for an earlier one. */
function refuseStale(caller: Caller, { tenant, isRevoked, self }: Subject): void {
  if (!('jti' in caller)) return
  const isOfAnother = caller.resourceId !== undefined && caller.resourceId !== self.internal
  if (isRevoked || isOfAnother || caller.issuedAt < Math.floor(self.createdAt / 1000)) {
    throw ended()
  }
  if (tenant.status === 'suspended') throw forbidden('its tenant is suspended')
}

const ended = (): Refusal => new Refusal('Unauthenticated', 'The request carries no valid credential')

/** Returns 401 for a token whose resource was deleted, otherwise 404. */
function missing(caller: Caller, what: string): Refusal {
  return 'jti' in caller ? ended() : notFound(what)
}
