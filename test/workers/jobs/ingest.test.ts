// Ingest: facts about an uploaded file, and the repaired working copy of a file that cannot be read as it is.
import { existsSync, readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { openFile } from '../../../workers/document/open-file.js'
import { digestOf } from '../../../workers/file/digest.js'
import { type IngestFacts, type IngestResult, ingest } from '../../../workers/jobs/ingest.js'
import { text } from '../../../workers/jobs/text.js'
import type { PdfSource } from '../../../workers/messages/task.js'
import { misplaced, otherGeneration, twoPages } from '../../support/pdf/damaged-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const say = (word: string): string => `BT /F1 12 Tf 20 100 Td (${word}) Tj ET`
const hello = onePage(say('Hello'), { resources: helvetica })

interface Taken {
  readonly workshop: Workshop
  readonly source: PdfSource
  readonly workingPath: string
  readonly facts: IngestResult
}

async function take(t: Test, bytes: Uint8Array, facts: Partial<PdfSource> = {}): Promise<Taken> {
  const workshop = Workshop.of(t)
  const source = workshop.source(bytes, facts)
  const workingPath = workshop.path('working.pdf')
  const taken = { workshop, source, workingPath, facts: await runner(t)(ingest, { source, workingPath }) }
  const { facts: found } = taken
  const hasWorking = found.state === 'ready' && found.working !== null
  t.equal(existsSync(workingPath), hasWorking, 'a working copy exists exactly if the facts report one')
  return taken
}

function ready(t: Test, { facts }: Taken): IngestFacts {
  if (facts.state === 'ready') return facts
  t.fail(`ingest failed: ${facts.reason}`)
  throw new Error(facts.reason)
}

/** Returns the path of the working copy, after checking it with qpdf. */
function workingOf(t: Test, taken: Taken): PdfSource {
  const { working } = ready(t, taken)
  if (working === null) throw new Error('There is no working copy')
  t.match(working, { path: taken.workingPath, ...digestOf(taken.workingPath) })
  return taken.workshop.source(readFileSync(taken.workingPath))
}

const numbersOf = ({ pages }: IngestFacts): readonly number[] | undefined =>
  pages?.map(({ objectNumber }) => objectNumber)

t.test('an intact file needs no working copy', async (t) => {
  t.same(ready(t, await take(t, hello)), {
    state: 'ready',
    encryption: { state: 'none', requiresPassword: false, permissionBits: null, securityHandlerRevision: null },
    pages: [{ objectNumber: 3, inlineAnnotations: [] }],
    highestObject: 4,
    working: null,
    isSigned: false,
    protection: {
      enforced: null,
      enforcedBy: null,
      judged: null,
      certification: null,
      fieldLocks: [],
      policyVersion: 3,
    },
  })
})

t.test('a number that the trailer refers to without an object counts as used, unless it is far beyond', async (t) => {
  const objects = { 1: '<</Type/Catalog/Pages 2 0 R>>', 2: '<</Type/Pages/Kids[3 0 R]/Count 1>>' }
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'
  const of = (trailer: string) => take(t, rawPdf({ ...objects, 3: page }, { trailer }))
  t.equal(ready(t, await of('/AdditionalStreams[/x 7 0 R]')).highestObject, 7)
  t.equal(ready(t, await of('/AdditionalStreams[/x 7000000 0 R]')).highestObject, 3)
})

const objectless = rawPdf({ 1: '<</Type/Catalog/Pages 2 0 R>>', 2: '<</Type/Pages/Kids[]/Count 0>>' })

const unreadable: Readonly<Record<string, readonly [bytes: Uint8Array | string, reason: string]>> = {
  'an empty file': ['', 'empty'],
  'a picture': [Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'not-a-pdf'],
  'a web page that mentions PDF': ['<!DOCTYPE html><p>Not found. %PDF-1.7 is a header.</p>', 'not-a-pdf'],
  'a header alone': ['%PDF-1.7\n', 'truncated'],
  'a header and an end': ['%PDF-1.7\nnothing\n%%EOF\n', 'damaged'],
  'a document without pages': [objectless, 'no-pages'],
}
for (const [name, [bytes, reason]] of Object.entries(unreadable)) {
  t.test(`${name} fails with the reason ${reason}`, async (t) => {
    t.same((await take(t, Buffer.from(bytes))).facts, { state: 'failed', reason })
  })
}

t.test('a truncated file that contains all pages is repaired into a working copy', needs('qpdf'), async (t) => {
  const taken = await take(t, hello.subarray(0, hello.indexOf('xref')))
  t.match(ready(t, taken), { pages: [{ objectNumber: 3 }], working: { reasons: ['repaired'] } })
  const working = workingOf(t, taken)
  judged('qpdf', ['--check', working.path])
  t.match(await runner(t)(text, { source: working, page: 3 }), { text: /Hello/ })
})

t.test('a repaired file keeps its object numbers', async (t) => {
  const objects: RawObjects = {
    7: '<</Type/Catalog/Pages 40 0 R>>',
    40: '<</Type/Pages/Kids[90 0 R 12 0 R]/Count 2>>',
    90: '<</Type/Page/Parent 40 0 R/MediaBox[0 0 9 9]/Annots[<</Type/Annot/Subtype/Text>> 91 0 R null <</Subtype/Link>>]>>',
    91: '<</Type/Annot/Subtype/Text/Rect[1 1 2 2]>>',
    12: '<</Type/Page/Parent 40 0 R/MediaBox[0 0 9 9]>>',
  }
  const damaged = rawPdf(objects, { root: 7 })
    .toString('latin1')
    .replace(/startxref\s+\d+/, 'startxref\n5')
  const facts = ready(t, await take(t, Buffer.from(damaged, 'latin1')))
  t.same(facts.pages, [
    { objectNumber: 90, inlineAnnotations: [0, 3] },
    { objectNumber: 12, inlineAnnotations: [] },
  ])
  t.equal(facts.highestObject, 91)
})

t.test('an object that is not where the table says is found before anything needs it', async (t) => {
  t.equal(ready(t, await take(t, twoPages())).working, null)
  for (const bytes of [misplaced(twoPages(), 12, 2), otherGeneration(twoPages(), 12)])
    t.match(ready(t, await take(t, bytes)).working, { reasons: ['repaired'] })
})

t.test('leading junk is removed in the working copy', needs('qpdf'), async (t) => {
  const taken = await take(t, Buffer.concat([Buffer.from('junk from a mail gateway\r\n'), hello]))
  t.match(ready(t, taken).working, { reasons: ['leading-junk'] })
  const working = workingOf(t, taken)
  t.equal(readFileSync(working.path).indexOf('%PDF-'), 0)
  judged('qpdf', ['--check', working.path])
})

t.test(
  'pages that are inline or listed twice get their own object numbers and keep inherited attributes',
  needs('qpdf', 'pdfinfo'),
  async (t) => {
    const taken = await take(
      t,
      rawPdf({
        1: '<</Type/Catalog/Pages 2 0 R>>',
        2: '<</Type/Pages/Kids[3 0 R 5 0 R 3 0 R]/Count 5/MediaBox[0 0 100 200]>>',
        3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<<${helvetica}>>>>`,
        4: { body: '<<>>', stream: say('Twice') },
        5: '<</Type/Pages/Parent 2 0 R/Rotate 90/Count 2/Kids[<</Type/Page/Parent 5 0 R>> 5 0 R 6 0 R]>>',
        6: '<</Type/Page/Parent 5 0 R/MediaBox[0 0 50 60]>>',
      }),
    )
    const facts = ready(t, taken)
    t.match(facts.working, { reasons: ['page-tree'] })
    const numbers = numbersOf(facts) ?? []
    t.same([numbers.length, new Set(numbers).size, numbers[0], numbers[2]], [4, 4, 3, 6])
    t.ok(numbers.every((number) => number <= facts.highestObject))
    const working = workingOf(t, taken)
    judged('qpdf', ['--check', working.path])
    const info = judged('pdfinfo', ['-l', '9', working.path]).toString()
    t.match(info, /Pages:\s+4/)
    t.match(info, /Page\s+2 size:\s+100 x 200/)
    t.match(info, /Page\s+2 rot:\s+90/)
    t.match(info, /Page\s+3 size:\s+50 x 60/)
    const run = runner(t)
    for (const page of [3, numbers[3] ?? 0]) t.match(await run(text, { source: working, page }), { text: /Twice/ })
  },
)

t.test('a wrong page count is corrected, and an unreachable page tree is rebuilt', async (t) => {
  const lie = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 2000000000>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
  })
  const circle = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[2 0 R]/Count 1>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
  })
  for (const bytes of [lie, circle]) {
    const taken = await take(t, bytes)
    t.match(ready(t, taken).pages, [{ objectNumber: 3 }])
    workingOf(t, taken)
  }
})

t.test(
  'facts of a locked file include encryption and permissions; its pages need the password',
  needs('qpdf'),
  async (t) => {
    const workshop = Workshop.of(t)
    const plain = workshop.source(hello)
    const path = workshop.path('locked.pdf')
    judged('qpdf', ['--encrypt', 'user', 'owner', '128', '--use-aes=y', '--print=none', '--', plain.path, path])
    const bytes = readFileSync(path)
    const bits = JSON.parse(judged('qpdf', ['--json', '--password=owner', path]).toString()).encrypt.parameters.P
    const encryption = {
      state: 'encrypted',
      requiresPassword: true,
      permissionBits: bits >>> 0,
      securityHandlerRevision: 4,
    }
    const locked = ready(t, await take(t, bytes))
    t.match(locked, { encryption, pages: null, working: null })
    t.ok(locked.highestObject >= 4)
    const opened = ready(t, await take(t, bytes, { password: Buffer.from('user') }))
    t.match(opened, { encryption, working: null })
    t.equal(numbersOf(opened)?.length, 1)
  },
)

t.test(
  'an encrypted file that opens without a password stays encrypted in its working copy',
  needs('qpdf'),
  async (t) => {
    const workshop = Workshop.of(t)
    const plain = workshop.source(hello)
    const path = workshop.path('open.pdf')
    judged('qpdf', ['--encrypt', '', 'owner', '256', '--', plain.path, path])
    const taken = await take(t, Buffer.concat([Buffer.from('junk\n'), readFileSync(path)]))
    t.match(ready(t, taken), {
      encryption: { state: 'encrypted', requiresPassword: false, securityHandlerRevision: 6 },
      working: { reasons: ['leading-junk'] },
    })
    t.match(judged('qpdf', ['--show-encryption', workingOf(t, taken).path]).toString(), /R = 6/)
  },
)

t.test('unsupported encryption is reported as a fact, not as an error', async (t) => {
  const encryption =
    '/Encrypt<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s4/V 2/Length 128/Recipients[<00>]>>/ID[<00><00>]'
  const bytes = rawPdf(
    { 1: '<</Type/Catalog/Pages 2 0 R>>', 2: '<</Type/Pages/Kids[]/Count 0>>' },
    { trailer: encryption },
  )
  t.match(ready(t, await take(t, bytes)), { encryption: { state: 'unsupported' }, pages: null, working: null })
})

const withWidget = (parents: string, field: string) =>
  onePage(say('Hello'), {
    resources: helvetica,
    page: '/Annots[11 0 R]',
    further: {
      1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>',
      10: `<</FT/Tx/T(a)/Kids[11 0 R]${field}>>`,
      11: `<</Type/Annot/Subtype/Widget/Rect[50 50 99 70]/P 3 0 R${parents}>>`,
    },
  })

for (const [what, bytes] of [
  ['a widget that is its own parent', withWidget('/Parent 11 0 R', '')],
  ['a field that its widget is the parent of', withWidget('/Parent 10 0 R', '/Parent 11 0 R')],
] as const) {
  t.test(`a file with ${what} is read from a copy without the circle`, async (t) => {
    const taken = await take(t, bytes)
    t.same(ready(t, taken).working?.reasons, ['circular-parents'])
    const document = openFile(workingOf(t, taken))
    const [field, widget] = [10, 11].map((number) => document.pdf.newIndirect(number).get('Parent').toString())
    document.destroy()
    t.same([field, widget], ['null', '10 0 R'])
  })
}

t.test('an object that cannot be read is left out of the working copy', needs('qpdf'), async (t) => {
  const broken = onePage(say('Hello'), { resources: helvetica, page: '/PieceInfo 5 0 R', further: { 5: '-E</A 1>>' } })
  const unplaced = broken.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7')
  const taken = await take(t, Buffer.from(unplaced, 'latin1'))
  t.same(ready(t, taken).working?.reasons, ['repaired'])
  judged('qpdf', ['--check', workingOf(t, taken).path])
})

t.test('a file without a header that begins with an object is a PDF', async (t) => {
  const bytes = Buffer.concat([Buffer.from('%\xe2\xe3\n', 'latin1'), hello.subarray(hello.indexOf('1 0 obj'))])
  t.same(numbersOf(ready(t, await take(t, bytes))), [3])
})

t.test('pages that no cross-reference section lists are found', async (t) => {
  const table = hello
    .toString('latin1')
    .replace(/xref\n0 \d+\n((?:.{20}){3})(?:.{20})*trailer/s, 'xref\n0 3\n$1trailer')
  t.same(numbersOf(ready(t, await take(t, Buffer.from(table, 'latin1')))), [3])
})

t.test('text in a Japanese font without a descriptor is read', async (t) => {
  const drawing = 'BT /F2 14 Tf 20 60 Td <93FA967B8CEA> Tj ET'
  const font = '/Font<</F2 7 0 R>>'
  for (const [where, content, further] of [
    ['on the page', drawing, {}],
    [
      'in a form',
      '/X Do',
      { 8: { body: `<</Type/XObject/Subtype/Form/BBox[0 0 300 200]/Resources<<${font}>>>>`, stream: drawing } },
    ],
  ] as const) {
    const bytes = onePage(content, {
      resources: `${font}/XObject<</X 8 0 R>>`,
      further: {
        6: '<</Type/Font/Subtype/CIDFontType2/BaseFont/HeiseiMin-W3/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 1000>>',
        7: '<</Type/Font/Subtype/Type0/BaseFont/HeiseiMin-W3/Encoding/90ms-RKSJ-H/DescendantFonts[6 0 R]>>',
        ...further,
      },
    })
    const taken = await take(t, bytes)
    t.same(ready(t, taken).working?.reasons, ['bare-fonts'], where)
    t.match(await runner(t)(text, { source: workingOf(t, taken), page: 3 }), { text: /日本語/ })
  }
})

t.test('a Japanese font without a descriptor is found wherever it is drawn with', async (t) => {
  const drawing = 'BT /F2 14 Tf 20 60 Td <93FA967B8CEA> Tj ET'
  const own = '/Resources<</Font<</F2 7 0 R>>>>'
  const form = { body: `<</Type/XObject/Subtype/Form/BBox[0 0 300 200]${own}>>`, stream: drawing }
  const appearance = '<</Type/Annot/Subtype/Stamp/Rect[0 0 300 200]/AP'
  for (const [where, { resources = '', page = '', 8: stream = form }] of Object.entries({
    'an appearance': { page: `/Annots[${appearance}<</N 8 0 R>>>>]` },
    'a state of an appearance': { page: `/Annots[${appearance}<</N<</On 8 0 R>>>>/AS/On>>]` },
    'a pattern': {
      resources: '/Pattern<</P 8 0 R>>',
      8: {
        body: `<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 300 200]/XStep 300/YStep 200${own}>>`,
        stream: drawing,
      },
    },
    'a soft mask': { resources: '/ExtGState<</G<</SMask<</S/Alpha/G 8 0 R>>>>>>' },
    'a drawn font': {
      resources: `/Font<</T<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 8 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[1]${own}>>>>`,
    },
  } as Record<string, { resources?: string; page?: string; 8?: typeof form }>)) {
    const bytes = onePage('', {
      resources,
      page,
      further: {
        6: '<</Type/Font/Subtype/CIDFontType2/BaseFont/HeiseiMin-W3/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>/DW 1000>>',
        7: '<</Type/Font/Subtype/Type0/BaseFont/HeiseiMin-W3/Encoding/90ms-RKSJ-H/DescendantFonts[6 0 R]>>',
        8: stream,
      },
    })
    t.same(ready(t, await take(t, bytes)).working?.reasons, ['bare-fonts'], where)
  }
})
