// What several analyses of one file share: its signatures as of each revision, and what changed from one signed revision to the next.
import type { SignatureSnapshot } from '../../contract/signatures/signature-snapshot.js'
import type { StrictDocument, StrictRevision } from '../../strict-reader/strict-document.js'
import { signatureSnapshot } from '../reading/snapshot.js'
import { documentAsOf } from './as-of.js'
import { type ComparisonResult, compareRevisions } from './compare/compare-revisions.js'
import { restraintsOf } from './restraints.js'

export class AnalysisMemory {
  readonly #snapshots = new Map<number, SignatureSnapshot>()
  readonly #steps = new Map<number, ComparisonResult>()

  constructor(readonly document: StrictDocument) {}

  /** Returns the signatures of the file as of a revision. Throws `NotStrict`. */
  snapshotAt(revision: number): SignatureSnapshot {
    const known = this.#snapshots.get(revision)
    if (known !== undefined) return known
    const snapshot = signatureSnapshot(documentAsOf(this.document, revision))
    this.#snapshots.set(revision, snapshot)
    return snapshot
  }

  /** Compares a signed revision with the next one, under the restraints of all signatures up to it, which only grow. */
  stepFrom(since: StrictRevision, until: StrictRevision): ComparisonResult {
    const known = this.#steps.get(since.index)
    if (known !== undefined) return known
    const restraints = restraintsOf(this.snapshotAt(since.index), undefined)
    const step = compareRevisions(this.document, since, until, restraints)
    this.#steps.set(since.index, step)
    return step
  }
}
