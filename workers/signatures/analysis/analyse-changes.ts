// What changed between two revisions of a file, and whether the signatures up to the first one permit it.
import type { ChangeAnalysis } from '../../contract/signatures/change-analysis.js'
import type { ProtectionLevel } from '../../contract/signatures/protection.js'
import type { SignatureSnapshot } from '../../contract/signatures/signature-snapshot.js'
import type { StrictDocument, StrictRevision } from '../../strict-reader/strict-document.js'
import { NoSuchRevision } from './analysis-error.js'
import { analysisLimits } from './analysis-limits.js'
import { type Compared, compareRevisions } from './compare/compare-revisions.js'
import { Findings } from './outcome/findings.js'
import { verdictOf } from './outcome/verdict.js'
import { restraintsOf, restrictionsOf } from './restraints.js'

export interface AnalysisRequest {
  readonly document: StrictDocument
  /** Signature by its index in the last revision; or revision. */
  readonly since: { readonly signature: number } | { readonly revision: number }
  /** Revision; default: the last one. */
  readonly until?: number
  /** Level to judge at in place of the document's own: the result is then no verdict on the document. */
  readonly level?: ProtectionLevel
  /** `summary` (default) leaves out findings of permitted changes. */
  readonly detail?: 'summary' | 'full'
  /** Signatures as they are in a revision of the document. */
  readonly snapshotAt: (revision: number) => SignatureSnapshot
}

/** The answer without what the caller knows: which version and how many edits were read. */
export type AnalysedChanges = Omit<ChangeAnalysis, 'basis' | 'policyVersion'>

/** Throws `NoSuchRevision`. */
export function analyseChanges(request: AnalysisRequest): AnalysedChanges {
  const { document, level, snapshotAt } = request
  const { revisions } = document
  const last = snapshotAt(revisions.length - 1)
  const until = revisionAt(revisions, request.until ?? revisions.length - 1)
  const start = startOf(request, last)
  if (start.revision === undefined) return unlocated(request, until)
  const since = revisionAt(revisions, start.revision)
  if (since.index > until.index) throw new NoSuchRevision(`Revision ${until.index} is before ${since.index}`, 'order')
  const earlier = snapshotAt(since.index)
  const restraints = restraintsOf(earlier, level)
  const net = compareRevisions(document, since, until, restraints)
  const verdict = verdictOf(net.findings)
  // What was forbidden and put back is in the signed bytes of whoever signed in between.
  const signed = verdict === 'forbidden' ? [] : signedBetween(last, since, until)
  const replayed = signed.slice(0, analysisLimits.replayedRevisionsMax).map((revision) => ({
    revision,
    compared: compareRevisions(document, since, revisionAt(revisions, revision), restraints),
  }))
  const all = replayed.length === 0 ? net : joined(net, replayed, signed.length > replayed.length)
  return {
    mode: level === undefined ? 'authoritative' : 'exploratory',
    since: { revisionIndex: since.index, signatureIndex: start.signature },
    until: { revisionIndex: until.index },
    restrictions: restrictionsOf(
      earlier,
      start.signature,
      (fieldName) => last.signatures.find((signature) => signature.fieldName === fieldName)?.index,
    ),
    ...outcome(all, request, replayed.length > 0),
    later: { revisionCount: until.index - since.index, undoneObjectNumbers: [...net.undone] },
    steps: [],
  }
}

function startOf({ since }: AnalysisRequest, { signatures, revisions }: SignatureSnapshot) {
  if ('revision' in since) {
    return { revision: since.revision, signature: revisions[since.revision]?.signatureIndex ?? null }
  }
  const signature = signatures[since.signature]
  if (signature === undefined || !signature.signed) {
    throw new NoSuchRevision(`The document has no signature ${since.signature}`, 'absent')
  }
  const isLocated = signature.coverage === 'whole-revision' && signature.revisionIndex !== null
  return { revision: isLocated ? (signature.revisionIndex ?? undefined) : undefined, signature: since.signature }
}

function revisionAt(revisions: readonly StrictRevision[], index: number): StrictRevision {
  const revision = revisions[index]
  if (revision === undefined) throw new NoSuchRevision(`The document has no revision ${index}`, 'absent')
  return revision
}

/** A signature that does not cover a revision leaves open what it was made on. */
function unlocated(request: AnalysisRequest, until: StrictRevision): AnalysedChanges {
  const findings = new Findings()
  findings.leaveOpen('unlocated-signature', { holder: 0, path: '' })
  const signatureIndex = 'signature' in request.since ? request.since.signature : null
  return {
    mode: request.level === undefined ? 'authoritative' : 'exploratory',
    since: { revisionIndex: 0, signatureIndex },
    until: { revisionIndex: until.index },
    restrictions: [],
    ...outcome({ findings: findings.all, isComplete: false, undone: [] }, request, false),
    later: { revisionCount: until.index, undoneObjectNumbers: [] },
    steps: [],
  }
}

const signedBetween = ({ revisions }: SignatureSnapshot, since: StrictRevision, until: StrictRevision): number[] =>
  revisions
    .filter(({ index, signatureIndex }) => index > since.index && index < until.index && signatureIndex !== null)
    .map(({ index }) => index)

/** Adds what intermediate revisions were judged as; permitted changes are those of the net state. */
function joined(
  net: Compared,
  replayed: readonly { readonly revision: number; readonly compared: Compared }[],
  isCut: boolean,
): Compared {
  const findings = new Findings()
  for (const finding of net.findings) findings.add(finding)
  for (const { revision, compared } of replayed) {
    for (const finding of compared.findings) {
      const remark = `In revision ${revision}${finding.detail === undefined ? '' : `: ${finding.detail}`}`
      if (finding.verdict !== 'permitted') findings.add({ ...finding, detail: remark })
    }
  }
  if (isCut) findings.leaveOpen('too-many-revisions', { holder: 0, path: '' })
  const isComplete = !isCut && !findings.isCut && [net, ...replayed.map(({ compared }) => compared)].every(isWhole)
  return { findings: findings.all, isComplete, undone: net.undone }
}

const isWhole = ({ isComplete }: Compared): boolean => isComplete

function outcome(compared: Compared, { detail }: AnalysisRequest, isReplayed: boolean) {
  const { findings, isComplete } = compared
  const verdict = verdictOf(findings)
  const [primary] = findings
  const shown = detail === 'full' ? findings : findings.filter((finding) => finding.verdict !== 'permitted')
  return {
    current: {
      verdict,
      complete: isComplete,
      ...(primary !== undefined && { primary }),
      findings: [...shown],
      method: isReplayed ? ('net-state+replay' as const) : ('net-state' as const),
    },
    verdict,
  }
}
