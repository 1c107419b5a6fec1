// Judges the last revision of a file against an earlier one.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { Finding } from '../../../../../workers/contract/signatures/change-analysis.js'
import { compareRevisions } from '../../../../../workers/signatures/analysis/compare/compare-revisions.js'
import type { Restraints } from '../../../../../workers/signatures/analysis/compare/comparison.js'
import { verdictOf } from '../../../../../workers/signatures/analysis/outcome/verdict.js'
import { openStrict } from '../../../../../workers/strict-reader/open-strict.js'
import { signedContract } from './contract.js'
import type { RawFile, RawObjects, RawUpdate } from './raw-file.js'

export interface Case {
  /** Objects of the signed revision in place of the common ones. */
  readonly before?: RawObjects
  readonly trailer?: string
  readonly updates: readonly RawUpdate[]
  readonly restraints?: Partial<Restraints>
}

let count = 0

export function judge(t: Test, { before, trailer, updates, restraints }: Case, since = 1) {
  const file = signedContract(before, trailer)
  for (const update of updates) file.update(update)
  return judgeFile(t, file, since, restraints)
}

export function judgeFile(t: Test, file: RawFile, since: number, restraints: Partial<Restraints> = {}) {
  const folder = t.testdir()
  const path = join(folder, `${count++}.pdf`)
  writeFileSync(path, file.bytes)
  return judgePath(path, since, restraints)
}

export function judgePath(path: string, since: number, restraints: Partial<Restraints> = {}) {
  const document = openStrict(path)
  try {
    const [earlier, later] = [document.revisions[since], document.revisions[document.revisions.length - 1]]
    if (earlier === undefined || later === undefined) throw new Error('No such revision')
    const compared = compareRevisions(document, earlier, later, restraintsFor(restraints))
    return { verdict: verdictOf(compared.findings), findings: compared.findings, undone: compared.undone }
  } finally {
    document.close()
  }
}

export const restraintsFor = (restraints: Partial<Restraints>): Restraints => ({
  level: 'annotate',
  isCertified: false,
  isSigned: true,
  locks: [],
  ...restraints,
})

export const refusedBy = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ verdict }) => verdict === 'forbidden').map(({ rule }) => rule)
