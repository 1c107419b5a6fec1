// Derives the verdict from findings.
import type { ChangeVerdict, Finding } from '../../../contract/signatures/change-analysis.js'

export function verdictOf(findings: readonly Finding[]): ChangeVerdict {
  const has = (verdict: Finding['verdict']) => findings.some((finding) => finding.verdict === verdict)
  if (has('forbidden')) return 'forbidden'
  if (has('incomplete')) return 'indeterminate'
  // A new file identifier alone changes no object.
  return findings.some(({ rule }) => rule !== 'file-identifier') ? 'permitted' : 'unchanged'
}
