// Compares two revisions under given restraints: finds the changed objects and their uses, and judges each use.
import type { Finding } from '../../../contract/signatures/change-analysis.js'
import { NotStrict, type StrictDocument, type StrictRevision } from '../../../strict-reader/strict-document.js'
import { nameOf, ofKind } from '../../../strict-reader/values-of.js'
import { Findings } from '../outcome/findings.js'
import { judgeTrailer } from '../roles/trailer.js'
import { type ChangedObject, changedObjects } from './changed-objects.js'
import { Comparison, type Restraints } from './comparison.js'
import { searchLooseEnds } from './loose-ends.js'
import { Reach } from './reach.js'
import { entryOf } from './slot.js'
import { leaveUnlistedOpen } from './unlisted-bytes.js'

export interface Compared {
  readonly findings: readonly Finding[]
  /** False if findings were cut, or something could not be judged. */
  readonly isComplete: boolean
  readonly undone: readonly number[]
}

export function compareRevisions(
  document: StrictDocument,
  since: StrictRevision,
  until: StrictRevision,
  restraints: Restraints,
  ReachOf: typeof Reach = Reach,
): Compared {
  try {
    const { changes, undone, listed } = changedObjects(document, since, until)
    const reach = changes.size === 0 ? undefined : new ReachOf(since, until, changes, listed)
    const comparison = new Comparison(document, since, until, changes, restraints, reach)
    const { findings } = comparison
    if (restraints.level === 'none') {
      for (const holder of changes.keys()) findings.refuse('nothing-permitted', { holder, path: '' })
    }
    leaveUnlistedOpen(comparison)
    for (const change of changes.values()) judgeNumber(comparison, change)
    judgeTrailer(comparison)
    if (reach !== undefined) {
      searchLooseEnds(comparison, reach)
      for (const change of changes.values()) judgeRest(comparison, change)
    }
    return { findings: findings.all, isComplete: !findings.isCut && !findings.has('incomplete'), undone }
  } catch (error) {
    if (!(error instanceof NotStrict)) throw error
    const findings = new Findings()
    findings.leaveOpen('unreadable-file', { holder: 0, path: '' }, error.message)
    return { findings: findings.all, isComplete: false, undone: [] }
  }
}

/** Judges faults of a changed object that do not depend on its use. */
function judgeNumber({ findings }: Comparison, { number, kind, before, isRenumbered }: ChangedObject): void {
  const place = { holder: number, path: '' }
  if (isRenumbered) findings.refuse('generation-changed', place)
  const isContainer = nameOf(entryOf(ofKind(before, 'stream'), 'Type')) === 'ObjStm'
  if (isContainer && kind !== 'added') findings.refuse('object-stream-replaced', place)
}

/** Judges changed objects that no walk has judged. They are harmless if nothing leads to them. */
function judgeRest(comparison: Comparison, { number }: ChangedObject): void {
  if (comparison.findings.isAbout(number)) return
  const place = { holder: number, path: '' }
  if (comparison.roles.has(number)) comparison.findings.refuse('no-rule', place)
  else comparison.allow('unreferenced-object', place)
}
