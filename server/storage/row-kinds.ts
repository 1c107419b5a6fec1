// Table of all kinds of rows. Reading, deletion, backup and `--check` derive from it.
import { AuthorshipRow } from '../rows/authorship.js'
import { DocumentRow } from '../rows/document.js'
import { PasswordSessionRow } from '../rows/password-session.js'
import { DocumentPointer, SharePointer, TenantPointer, VersionPointer } from '../rows/pointers.js'
import { ReservedNumbersRow } from '../rows/reserved-numbers.js'
import { RetirementRow } from '../rows/retirement.js'
import { RevocationRow } from '../rows/revocation.js'
import { ShareRow } from '../rows/share.js'
import { StoredByRow } from '../rows/stored-by.js'
import { SweepRow } from '../rows/sweep.js'
import { TenantRow } from '../rows/tenant.js'
import { StorageRow, UsageRow, ViewRow } from '../rows/usage.js'
import { VersionRow } from '../rows/version.js'
import { expiries, expiry } from './expiries.js'
import { dueImports, imports } from './import-row-kinds.js'
import type { Key } from './keys.js'
import { decodeKey } from './keys.js'
import { claimOf } from './large-values.js'
import { layerRowKinds } from './layer-row-kinds.js'
import { claimed, ofDocument, ofTenant } from './owned-rows.js'
import { PageFactsRow } from './page-facts.js'
import { readRowKinds } from './read-row-kinds.js'
import { type AnyRowKind, refersTo, rowKind } from './row-kind.js'
import { signings } from './signing-row-kinds.js'
import { webhookRowKinds } from './webhook-row-kinds.js'

/**
 * Name of the thumbnail of a version. Each version has its own, so that a process which draws the one of an older version
 * too late replaces nothing.
 */
export const thumbnailNameOf = (version: number): string =>
  version <= 1 ? 'thumbnail.webp' : `thumbnail-${version}.webp`

/** Name of the blob with the references of a stored file: see `server/documents/stored-references.ts`. */
export const referencesName = (file: string): string => `${file}.references`

/** Internal tenant ids by public tenant id. */
const tenantIds = rowKind({
  name: 'tenant-id',
  key: [['id', 'text']],
  schema: TenantPointer,
  leadsTo: (_key, { tenant }) => refersTo('tenant', tenant),
})

const tenants = rowKind({
  name: 'tenant',
  key: ofTenant,
  schema: TenantRow,
  indexes: ([tenant], { id, status }) => (status === 'deleting' ? [] : [tenantIds.entry([id], { tenant })]),
})

/** Internal ids by public document id, which is unique in the deployment, because document routes name no tenant. */
const documentIds = rowKind({
  name: 'document-id',
  key: [['id', 'text']],
  schema: DocumentPointer,
  leadsTo: (_key, { tenant, document }) => refersTo('document', tenant, document),
})

/** Documents by the idempotency key of their upload or import. */
const uploadKeys = rowKind({
  name: 'upload-key',
  key: [...ofTenant, ['idempotencyKey', 'text']],
  schema: DocumentPointer,
  leadsTo: (_key, { tenant, document }) => refersTo('document', tenant, document),
})

/** Documents. Internal ids are ordered by time, so reading a tenant backwards yields the newest first. */
const documents = rowKind({
  name: 'document',
  key: ofDocument,
  schema: DocumentRow,
  indexes([tenant, document], { id, state, idempotencyKey, uploadExpiresAt }) {
    if (state === 'deleting') return []
    return [
      documentIds.entry([id], { tenant, document }),
      ...(idempotencyKey === null ? [] : [uploadKeys.entry([tenant, idempotencyKey], { tenant, document })]),
      // Removal time of a failed document whose upload never arrived.
      ...(state !== 'ready' && uploadExpiresAt !== null ? [expiry(uploadExpiresAt, 'upload', tenant, document)] : []),
    ]
  },
  blobs: ([tenant, document], { state, thumbnail, headVersion }) =>
    state === 'ready' && thumbnail === 'ready'
      ? [{ blob: { tenant, document, name: thumbnailNameOf(headVersion) }, isRemade: true }]
      : [],
  storedBytes: ({ reserved = 0, metadataBytes = 0 }) => reserved + metadataBytes,
})

/** Documents by the hash of their upload. A candidate must still be read, because it may be being deleted. */
const contents = rowKind({
  name: 'content',
  key: [...ofTenant, ['sha256', 'text'], ['document', 'text']],
  schema: VersionPointer,
  leadsTo: ([tenant, , document], { number }) => refersTo('version', tenant, document, number),
})

const versionShas = rowKind({
  name: 'version-sha',
  key: [...ofDocument, ['sha256', 'text']],
  schema: VersionPointer,
  leadsTo: ([tenant, document], { number }) => refersTo('version', tenant, document, number),
})

const versions = rowKind({
  name: 'version',
  key: [...ofDocument, ['number', 'number']],
  schema: VersionRow,
  indexes: ([tenant, document, number], { blob: { sha256 }, producer }) => [
    versionShas.entry([tenant, document, sha256], { number }),
    ...(producer === 'upload' ? [contents.entry([tenant, sha256, document], { number })] : []),
  ],
  blobs: ([tenant, document], { blob, working }) =>
    [blob, ...(working ? [working] : [])].flatMap((stored) => [
      claimed({ tenant, document }, stored),
      { blob: { tenant, document, name: referencesName(stored.name) }, isOptional: true },
    ]),
  storedBytes: ({ blob, working }) => blob.sizeBytes + (working?.sizeBytes ?? 0),
})

const pageFacts = rowKind({
  name: 'page-facts',
  key: [...ofDocument, ['version', 'number']],
  schema: PageFactsRow,
  references: ([tenant, document, version]) => [refersTo('version', tenant, document, version)],
  blobs: ([tenant, document], row) => claimOf({ tenant, document }, row),
})

/** Authorship of what is in a published version, for every layer. */
const publishedAuthorship = rowKind({
  name: 'published-authorship',
  key: [...ofDocument, ['number', 'number']],
  schema: AuthorshipRow,
})

/** Viewer sessions with the password of an encrypted document, by a keyed hash of what they belong to. */
const passwordSessions = rowKind({
  name: 'password-session',
  key: [...ofDocument, ['id', 'text']],
  schema: PasswordSessionRow,
  indexes: ([tenant, document, id], { expiresAt }) => [expiry(expiresAt, 'password-session', tenant, document, id)],
  storedBytes: ({ rowBytes = 0 }) => rowBytes,
})

/** Object numbers that callers have reserved, by a keyed hash of layer and caller. */
const reservedNumbers = rowKind({
  name: 'reserved-numbers',
  key: [...ofDocument, ['id', 'text']],
  schema: ReservedNumbersRow,
  indexes: ([tenant, document, id], { expiresAt }) => [expiry(expiresAt, 'reserved-numbers', tenant, document, id)],
})

/** Bytes that shares and document tokens have stored, by a keyed hash of the credential. */
const storedBy = rowKind({
  name: 'stored-by',
  key: [...ofDocument, ['id', 'text']],
  schema: StoredByRow,
  indexes: ([tenant, document, id], { expiresAt }) =>
    expiresAt === null ? [] : [expiry(expiresAt, 'stored-by', tenant, document, id)],
})

/** Internal ids by public share token. */
const shareIds = rowKind({
  name: 'share-id',
  key: [['id', 'text']],
  schema: SharePointer,
  leadsTo: (_key, { tenant, document, share }) => refersTo('share', tenant, document, share),
})

/** Shares of a tenant; read backwards for newest first. */
const tenantShares = rowKind({
  name: 'tenant-share',
  key: [...ofTenant, ['share', 'text']],
  schema: SharePointer,
  leadsTo: (_key, { tenant, document, share }) => refersTo('share', tenant, document, share),
})

const shares = rowKind({
  name: 'share',
  key: [...ofDocument, ['share', 'text']],
  schema: ShareRow,
  indexes: ([tenant, document, share], { id }) => [
    shareIds.entry([id], { tenant, document, share }),
    tenantShares.entry([tenant, share], { tenant, document, share }),
  ],
  storedBytes: ({ rowBytes = 0 }) => rowBytes,
})

const revocations = rowKind({
  name: 'revocation',
  key: [...ofTenant, ['jti', 'text']],
  schema: RevocationRow,
  indexes: ([tenant, jti], { expiresAt }) => [expiry(expiresAt, 'revocation', tenant, jti)],
})

const usage = rowKind({
  name: 'usage',
  key: [...ofTenant, ['month', 'text'], ['shard', 'number']],
  schema: UsageRow,
})

const storage = rowKind({
  name: 'storage',
  key: [...ofTenant, ['shard', 'number']],
  schema: StorageRow,
})

const views = rowKind({
  name: 'view',
  key: [...ofTenant, ['jti', 'text']],
  schema: ViewRow,
  indexes: ([tenant, jti], { expiresAt }) => [expiry(expiresAt, 'view', tenant, jti)],
})

/** Times of deletions, for the whole deployment: a public id may have belonged to any tenant. */
const retirements = rowKind({ name: 'retirement', key: [['shard', 'number']], schema: RetirementRow })

/** Deletions in flight, by the internal id of the deleted tenant or document. */
const sweeps = rowKind({ name: 'sweep', key: [['subject', 'text']], schema: SweepRow })

export const rowKinds = {
  tenantIds,
  tenants,
  documentIds,
  documents,
  uploadKeys,
  contents,
  versions,
  versionShas,
  pageFacts,
  publishedAuthorship,
  ...layerRowKinds,
  signings,
  imports,
  dueImports,
  ...webhookRowKinds,
  ...readRowKinds,
  passwordSessions,
  reservedNumbers,
  storedBy,
  shares,
  shareIds,
  tenantShares,
  revocations,
  usage,
  storage,
  views,
  expiries,
  retirements,
  sweeps,
} as const

export const allRowKinds: readonly AnyRowKind[] = Object.values(rowKinds)

const kindsByName: ReadonlyMap<unknown, AnyRowKind> = new Map(allRowKinds.map((kind) => [kind.name, kind]))

/** Returns the row kind of a key; undefined for keys that this server never writes. */
export const rowKindOf = (key: Key): AnyRowKind | undefined => kindsByName.get(decodeKey(key)?.[0])
