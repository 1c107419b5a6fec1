// `doc.signatures.analysis` and `doc.versions.analysis`: send what changed after a signature or revision, and whether
// it was permitted.
import type { ChangeAnalysis } from '../../workers/contract/signatures/change-analysis.js'
import { policyVersion } from '../../workers/contract/signatures/policy-version.js'
import type { ProtectionLevel } from '../../workers/contract/signatures/protection.js'
import type { PdfSource } from '../../workers/messages/task.js'
import { cached } from '../documents/read.js'
import { withReferences } from '../documents/stored-references.js'
import { withVersion } from '../documents/version-source.js'
import { withEditedSource } from '../documents/view.js'
import { type DocumentContext, ReadyJson } from '../operation/operation.js'
import { notFound, Refusal } from '../refusals/refusal.js'
import type { StoredBlob } from '../rows/version.js'

export interface AnalysisQuery {
  readonly 'since.signature'?: number
  readonly 'since.revision'?: number
  readonly level?: ProtectionLevel
  readonly detail?: 'summary' | 'full'
}

export interface VersionAnalysisQuery extends AnalysisQuery {
  readonly until?: number
  readonly policy?: number
}

/** Sends the analysis of a layer, whose edits are the last revision, as in its download. Throws `LayerMoved`. */
export async function sendLayerAnalysis(query: AnalysisQuery, context: DocumentContext): Promise<ReadyJson> {
  const since = sinceOf(query)
  const editsVersion = context.layer?.editsVersion ?? 0
  const { bytes, etag } = await cached(
    context,
    { pins: ['docVersion'], parts: ['analysis', editsVersion, ...partsOf(query)] },
    (view) =>
      withEditedSource(view, context, (source) => {
        const version = { sha256: view.base.sha256, byteLength: view.base.sizeBytes }
        const basis = { version, editsVersion, source: 'persisted' } as const
        // A private base is the work of a redaction, and has no signatures.
        const blob = view.version === 0 ? undefined : { name: view.blob, sizeBytes: view.sizeBytes }
        return analysisOf(context, { source, blob, query, since, basis })
      }),
  )
  return new ReadyJson(bytes, etag)
}

/**
 * Sends a response that is the same for every layer and caller. Throws `NotFound` for a policy of another server
 * version: responses are cached without expiry under the policy number, so they must be those of that policy.
 */
export function sendVersionAnalysis(
  sha: string,
  query: VersionAnalysisQuery,
  context: DocumentContext,
): Promise<ReadyJson> {
  const since = sinceOf(query)
  if (query.policy !== undefined && query.policy !== policyVersion) throw notFound('policy')
  return withVersion(sha, context, async (source, blob) => {
    const { sha256, sizeBytes } = blob
    const basis = { version: { sha256, byteLength: sizeBytes }, editsVersion: 0, source: 'persisted' } as const
    const parts = ['analysis', ...partsOf(query), query.until ?? 'last']
    const { bytes, etag } = await context.deployment.caches.answers.get(
      { scope: [source.key], parts, account: '' },
      () => analysisOf(context, { source, blob, query, since, basis }),
    )
    return new ReadyJson(bytes, etag)
  })
}

interface AnalysisInput {
  readonly source: PdfSource
  /** Blob that the source is opened from, if it belongs to a version. */
  readonly blob: Pick<StoredBlob, 'name' | 'sizeBytes'> | undefined
  readonly query: VersionAnalysisQuery
  readonly since: Since
  readonly basis: ChangeAnalysis['basis']
}

type Since = { readonly signature: number } | { readonly revision: number }

async function analysisOf(context: DocumentContext, { source, blob, query, since, basis }: AnalysisInput) {
  const { deployment, tenant, document } = context
  const { level, detail, until } = query
  const analysed = async (referencesPath?: string) => {
    const { bytes } = await deployment.workers.runJson('analysis', {
      source,
      since,
      basis,
      ...(referencesPath !== undefined && { referencesPath }),
      ...(level !== undefined && { level }),
      ...(detail !== undefined && { detail }),
      ...(until !== undefined && { until }),
    })
    return { contentType: 'application/json; charset=utf-8', bytes }
  }
  // References of a document that needs a password are not stored, because they would be stored in the clear.
  if (blob === undefined || document.row.encryption?.requiresPassword === true) return analysed()
  const file = { tenant: tenant.internal, document: document.internal, ...blob }
  return withReferences(context, file, analysed)
}

/** Throws `InvalidArg` unless the query has exactly one start. */
function sinceOf({ 'since.signature': signature, 'since.revision': revision }: AnalysisQuery): Since {
  if (signature !== undefined && revision === undefined) return { signature }
  if (revision !== undefined && signature === undefined) return { revision }
  throw new Refusal('InvalidArg', 'The query must have exactly one of since.signature and since.revision')
}

/**
 * Returns the parts of the cache key. The policy is among them, so that an answer by an older one is not confirmed
 * after an upgrade.
 */
const partsOf = (query: AnalysisQuery): readonly (string | number)[] => [
  `policy ${policyVersion}`,
  `signature ${query['since.signature'] ?? '-'}`,
  `revision ${query['since.revision'] ?? '-'}`,
  query.level ?? '-',
  query.detail ?? 'summary',
]
