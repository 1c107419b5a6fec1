// Source of an import, as a request names it: a URL, or a file of a registered connection. Both are checked here, before
// anything is opened and before a document exists.
import type { Static } from 'typebox'
import { limits } from '../limits.js'
import { tenantAccountOf } from '../operation/account.js'
import type { Connection, ConnectionFile, OpenedFile, ReadLimits } from '../operation/connections.js'
import type { TenantContext } from '../operation/operation.js'
import { invalidArg } from '../refusals/refusal.js'
import type { DocumentImport } from '../schemas/document.js'
import { refused } from './failures.js'
import { fetchUrl } from './fetch-url.js'
import { checkSource, policyOf } from './guard.js'
import type { Network } from './network.js'

export type ImportRequest = Static<typeof DocumentImport>

export interface NamedFile {
  readonly connection: Connection
  readonly file: ConnectionFile
}

export interface ImportSource {
  /** The registered file; undefined for a URL, which is written down nowhere. */
  readonly named: NamedFile | undefined
  read<Result>(limits: SourceLimits, take: (opened: OpenedFile) => Promise<Result>): Promise<Result>
}

type SourceLimits = Pick<ReadLimits, 'sizeBytesMax' | 'signal'>

/** Throws `InvalidArg` for a request that makes no sense, and `ImportRefused` for a source that is not allowed. */
export function sourceOf(request: ImportRequest, context: TenantContext, network: Network): ImportSource {
  const { source, mode, dedupMode, expected } = request
  if (dedupMode === 'reuse-existing' && expected?.sha256 === undefined) {
    throw invalidArg('dedupMode "reuse-existing" needs expected.sha256')
  }
  if (source.kind === 'connection') {
    const named = namedFile(source, context)
    if (mode === 'async' && named.connection.type === 'filesystem' && expected?.sha256 === undefined) {
      throw invalidArg('mode "async" needs expected.sha256 for a filesystem connection')
    }
    const totalMs = limits.importDeadlineMs
    return { named, read: (bounds, take) => named.connection.read(named.file, { ...bounds, totalMs }, take) }
  }
  if (mode === 'async') throw invalidArg('mode "async" needs a connection source; a URL is imported with mode "sync"')
  const policy = policyOf(context.deployment.config)
  checkSource(source.url, policy)
  const account = tenantAccountOf(context.tenant.internal)
  return {
    named: undefined,
    read: (bounds, take) =>
      fetchUrl(source.url, { policy, network, account, ...bounds }, (fetched) => take({ ...fetched, tag: null })),
  }
}

const keyBytesMax = 1024

/** A connection of other tenants is answered like one that does not exist. */
function namedFile(
  { connectionId, key, revision: requested }: Extract<ImportRequest['source'], { readonly kind: 'connection' }>,
  { deployment, tenant }: TenantContext,
): NamedFile {
  if (Buffer.byteLength(key) > keyBytesMax || /[\0\p{Surrogate}]/u.test(key)) {
    throw invalidArg(`source.key must be text of at most ${keyBytesMax} bytes without NUL`)
  }
  const connection = deployment.connections.find(connectionId, tenant.row.id)
  if (!connection) {
    const found = deployment.connections.nearest(connectionId, tenant.row.id)
    const hint = found === undefined ? '' : `; did you mean ${JSON.stringify(found)}?`
    throw invalidArg(`No connection of this connectionId is registered with this deployment${hint}`)
  }
  const revision = requested ?? null
  if (revision !== null && connection.type === 'filesystem') {
    throw invalidArg('A filesystem connection has no revisions')
  }
  const file = { key, revision }
  if (!connection.allows(file)) throw refused('The connection does not allow this key')
  return { connection, file }
}
