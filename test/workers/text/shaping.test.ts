// Text of fields and free text in many scripts, as drawn and extracted by other programs.
import t from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { openFile } from '../../../workers/document/open-file.js'
import { mupdf } from '../../../workers/engine/library.js'
import { piecesOf } from '../../../workers/text/shaping/complex-text.js'
import { shapingTools } from '../../../workers/text/shaping/shaping-tools.js'
import { type ChangingLayer, layerOf, type Op } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { type Pixels, pixelAt, pixelsOf } from '../../support/pdf/pictures.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'

const width = 240
const height = 120

/** Pages of 240 by 120 points, each with one text field along its upper edge. */
function fields(dictionaries: readonly string[]): Buffer {
  const pages = dictionaries.map((_, index) => 10 + 2 * index)
  const list = (numbers: readonly number[]): string => numbers.map((number) => `${number} 0 R`).join(' ')
  const objects = dictionaries.flatMap((dictionary, index) => {
    const page = pages[index] ?? 0
    const widget = `/Type/Annot/Subtype/Widget/F 4/P ${page} 0 R/FT/Tx/T(${index})${dictionary}`
    const rect = dictionary.includes('/Rect') ? '' : `/Rect[10 ${height - 40} ${width - 10} ${height - 10}]`
    return [
      [page, `<</Type/Page/Parent 2 0 R/Annots[${page + 1} 0 R]>>`],
      [page + 1, `<<${widget}${rect}>>`],
    ] as const
  })
  return rawPdf({
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${list(pages.map((page) => page + 1))}]/DA(/Helv 14 Tf 0 g)>>>>`,
    2: `<</Type/Pages/Kids[${list(pages)}]/Count ${pages.length}/MediaBox[0 0 ${width} ${height}]>>`,
    ...Object.fromEntries(objects),
  })
}

const fill = (field: number, value: string): Op => ({
  type: 'forms.setValue',
  field: { kind: 'fqn', name: String(field) },
  value: { value },
})

const freeText = (field: number, contents: string): Op => ({
  type: 'annotations.create',
  page: pageRef(10 + 2 * field),
  data: { subtype: 'free-text', box: { x: 10, y: 50, width: 220, height: 60 }, fontSize: 14, contents },
})

/** Returns the text of each page, without bidirectional control characters and with collapsed white space. */
function textsOf(layer: ChangingLayer): readonly string[] {
  const path = layer.sent()
  judged('qpdf', ['--check', path])
  const pages = judged('pdftotext', [path, '-']).toString().split('\f')
  return pages.map((text) =>
    text
      .replace(/\p{Bidi_Control}/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
      .normalize('NFC'),
  )
}

const closed = (text: string): string => text.replaceAll(' ', '')

const poppler = (path: string, page: number): Promise<Pixels> =>
  pixelsOf(judged('pdftoppm', ['-r', '72', '-f', String(page + 1), '-singlefile', '-png', path]))

async function engine(path: string, page: number): Promise<Pixels> {
  const document = openFile({ path })
  try {
    const pixmap = document.withPage(10 + 2 * page, (shown) =>
      shown.toPixmap(mupdf.Matrix.identity, mupdf.ColorSpace.DeviceRGB, false, true),
    )
    const png = Buffer.from(pixmap.asPNG())
    pixmap.destroy()
    return await pixelsOf(png)
  } finally {
    document.destroy()
  }
}

const isInk = (pixels: Pixels, x: number, y: number): boolean => pixelAt(pixels, x, y)[0] < 160

/** Returns the share of inked pixels with ink of the other picture nearby, in the direction where it is smaller. */
function covered(one: Pixels, other: Pixels): number {
  const share = (from: Pixels, to: Pixels): number => {
    let [all, found] = [0, 0]
    for (let y = 1; y < height - 1; y++) {
      for (let x = 1; x < width - 1; x++) {
        if (!isInk(from, x, y)) continue
        all++
        if ([-1, 0, 1].some((down) => [-1, 0, 1].some((right) => isInk(to, x + right, y + down)))) found++
      }
    }
    return found / Math.max(1, all)
  }
  return Math.min(share(one, other), share(other, one))
}

/** Number of pixel rows, from the top, that contain the field. */
const fieldRows = 45

/** Returns whether each column of pixels has ink, from left to right. */
const columns = (pixels: Pixels): readonly boolean[] =>
  Array.from({ length: width }, (_, x) =>
    Array.from({ length: fieldRows }, (_, y) => isInk(pixels, x, y)).includes(true),
  )

/** Counts runs of adjacent columns with ink: touching glyphs are one run. */
const strokes = (pixels: Pixels): number =>
  columns(pixels).filter((isInked, x, all) => isInked && all[x - 1] !== true).length

const scripts: Readonly<Record<string, string>> = {
  Arabic: 'مرحبا بالعالم (نعم)',
  'Arabic with vowels': 'مُحَمَّد رَسول',
  'Persian with a joiner': 'می‌خواهم',
  Hebrew: 'שלום עולם (כן)',
  'Hebrew with points': 'שָׁלוֹם לָכֶם',
  'Hebrew beside digits and Latin': 'טלפון של הבית ABC 050-1234',
  Thai: 'สวัสดีครับ น้ำ ที่นี่',
  Devanagari: 'नमस्ते दुनिया क्षत्रिय',
  Bengali: 'বাংলা ক্ষেত্র',
  Tamil: 'தமிழ் கொடு',
  'Latin with marks': 'ẹ́ M̃ x̄ Yorùbá ọ́',
  Vietnamese: 'Đỗ Thị Ngọc 5₫',
  Georgian: 'საქართველო',
  Armenian: 'Հայաստան',
  'Cyrillic, Greek and Chinese': 'Привет Ωδή 中文',
}

t.test(
  'shaping libraries are loaded for the first text that needs them, also within a change',
  needs('qpdf', 'pdftotext'),
  async (t) => {
    const layer = layerOf(t, fields(['']))
    await layer.apply(fill(0, 'Grüße Привет 中文 한글 ☎'), freeText(0, 'Œuvre\tŁódź'))
    t.throws(() => shapingTools(), /not loaded/)
    await layer.apply(fill(0, 'ไทย'))
    t.ok(shapingTools())
    t.equal(textsOf(layer)[0], 'ไทย Œuvre Łódź')
  },
)

t.test(
  'field values and free text in every script are extracted in logical order',
  needs('qpdf', 'pdftotext', 'pdftoppm'),
  async (t) => {
    const names = Object.keys(scripts)
    const texts = Object.values(scripts)
    const layer = layerOf(t, fields(names.map(() => '')))
    const boxes = layerOf(t, fields(names.map(() => '')))
    await layer.apply(...texts.flatMap((text, page) => [fill(page, text), freeText(page, text)]))
    const unknown = (text: string): string => text.replace(/\S/gu, '\u{1f9ff}')
    await boxes.apply(...texts.flatMap((text, page) => [fill(page, unknown(text)), freeText(page, unknown(text))]))
    const read = textsOf(layer)
    for (const [page, name] of names.entries()) t.equal(read[page], `${texts[page]} ${texts[page]}`, name)
    const [path, ofBoxes] = [layer.sent(), boxes.sent()]
    for (const page of [1, 4, 6, 7]) {
      const [ours, theirs] = [await engine(path, page), await poppler(path, page)]
      t.ok(covered(ours, theirs) > 0.97, `${names[page]}: both renderers show the same`)
      t.ok(covered(ours, await engine(ofBoxes, page)) < 0.8, `${names[page]}: glyphs instead of boxes`)
    }
    const largest = Math.max(...layer.images.map(({ body }) => body.length))
    t.ok(largest < 16_000, `embedded fonts contain used glyphs only: ${largest} bytes`)
  },
)

t.test('Arabic letters join, also across a change of style, unless a non-joiner separates them', async (t) => {
  const layer = layerOf(t, fields(['', '', '', '']))
  const plain = { family: 'Helvetica', size: 14, color: '#000000' }
  const runs = [
    { text: 'سس', style: {} },
    { text: 'س', style: { weight: 700 } },
  ]
  const styled: Op = {
    type: 'annotations.create',
    page: pageRef(16),
    data: {
      subtype: 'free-text',
      box: { x: 10, y: 5, width: 220, height: 35 },
      richText: { body: plain, paragraphs: [{ align: 'right', runs }] },
    },
  }
  await layer.apply(fill(0, 'سسس'), fill(1, 'س\u200cس\u200cس'), fill(2, 'اس'), styled)
  const path = layer.sent()
  t.equal(strokes(await engine(path, 0)), 1)
  t.equal(strokes(await engine(path, 1)), 3)
  t.equal(strokes(await engine(path, 3)), 1)
  const inked = columns(await engine(path, 2)).flatMap((isInked, x) => (isInked ? [x] : []))
  const gap = inked.findIndex((x, index) => index > 0 && x - (inked[index - 1] ?? x) > 1)
  t.ok(gap > inked.length / 2, 'the first letter, which is narrow, is on the right')
})

t.test('combining marks are placed on their letters and have no width', async (t) => {
  const large = '/DA(/Helv 24 Tf 0 g)'
  const layer = layerOf(t, fields([large, large]))
  await layer.apply(fill(0, 'xxo'), fill(1, 'xx̄o'))
  const path = layer.sent()
  const [bare, marked] = [await engine(path, 0), await engine(path, 1)]
  t.ok(Math.abs(columns(marked).lastIndexOf(true) - columns(bare).lastIndexOf(true)) <= 1)
  const top = (pixels: Pixels): number => {
    const rows = Array.from({ length: fieldRows }, (_, y) =>
      Array.from({ length: width }, (_, x) => isInk(pixels, x, y)),
    )
    return rows.findIndex((row) => row.includes(true))
  }
  t.ok(top(marked) < top(bare) - 1)
})

t.test(
  'line breaking, comb cells, automatic size and alignment work for shaped text',
  needs('qpdf', 'pdftotext', 'pdftoppm'),
  async (t) => {
    const lines = `/Ff 4096/Rect[10 10 130 ${height - 10}]`
    const layer = layerOf(
      t,
      fields([lines, lines, `${lines}/DA(/Helv 0 Tf 0 g)`, '/Ff 16777216/MaxLen 8', '/DA(/Helv 0 Tf 0 g)', '']),
    )
    const thai = 'ประเทศไทยมีเมืองหลวงชื่อกรุงเทพมหานคร'
    const mixed = 'שלום לכל מי שקורא English words כאן'
    await layer.apply(
      fill(0, thai),
      fill(1, mixed),
      fill(2, 'السلام عليكم ورحمة الله وبركاته '.repeat(4).trim()),
      fill(3, 'שָׁלוֹם'),
      fill(4, 'नमस्ते'),
      fill(5, `אבגד ${'ו'.repeat(60)}`),
    )
    const path = layer.sent()
    const [inThai = '', inHebrew = '', inArabic, inCells = ''] = textsOf(layer)
    t.equal(closed(inThai), thai)
    t.match(inThai, /ประเทศ/, 'and lines end between words')
    t.not(inThai, thai)
    t.equal(closed(inHebrew), closed(mixed), 'a line that begins with Latin has the direction of its paragraph')
    t.equal(inArabic, 'السلام عليكم ورحمة الله وبركاته '.repeat(4).trim())
    t.equal(closed(inCells), 'שָׁלוֹם'.normalize('NFC'))
    const ink = columns(await engine(path, 4))
    t.ok(ink.lastIndexOf(true) > 60, 'automatic size fills the height of the field')
    const cut = judged('pdftotext', ['-f', '6', '-l', '6', '-x', '180', '-y', '0', '-W', '60', '-H', '60', path, '-'])
    t.match(cut.toString(), /אבגד/, 'of what does not fit, the beginning is shown, at the right edge')
  },
)

t.test(
  'a character missing in all fonts is shown as a box, and a control character not at all',
  needs('qpdf', 'pdftotext'),
  async (t) => {
    const layer = layerOf(t, fields(['', '']))
    await layer.apply(fill(0, 'a\u{1f9ff}b\u0001c ខ្មែរ \uffff'), fill(1, '\u202eabc\u2066\u200d\ufe0f'))
    t.match(textsOf(layer), ['a□bc □□□ □', 'cba', ''])
  },
)

t.test(
  'an undo restores the former appearance, a redo the shaped one, and no unused font remains',
  needs('qpdf', 'pdftotext'),
  async (t) => {
    const layer = layerOf(t, fields(['']))
    const seen = (): readonly number[] => layer.images.filter(({ isHidden }) => !isHidden).map(({ number }) => number)
    await layer.apply(fill(0, 'before'))
    const first = seen()
    const { undo } = await layer.apply(fill(0, 'שלום'))
    const redo = await layer.undo(undo)
    t.equal(textsOf(layer)[0], 'before')
    await layer.undo(redo.undo)
    t.equal(textsOf(layer)[0], 'שלום')
    await layer.apply(fill(0, 'after'))
    t.same(seen(), first)
  },
)

t.test('a line of Thai is broken between its words, and one of Latin at its blanks', async (t) => {
  t.same(piecesOf('สวัสดีครับ'), ['สวัสดี', 'ครับ'])
  t.same(piecesOf('Good day'), ['Good', ' ', 'day'])
})

t.test('a font without visible text is not embedded', async (t) => {
  const layer = layerOf(t, fields(['/Ff 4096']))
  await layer.apply(fill(0, `${'line\n'.repeat(20)}ไทย`))
  t.notOk(layer.images.some(({ body }) => Buffer.from(body).includes('FontDescriptor')))
})

t.test('hostile text results in appearances of limited size', needs('qpdf', 'pdftotext'), async (t) => {
  const hostile = [
    'אa'.repeat(5_000),
    `א${'\u05b8\u05bc'.repeat(5_000)}`,
    'م\u200d'.repeat(5_000),
    '\u2067א(\u2066a['.repeat(2_000),
    '\uffffא\ufffe\u0007'.repeat(2_000),
  ]
  const layer = layerOf(t, fields(hostile.map(() => '/Ff 4096/DA(/Helv 0 Tf 0 g)')))
  for (const [page, text] of hostile.entries()) {
    const { images } = await layer.apply(fill(page, text))
    const bytes = images.reduce((sum, { body }) => sum + body.length, 0)
    t.ok(bytes < 1_000_000, `${bytes} bytes`)
  }
  judged('qpdf', ['--check', layer.sent()])
})
