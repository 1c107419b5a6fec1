// Redactions, after which stored responses and older versions contain what a layer, or the document, no longer shows.
import type { Deployment } from '../operation/deployment.js'
import type { LayerRow } from '../rows/layer.js'
import type { VersionRow } from '../rows/version.js'
import type { Owner } from '../storage/large-values.js'

type Tables = Deployment['tables']

/**
 * Returns the audit id up to which answers and payloads of a layer are withheld, because they may have what was redacted
 * from what it shows; infinity = all, until the next change stores the merge that reads show over a redacted version.
 */
export async function withheldUntil(
  tables: Tables,
  owner: Owner,
  { layer, headVersion }: { readonly layer: LayerRow | undefined; readonly headVersion: number },
): Promise<number> {
  if (layer === undefined) return 0
  const isMerged = layer.privateBase === null && layer.version < headVersion && mayPass(layer)
  if (isMerged && layer.version <= (await redactedUntil(tables, owner, headVersion))) return Number.POSITIVE_INFINITY
  return layer.withheldUntil
}

/** True if no pending edit keeps the layer from being merged over a redaction. */
export const mayPass = ({ carriedSince, overlay }: LayerRow): boolean => carriedSince === null || overlay.objects === 0

/** Returns the number up to which versions contain what was redacted from this one; 0 = none. */
export async function redactedUntil(tables: Tables, owner: Owner, number: number): Promise<number> {
  for (let current = number; current > 1; current--) {
    const row = await tables.versions.get([owner.tenant, owner.document, current])
    if (row?.redactedUntil !== undefined) return row.redactedUntil
    if (row !== undefined && (await comesFromRedaction(tables, owner, row))) return current - 1
  }
  return 0
}

/**
 * True if the version, which does not say so itself, was signed in a redacted layer: then the file that was signed was
 * not the version before it.
 */
async function comesFromRedaction(
  tables: Tables,
  { tenant, document }: Owner,
  { signingId, parentSha256 }: VersionRow,
): Promise<boolean> {
  const signing = signingId === null ? undefined : await tables.signings.get([tenant, document, signingId])
  return signing !== undefined && signing.expectedVersion.baseSha256 !== parentSha256
}
