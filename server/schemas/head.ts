// Wire schemas of a document's head, manifest and versions.
import { Type } from 'typebox'
import { behindReasons, MergeConflicts } from '../../workers/contract/merge-conflict.js'
import { PageRef } from '../../workers/contract/page-ref.js'
import { DocumentProtection } from '../../workers/contract/signatures/protection.js'
import { documentStates } from '../rows/document.js'
import { DocId, Nullable, Sha256 } from './ids.js'

const Count = Type.Integer({ minimum: 0 })
const Pin = Type.Integer({ minimum: 1 })

export const DocumentHead = Type.Object({
  id: DocId,
  baseSha: Sha256,
  storageSizeBytes: Count,
  docVersion: Pin,
  state: Type.Enum(documentStates),
  encryption: Type.Object({
    state: Type.Enum(['unknown', 'none', 'encrypted', 'unsupported']),
    requiresPassword: Nullable(Type.Boolean()),
  }),
  permissions: Type.Object({
    known: Type.Boolean(),
    bits: Nullable(Count),
    allAllowed: Nullable(Type.Boolean()),
    openedAs: Nullable(Type.Enum(['none', 'user', 'owner'])),
    securityHandlerRevision: Nullable(Type.Integer()),
    canUpgradeToOwner: Type.Boolean(),
  }),
  access: Type.Object({
    required: Type.Boolean(),
    reasons: Type.Array(Type.Enum(['password', 'cdn', 'permissions-unknown'])),
    endpoint: Type.Optional(Type.String()),
  }),
})

export const CachePins = Type.Object({ contentVersion: Pin, annotationVersion: Pin, widgetVersion: Pin })

const Scope = Type.Enum(['base', 'layer'])

export const Manifest = Type.Object({
  docVersion: Pin,
  layoutVersion: Pin,
  metadataVersion: Pin,
  actionsVersion: Pin,
  attachmentsVersion: Pin,
  annotationsVersion: Pin,
  formsVersion: Pin,
  /** Audit id at which the manifest is exact. */
  auditHead: Count,
  baseSha: Sha256,
  layerVersion: Count,
  working: Type.Boolean(),
  baseByteLength: Count,
  scopes: Type.Object({
    content: Scope,
    annotations: Scope,
    forms: Scope,
    layout: Scope,
    attachments: Scope,
    metadata: Scope,
    actions: Scope,
  }),
  protection: Nullable(DocumentProtection),
  merge: Type.Union(
    [
      Type.Object({
        state: Type.Enum(['merged', 'behind'], {
          description: '`behind`: the edits cannot be merged, and the layer stays over its version',
        }),
        reason: Type.Union([Type.Enum(behindReasons), Type.Null()], { description: 'Why it stays over its version' }),
        auditId: Type.Union([Count, Type.Null()], {
          description:
            'Audit id of the stored merge; null until the next change stores it. Of a layer that is `behind` because of a redaction: the first change that may contain what was redacted; null if an older server stored it',
        }),
        ...MergeConflicts.properties,
      }),
      Type.Null(),
    ],
    {
      description:
        'How the pending edits of the layer were merged with the newest version; null if none are older than it',
    },
  ),
  /** Pages in display order. */
  pages: Type.Array(Type.Object({ page: PageRef, cache: CachePins })),
})

export const DocumentVersion = Type.Object({
  sha256: Sha256,
  byteLength: Count,
  number: Type.Integer({ minimum: 1 }),
  parentSha256: Nullable(Sha256),
  producer: Type.Enum(['upload', 'signature']),
  signingId: Nullable(Type.String()),
  /** Milliseconds since 1970. */
  createdAt: Type.Integer(),
})

/** Versions, oldest first. */
export const DocumentVersions = Type.Object({ head: Sha256, versions: Type.Array(DocumentVersion) })
