// Keyed hash of a change, independent of the order of members and of file keys. The same opId with another hash is a
// different change.

import { canonicalJson } from '../http/canonical-json.js'
import type { Resources } from '../operation/operation.js'
import type { Sealing } from '../rows/sealing.js'
import type { ChangeWork } from './change-types.js'
import { withKeysReplaced } from './resource-keys.js'

export function requestHashOf(work: ChangeWork, resources: Resources, sealing: Sealing): string {
  const named =
    work.kind === 'undo'
      ? { undoOf: work.undoOf, ...(work.auditId !== undefined && { auditId: work.auditId }) }
      : { ops: work.ops.map((op) => withKeysReplaced(op, (key) => resources[key]?.sha256 ?? `missing ${key}`)) }
  return sealing.fingerprint(canonicalJson(named))
}
