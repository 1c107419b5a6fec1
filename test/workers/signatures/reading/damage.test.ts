// Random damage to signed files: it is noticed, and the strict reader reads nothing that qpdf reads differently.
// STEWARD_TEST_LONG=1 runs many more cases.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { signatureSnapshot } from '../../../../workers/signatures/reading/snapshot.js'
import { noTrustRoots } from '../../../../workers/signatures/trust/trust-roots.js'
import { verificationOf } from '../../../../workers/signatures/trust/verification-of.js'
import { openStrict } from '../../../../workers/strict-reader/open-strict.js'
import { NotStrict } from '../../../../workers/strict-reader/strict-document.js'
import { needs } from '../../../support/pdf/judges.js'
import { docMdp, signedPdf, withRevision } from '../../../support/pdf/signed-pdf.js'
import { disagreements, qpdfObjects } from '../../../support/pdf/strict-judge.js'
import { isLong, longTimeoutMs, seed } from '../../../support/sample.js'

t.setTimeout(isLong ? longTimeoutMs : 120_000)
const runs = (size: number) => ({ numRuns: isLong ? 100 * size : size, seed })
t.comment(`seed ${seed}`)

const path = join(t.testdir(), 'file.pdf')
const file = signedPdf({ catalog: '/Perms<</DocMDP 6 0 R>>', signature: docMdp(2) })
const later = withRevision(file, { 8: '(later)' })
const hole = {
  start: file.indexOf('/Contents<') + '/Contents'.length,
  end: file.indexOf('>', file.indexOf('/Contents<')) + 1,
}
const signedBytes = file.length - (hole.end - hole.start)

/** Integrity of every signature; undefined if the file is refused. */
function integrity(bytes: Uint8Array): readonly (string | undefined)[] | undefined {
  writeFileSync(path, bytes)
  try {
    const document = openStrict(path)
    try {
      const { signatures } = signatureSnapshot(document, { verificationOf, roots: noTrustRoots, now: new Date() })
      return signatures.map(({ verification }) => verification?.integrity.verdict)
    } finally {
      document.close()
    }
  } catch (error) {
    if (error instanceof NotStrict) return undefined
    throw error
  }
}

t.test('one changed byte anywhere in the signed bytes is noticed, with and without a later revision', async (t) => {
  t.same([integrity(file), integrity(later)], [['intact'], ['intact']])
  const change = fc.record({
    at: fc.nat(signedBytes - 1),
    mask: fc.integer({ min: 1, max: 255 }),
    isLater: fc.boolean(),
  })
  fc.assert(
    fc.property(change, ({ at, mask, isLater }) => {
      const bytes = Buffer.from(isLater ? later : file)
      const place = at < hole.start ? at : at + hole.end - hole.start
      bytes[place] = (bytes[place] ?? 0) ^ mask
      const found = integrity(bytes)
      if (found?.includes('intact')) throw new Error(`Byte ${place} is not noticed`)
    }),
    runs(300),
  )
  t.pass(`seed ${seed}`)
})

t.test('what the strict reader reads of a damaged file is what qpdf reads', needs('qpdf'), async (t) => {
  const damage = fc.record({ at: fc.nat(later.length - 1), byte: fc.nat(255), cut: fc.nat(3) })
  let opened = 0
  fc.assert(
    fc.property(fc.array(damage, { minLength: 1, maxLength: 2 }), (damages) => {
      let bytes = later
      for (const { at, byte, cut } of damages) {
        bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from([byte]), bytes.subarray(at + cut)])
      }
      writeFileSync(path, bytes)
      const differing = differences()
      if (differing !== undefined) opened++
      t.same(differing ?? [], [], JSON.stringify(damages))
    }),
    runs(20),
  )
  t.ok(opened > 0, `${opened} damaged files were read`)
})

/** Returns undefined if either refuses the file. */
function differences(): readonly string[] | undefined {
  try {
    const document = openStrict(path)
    try {
      const newest = document.revisions.at(-1)
      const theirs = qpdfObjects(path)
      return newest === undefined || theirs === undefined
        ? undefined
        : disagreements(document, newest, theirs).differing
    } finally {
      document.close()
    }
  } catch (error) {
    if (error instanceof NotStrict) return undefined
    throw error
  }
}
