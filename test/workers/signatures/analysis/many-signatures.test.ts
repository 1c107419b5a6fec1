// Files with more signatures than are judged against one another: each step to the next one is judged, and none stays open.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { analyseChanges } from '../../../../workers/signatures/analysis/analyse-changes.js'
import { analysisLimits } from '../../../../workers/signatures/analysis/analysis-limits.js'
import { AnalysisMemory } from '../../../../workers/signatures/analysis/analysis-memory.js'
import { openStrict } from '../../../../workers/strict-reader/open-strict.js'
import { signatureDictionary, signed, signedPdf, withRevision } from '../../../support/pdf/signed-pdf.js'

const count = analysisLimits.replayedRevisionsMax + 4

/** `more`: further objects of the revision that a signature covers. */
function manyTimesSigned(more: (signature: number) => Readonly<Record<number, string>>): Buffer {
  let file = signedPdf()
  const fields = ['5 0 R', '7 0 R']
  for (let signature = 1; signature < count; signature++) {
    const number = 20 + 2 * signature
    fields.push(`${number} 0 R`)
    const list = fields.join(' ')
    const objects = {
      1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${list}]/SigFlags 3>>>>`,
      3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[${list}]>>`,
      [number]: `<</Type/Annot/Subtype/Widget/FT/Sig/T(s${signature})/Rect[0 0 0 0]/P 3 0 R/V ${number + 1} 0 R>>`,
      [number + 1]: signatureDictionary(),
      ...more(signature),
    }
    file = signed(withRevision(file, objects, { size: number + 2 }))
  }
  return file
}

function verdictsIn(t: Test, file: Buffer) {
  const path = join(t.testdir(), 'file.pdf')
  writeFileSync(path, file)
  const document = openStrict(path)
  try {
    const memory = new AnalysisMemory(document)
    return Array.from({ length: count }, (_, signature) => analyseChanges({ document, since: { signature } }, memory))
  } finally {
    document.close()
  }
}

t.test('every signature is judged, and all permitted ones are', async (t) => {
  const analyses = verdictsIn(
    t,
    manyTimesSigned(() => ({})),
  )
  t.same(
    analyses.map(({ verdict, current }) => [verdict, current.complete]),
    [...Array.from({ length: count - 1 }, () => ['permitted', true]), ['unchanged', true]],
  )
})

t.test('a forbidden change that was undone is still found between two later signatures', async (t) => {
  const moved = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Annots[5 0 R 7 0 R]>>'
  const analyses = verdictsIn(
    t,
    manyTimesSigned((signature) => (signature === count - 3 ? { 3: moved } : {})),
  )
  const [first] = analyses
  t.equal(first?.verdict, 'forbidden')
  t.match(first?.current.primary?.detail, new RegExp(`^In revision ${count - 3}`))
  t.same(
    analyses.slice(-3).map(({ verdict }) => verdict),
    ['forbidden', 'permitted', 'unchanged'],
  )
})
