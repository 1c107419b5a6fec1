// Analyses what changed between two revisions of a file, and whether the signatures up to the first one permit it.
import type { ChangeAnalysis } from '../../contract/signatures/change-analysis.js'
import { policyVersion } from '../../contract/signatures/policy-version.js'
import type { ProtectionLevel } from '../../contract/signatures/protection.js'
import type { SignatureSnapshot } from '../../contract/signatures/signature-snapshot.js'
import { NotStrict, type StrictDocument, type StrictRevision } from '../../strict-reader/strict-document.js'
import { NoSuchRevision } from './analysis-error.js'
import { analysisLimits } from './analysis-limits.js'
import { AnalysisMemory } from './analysis-memory.js'
import { type ComparisonResult, compareRevisions } from './compare/compare-revisions.js'
import { Findings } from './outcome/findings.js'
import { verdictOf } from './outcome/verdict.js'
import type { LimitationName } from './policy/refusals.js'
import { restraintsOf, restrictionsOf } from './restraints.js'

export interface AnalysisRequest {
  readonly document: StrictDocument
  /** Index of a signature in the last revision, or of a revision. */
  readonly since: { readonly signature: number } | { readonly revision: number }
  /** Index of a revision; default: the last one. */
  readonly until?: number
  /** Level to judge at in place of the document's own: the result is then no verdict on the document. */
  readonly level?: ProtectionLevel
  /** Detail of the findings; `summary` (default) leaves out permitted changes. */
  readonly detail?: 'summary' | 'full'
}

/** Result without `basis`, which the caller adds: the version and the number of edits that were read. */
export type AnalysedChanges = Omit<ChangeAnalysis, 'basis'>

/** `memory`: of the same file, for several analyses. Throws `NoSuchRevision`. */
export function analyseChanges(
  request: AnalysisRequest,
  memory = new AnalysisMemory(request.document),
): AnalysedChanges {
  const { document, level } = request
  const { revisions } = document
  const until = revisionAt(revisions, request.until ?? revisions.length - 1)
  if ('revision' in request.since) refuseOrder(revisionAt(revisions, request.since.revision), until)
  try {
    const last = memory.snapshotAt(revisions.length - 1)
    const start = startOf(request, last)
    if (start.revision === undefined) return undecidedAnalysis(request, 'unlocated-signature')
    const since = revisionAt(revisions, start.revision)
    refuseOrder(since, until)
    const earlier = memory.snapshotAt(since.index)
    const restraints = restraintsOf(earlier, level)
    const net = compareRevisions(document, since, until, restraints)
    // A forbidden change that was undone later is still part of what intermediate signatures cover.
    const signed = verdictOf(net.findings) === 'forbidden' ? [] : signedBetween(last, since, until)
    const ends = signed.map((revision) => revisionAt(revisions, revision))
    // Of many, each step is judged in place of every state: two steps that are permitted lead nowhere else but back.
    const replayed =
      ends.length > analysisLimits.replayedRevisionsMax && level === undefined
        ? ends.map((end, place) => ({ revision: end.index, compared: memory.stepFrom(ends[place - 1] ?? since, end) }))
        : ends
            .slice(0, analysisLimits.replayedRevisionsMax)
            .map((end) => ({ revision: end.index, compared: compareRevisions(document, since, end, restraints) }))
    const all = replayed.length === 0 ? net : joinFindings(net, replayed, signed.length > replayed.length)
    return {
      ...headOf(request),
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
  } catch (error) {
    if (!(error instanceof NotStrict)) throw error
    return undecidedAnalysis(request, 'unreadable-file', error.message)
  }
}

/** Returns the indeterminate result for a file or signature that cannot be read with certainty. */
export function undecidedAnalysis(
  request: Omit<AnalysisRequest, 'document'> & { readonly document?: StrictDocument },
  rule: LimitationName,
  detail?: string,
): AnalysedChanges {
  const { since, until, document } = request
  const findings = new Findings()
  findings.leaveOpen(rule, { holder: 0, path: '' }, detail)
  const revisionIndex = 'revision' in since ? since.revision : 0
  const end = until ?? (document === undefined ? revisionIndex : document.revisions.length - 1)
  return {
    ...headOf(request),
    since: { revisionIndex, signatureIndex: 'signature' in since ? since.signature : null },
    until: { revisionIndex: end },
    restrictions: [],
    ...outcome({ findings: findings.all, isComplete: false, undone: [] }, request, false),
    later: { revisionCount: Math.max(0, end - revisionIndex), undoneObjectNumbers: [] },
    steps: [],
  }
}

const headOf = ({ level }: Pick<AnalysisRequest, 'level'>) => ({
  mode: level === undefined ? ('authoritative' as const) : ('exploratory' as const),
  policyVersion,
})

function refuseOrder(since: StrictRevision, until: StrictRevision): void {
  if (since.index > until.index) throw new NoSuchRevision(`Revision ${until.index} is before ${since.index}`, 'order')
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

const signedBetween = ({ revisions }: SignatureSnapshot, since: StrictRevision, until: StrictRevision): number[] =>
  revisions
    .filter(({ index, signatureIndex }) => index > since.index && index < until.index && signatureIndex !== null)
    .map(({ index }) => index)

/** Adds the findings of intermediate revisions, except permitted changes, which are those of the net state. */
function joinFindings(
  net: ComparisonResult,
  replayed: readonly { readonly revision: number; readonly compared: ComparisonResult }[],
  isCut: boolean,
): ComparisonResult {
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

const isWhole = ({ isComplete }: ComparisonResult): boolean => isComplete

function outcome(compared: ComparisonResult, { detail }: Pick<AnalysisRequest, 'detail'>, isReplayed: boolean) {
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
