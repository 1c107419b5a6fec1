// Extracted pages are self-contained: they include what they refer to, and nothing else of the document.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { openFile } from '../../../workers/document/open-file.js'
import { extract } from '../../../workers/jobs/extract.js'
import { text } from '../../../workers/jobs/text.js'
import type { PdfSource } from '../../../workers/messages/task.js'
import { misplaced, unreadable } from '../../support/pdf/damaged-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const contentOf = (word: string) => ({ body: '<<>>', stream: `BT /F1 12 Tf 20 100 Td (${word}) Tj ET` })

/** Three pages (10, 20, 30) that inherit size and fonts, with links, replies, a form and a named destination. */
const objects: RawObjects = {
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm 3 0 R/Dests<</there[20 0 R/Fit]>>/Lang(en)/OutputIntents[41 0 R]>>',
  2: `<</Type/Pages/Kids[10 0 R 20 0 R 30 0 R]/Count 3/MediaBox[0 0 200 300]/Rotate 90/Resources<<${helvetica}>>>>`,
  3: '<</Fields[4 0 R 5 0 R 6 0 R]/DA(/Helv 0 Tf)/CO[5 0 R 4 0 R]/XFA[(a)(b)]/SigFlags 3>>',
  4: '<</FT/Tx/T(both)/V(shared)/Kids[16 0 R 26 0 R]>>',
  5: '<</FT/Tx/T(second)/V(two)/Type/Annot/Subtype/Widget/Rect[1 1 9 9]/P 20 0 R>>',
  6: '<</FT/Sig/T(signed)/Type/Annot/Subtype/Widget/Rect[1 1 9 9]/P 10 0 R/V 7 0 R>>',
  7: '<</Type/Sig/Filter/Adobe.PPKLite/Contents<00>/ByteRange[0 1 2 3]>>',
  10: `<</Type/Page/Parent 2 0 R/Contents 11 0 R/Annots[12 0 R 13 0 R 14 0 R 15 0 R 16 0 R 17 0 R 18 0 R 6 0 R]>>`,
  11: contentOf('First'),
  12: '<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/Contents(note)>>',
  13: '<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/Contents(answer)/IRT 12 0 R/P 10 0 R>>',
  14: '<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/Dest[20 0 R/Fit]>>',
  15: '<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/A<</S/GoTo/D[30 0 R/XYZ 1 2 3]>>>>',
  16: '<</Type/Annot/Subtype/Widget/Parent 4 0 R/Rect[1 1 9 9]/P 10 0 R>>',
  17: '<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/A<</S/URI/URI(https://example.com/)>>>>',
  18: '<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/Dest/there>>',
  20: '<</Type/Page/Parent 2 0 R/Contents 21 0 R/Annots[5 0 R 26 0 R]>>',
  21: contentOf('Second'),
  26: '<</Type/Annot/Subtype/Widget/Parent 4 0 R/Rect[1 1 9 9]/P 20 0 R>>',
  30: '<</Type/Page/Parent 2 0 R/Contents 31 0 R/Rotate 0/MediaBox[0 0 500 600]>>',
  31: contentOf('Third'),
  41: '<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(CMYK)/DestOutputProfile 42 0 R>>',
  42: { body: '<</N 4>>', stream: 'profile' },
}

interface Extracted {
  readonly source: PdfSource
  /** All objects, as text. */
  readonly written: string
}

async function extracted(t: Test, pages: readonly number[], file = rawPdf(objects)): Promise<Extracted> {
  const workshop = Workshop.of(t)
  const source = workshop.source(file)
  const before = readFileSync(source.path)
  const path = workshop.path('extracted.pdf')
  const { sizeBytes } = await runner(t)(extract, { source, pages, path })
  const bytes = readFileSync(path)
  t.equal(bytes.byteLength, sizeBytes)
  t.ok(before.equals(readFileSync(source.path)), 'the source is as it was')
  const open = openFile({ path })
  const written = Array.from({ length: open.pdf.countObjects() }, (_, number) =>
    open.pdf.newIndirect(number).resolve().toString(),
  ).join('\n')
  open.destroy()
  return { source: workshop.source(bytes), written }
}

t.test(
  'pages are extracted in the order of the request, with inherited attributes',
  needs('qpdf', 'pdfinfo', 'pdftotext'),
  async (t) => {
    const { source } = await extracted(t, [30, 10])
    judged('qpdf', ['--check', source.path])
    const facts = judged('pdfinfo', ['-l', '9', source.path]).toString()
    t.match(facts, /Pages:\s+2/)
    t.match(facts, /Page\s+1 size:\s+500 x 600/)
    t.match(facts, /Page\s+1 rot:\s+0/)
    t.match(facts, /Page\s+2 size:\s+200 x 300/)
    t.match(facts, /Page\s+2 rot:\s+90/)
    t.match(judged('pdftotext', [source.path, '-']).toString(), /Third[\s\S]*First/)
  },
)

t.test('extracted pages include the output intent of the document', needs('qpdf'), async (t) => {
  const { source } = await extracted(t, [20])
  const { objects } = JSON.parse(judged('qpdf', ['--json=1', source.path]).toString())
  const [intent] = Object(objects)[Object(objects).trailer['/Root']]['/OutputIntents']
  const profile = Object(objects)[intent]['/DestOutputProfile']
  t.equal(
    judged('qpdf', [`--show-object=${profile.split(' ')[0]}`, '--filtered-stream-data', source.path]).toString(),
    'profile',
  )
})

t.test('annotations are extracted, and links only if their target is', async (t) => {
  const { written } = await extracted(t, [10, 20])
  t.match(written, /Contents\(note\)/)
  t.match(written, /IRT \d+ 0 R/, 'a reply still answers')
  t.match(written, /https:\/\/example\.com/)
  t.equal(written.match(/\/Dest\[\d+ 0 R\/Fit\]/g)?.length, 2, 'links to the second page, by reference and by name')
  t.notMatch(written, /GoTo/, 'the link to the third page leads nowhere')
})

t.test('an extracted file contains nothing of other pages', async (t) => {
  const { source, written } = await extracted(t, [10])
  t.equal(written.match(/\/Type\/Page\b/g)?.length, 1)
  t.notMatch(written, /second|Dest\b/)
  const open = openFile(source)
  t.equal(open.pageCount, 1)
  const [page = 0] = open.pages
  open.destroy()
  t.match(await runner(t)(text, { source, page }), { text: /^First/ })
})

t.test('damage detected during an extraction does not affect the extracted pages', needs('qpdf'), async (t) => {
  const sound = rawPdf(objects)
  const misplacedOnes = [3, 4, 6, 11, 12, 16, 17, 41, 42].map((number) => misplaced(sound, number, 5))
  for (const file of [...misplacedOnes, unreadable(sound, 17)]) {
    const { source, written } = await extracted(t, [10], file)
    t.equal(judged('qpdf', ['--warning-exit-0', '--check', source.path]).includes('WARNING'), false)
    t.equal(written.match(/\/Type\/Page\b/g)?.length, 1, 'the page, and no other')
    t.notMatch(written, /second|Dest\b|XFA|SigFlags|ByteRange/)
    t.match(written, /\(both\)/)
    const open = openFile(source)
    const [page = 0] = open.pages
    open.destroy()
    t.match(await runner(t)(text, { source, page }), { text: /^First/ })
  }
})

t.test('of the form, the fields of extracted widgets are extracted', needs('qpdf'), async (t) => {
  const { source, written } = await extracted(t, [10])
  const { acroform } = JSON.parse(judged('qpdf', ['--json', source.path]).toString())
  t.same(
    acroform.fields.map(({ fullname, value }: { fullname: string; value: unknown }) => [fullname, value]).sort(),
    [
      ['both', 'u:shared'],
      ['signed', null],
    ],
    'the signature is removed because it covers other bytes, its field is not',
  )
  t.notMatch(written, /XFA|SigFlags|ByteRange/)
})

t.test('pages with dangling references are extracted', needs('qpdf'), async (t) => {
  const workshop = Workshop.of(t)
  const broken = {
    ...objects,
    10: '<</Type/Page/Parent 2 0 R/Contents 11 0 R/Annots[12 0 R 99 0 R]/X 97 0 R>>',
  }
  const path = workshop.path('extracted.pdf')
  await runner(t)(extract, { source: workshop.source(rawPdf(broken)), pages: [10], path })
  judged('qpdf', ['--check', path])
  const open = openFile({ path })
  t.match(
    open
      .pageObject(open.firstPage ?? 0)
      .get('Annots', 0, 'Contents')
      .asString(),
    'note',
  )
  open.destroy()
})

t.test('a page named twice, a missing page, or an empty list is refused', async (t) => {
  const workshop = Workshop.of(t)
  const source = workshop.source(rawPdf(objects))
  const run = runner(t)
  const path = workshop.path('refused.pdf')
  await t.rejects(run(extract, { source, pages: [10, 10], path }), { code: 'InvalidArg' })
  await t.rejects(run(extract, { source, pages: [], path }), { code: 'InvalidArg' })
  await t.rejects(run(extract, { source, pages: [10, 4], path }), { code: 'NotFound' })
})
