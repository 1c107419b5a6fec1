// Renders the answers for people: a table, and below it a reason for everything that is not plainly good. No line joins
// the three answers: a signature can be intact but made by a stranger, or trusted in a document that was changed since.
import { columns, countOf, visible } from '../../render/text.js'
import type { Verified, VerifiedSignature } from './verified.js'

export function answersText({ chainValid, chainProblem, signatures }: Verified): string {
  if (!chainValid) return `Nothing is certain about signatures in the file${problemText(chainProblem)}.`
  if (signatures.length === 0) return 'No signatures.'
  const rows = signatures.map(({ signature, verification, permission }) => [
    visible(signature.fieldName),
    verification.integrity.verdict,
    permission.verdict,
    verification.trust.verdict,
    visible(verification.signer?.subject ?? 'unknown signer'),
  ])
  const table = columns([['FIELD', 'INTEGRITY', 'PERMISSION', 'TRUST', 'SIGNER'], ...rows])
  return [table, ...signatures.map(remarks).filter((text) => text !== '')].join('\n\n')
}

function problemText(problem: Verified['chainProblem']): string {
  if (problem === null) return ', because its structure is damaged or ambiguous'
  const { reason, offset } = problem
  return `: ${visible(reason)}${offset === null ? '' : ` (byte ${offset})`}`
}

function remarks({ signature, verification, permission }: VerifiedSignature): string {
  const { integrity, trust, time, revocation } = verification
  const [first] = permission.current.findings
  const finding = permission.current.primary ?? first
  const isPlain = permission.verdict === 'unchanged' || permission.verdict === 'permitted'
  const later = permission.later.revisionCount
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Integrity', integrity.reason ?? undefined],
    ['Permission', isPlain ? laterText(later) : findingText(finding)],
    ['Trust', trust.reason ?? undefined],
    ['Time', time.at === null ? 'unknown' : `${time.at}, ${certainties[time.certainty]}`],
    ['Timestamp', timestampText(time)],
    ['Revocation', `${revocation.verdict}${revocation.reason === null ? '' : `: ${revocation.reason}`}`],
  ]
  const lines = rows.flatMap(([name, text]) => (text === undefined ? [] : [[name, visible(text)]]))
  return `${visible(signature.fieldName)}\n${columns(lines, '  ')}`
}

const certainties = { proven: 'proven', claimed: 'claimed', none: 'unknown' } as const

function timestampText({ timestamp, authority }: VerifiedSignature['verification']['time']): string | undefined {
  if (timestamp === null) return undefined
  const { at, signer, reason } = timestamp
  return `${at} by ${signer}, ${authority}${reason === null ? '' : `: ${reason}`}`
}

const laterText = (count: number): string | undefined =>
  count === 0 ? undefined : `${countOf(count, 'later revision')}, ${count === 1 ? '' : 'all '}permitted`

function findingText(finding: VerifiedSignature['permission']['current']['primary']): string {
  if (finding === undefined) return 'Not every later change could be judged'
  const place = `object ${finding.objectNumber}${finding.edge === undefined ? '' : ` ${finding.edge}`}`
  return `${finding.rule}, ${place}${finding.detail === undefined ? '' : `: ${finding.detail}`}`
}
