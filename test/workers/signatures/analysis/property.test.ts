// Properties of the analysis over random later edits. STEWARD_TEST_LONG=1 runs many more of them.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { includesLevel } from '../../../../workers/contract/signatures/protection.js'
import { compareRevisions } from '../../../../workers/signatures/analysis/compare/compare-revisions.js'
import { Reach } from '../../../../workers/signatures/analysis/compare/reach.js'
import { verdictOf } from '../../../../workers/signatures/analysis/outcome/verdict.js'
import { openStrict } from '../../../../workers/strict-reader/open-strict.js'
import { NotStrict } from '../../../../workers/strict-reader/strict-document.js'
import { needs } from '../../../support/pdf/judges.js'
import { qpdfObjects } from '../../../support/pdf/strict-judge.js'
import { isLong, longTimeoutMs, seed } from '../../../support/sample.js'
import { aliases, busyContract, busyEntries } from './support/busy-contract.js'
import { judgePath, restraintsFor } from './support/judge.js'
import { Draft, type LaterEdit, type LaterEditName, laterEdits } from './support/later-edits.js'
import type { RawFile, RawObjects } from './support/raw-file.js'

t.setTimeout(isLong ? longTimeoutMs : 120_000)
const runs = (size: number) => ({ numRuns: isLong ? 100 * size : size, seed })
t.comment(`seed ${seed}`)

const names = Object.keys(laterEdits) as LaterEditName[]
const level = fc.constantFrom('none' as const, 'lta' as const, 'fill' as const, 'annotate' as const)
const chosen = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 5 })
/** Short texts without characters that strings of PDF escape. */
const text = fc.stringMatching(/^[A-Za-z0-9 ]{1,12}$/)

function edited(edits: readonly LaterEditName[], content: string, before: RawObjects = {}): RawFile {
  const file = busyContract(before)
  const draft = new Draft(busyEntries)
  for (const name of edits) file.update({ objects: (laterEdits[name] as LaterEdit).objects(draft, content) })
  return file
}

const path = join(t.testdir(), 'file.pdf')

function judged(file: RawFile, restraints: Parameters<typeof restraintsFor>[0]) {
  writeFileSync(path, file.bytes)
  return judgePath(path, 1, restraints)
}

const isPermittedAt = (name: LaterEditName, level: Parameters<typeof includesLevel>[0]): boolean => {
  const needed = laterEdits[name].level
  return needed !== 'never' && includesLevel(level, needed)
}

t.test('later edits are permitted exactly if each of them is, whatever the others are', async (t) => {
  fc.assert(
    fc.property(chosen, level, fc.boolean(), text, (edits, level, isCertified, content) => {
      const { verdict, findings } = judged(edited(edits, content), { level, isCertified })
      const expected = edits.every((name) => isPermittedAt(name, level)) ? 'permitted' : 'forbidden'
      if (verdict !== expected) throw new Error(`${verdict}, not ${expected}: ${JSON.stringify(findings)}`)
    }),
    runs(30),
  )
  t.pass(`seed ${seed}`)
})

t.test('every kind of edit is refused below its level and permitted from there on', async (t) => {
  for (const name of names) {
    for (const level of ['none', 'lta', 'fill', 'annotate'] as const) {
      const { verdict, findings } = judged(edited([name], 'Text'), { level })
      const expected = isPermittedAt(name, level) ? 'permitted' : 'forbidden'
      t.equal(verdict, expected, `${name} at ${level}: ${verdict === expected ? '' : JSON.stringify(findings)}`)
    }
  }
})

/** Visits and searches everything, as if every object led to a changed one. */
class WholeDocument extends Reach {
  override isIdle(): boolean {
    return false
  }

  override leadingTo() {
    return { has: () => true }
  }
}

t.test('what is not searched would not have changed the answer, also where objects have a second use', async (t) => {
  const used = fc.constantFrom(3, 4, 5, 8, 10, 12, 20, 21, 22, 24, 30, 31, 33, 50, 60, 112, 116, 117, 118, 122, 123)
  const second = fc.record({ alias: fc.constantFrom(...aliases), number: used })
  fc.assert(
    fc.property(chosen, level, fc.array(second, { maxLength: 3 }), (edits, level, uses) => {
      const before = Object.assign({}, ...uses.map(({ alias, number }) => alias(number)))
      writeFileSync(path, edited(edits, 'Text', before).bytes)
      const document = openStrict(path)
      try {
        const [since, until] = [document.revisions[1], document.revisions.at(-1)]
        if (since === undefined || until === undefined) throw new Error('No such revision')
        const answers = [Reach, WholeDocument].map(
          (reach) => compareRevisions(document, since, until, restraintsFor({ level }), reach).findings,
        )
        t.same(answers[0], answers[1], JSON.stringify({ edits, level, before }))
      } finally {
        document.close()
      }
    }),
    runs(30),
  )
})

t.test(
  'a damaged file with a forbidden edit is not permitted unless the damage undid the edit',
  needs('qpdf'),
  async (t) => {
    const file = edited(['comment', 'replaceText', 'fillAmount'], 'Another text')
    const signedEnd = busyContract().bytes.length
    writeFileSync(path, busyContract().bytes)
    const signedText = JSON.stringify(qpdfObjects(path)?.objects['obj:4 0 R'])
    const damage = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255), cut: fc.nat(2) })
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 3 }), (damages) => {
        let bytes = file.bytes
        for (const { at, byte, cut } of damages) {
          const place = signedEnd + Math.floor(at * (bytes.length - signedEnd))
          bytes = Buffer.concat([bytes.subarray(0, place), Buffer.from([byte]), bytes.subarray(place + cut)])
        }
        writeFileSync(path, bytes)
        const verdict = verdictAt(path)
        if (verdict !== 'permitted' && verdict !== 'unchanged') return
        t.equal(JSON.stringify(qpdfObjects(path)?.objects['obj:4 0 R']), signedText, 'qpdf shows what was signed')
      }),
      runs(100),
    )
  },
)

function verdictAt(path: string) {
  try {
    const document = openStrict(path)
    try {
      const [since, until] = [document.revisions[1], document.revisions.at(-1)]
      if (since === undefined || until === undefined) return 'refused'
      return verdictOf(compareRevisions(document, since, until, restraintsFor({})).findings)
    } finally {
      document.close()
    }
  } catch (error) {
    if (error instanceof NotStrict) return 'refused'
    throw error
  }
}
