// The versions that a caller may be given: none from before a redaction whose result they are shown.
import { holds } from '../auth/document-scope.js'
import { redactedUntil } from '../layers/redacted.js'
import { permissionBitsIn } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'

/** Returns the number of the oldest version that the caller may be given; infinity = none. */
export async function oldestVersionFor(context: DocumentContext): Promise<number> {
  const { caller, layer, deployment, tenant, document } = context
  if (caller.kind !== 'document' || holds(caller.scope, 'doc.unredacted', permissionBitsIn(context))) return 1
  if (layer?.privateBase) return Number.POSITIVE_INFINITY
  const owner = { tenant: tenant.internal, document: document.internal }
  return 1 + (await redactedUntil(deployment.tables, owner, shownVersion(context)))
}

/**
 * Returns the number of the version that the layer shows. A layer that is locked for this request counts as moved,
 * because it is for whoever has the password.
 */
const shownVersion = ({ layer, behind, document }: DocumentContext): number =>
  layer === undefined || behind === undefined ? document.row.headVersion : layer.version
