// Pages of many kinds of text and drawings, with marks near each other, as other programs see them before and after: what
// is marked is gone, and everything beside it is the same (rule 4.7). `npm run test:long` tries very many.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { PageBox } from '../../../workers/contract/page-box.js'
import { mupdf } from '../../../workers/engine/library.js'
import { layerOf } from '../../support/pdf/changing.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { pdfjsTexts } from '../../support/pdf/pdfjs.js'
import { onePage, type RawObjects } from '../../support/pdf/raw-pdf.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'

const size = [600, 960] as const
const pageCount = isLong ? 400 : 6
if (isLong) t.setTimeout(longTimeoutMs)

/** Colours of two sides of one small glyph: poppler snaps drawn glyphs to pixels, where any rounding decides. */
const snapped = 60

class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = (Math.abs(seed) % 2_147_483_646) + 1
  }

  below(count: number): number {
    this.#state = (this.#state * 48_271) % 2_147_483_647
    return this.#state % count
  }

  between(low: number, high: number): number {
    return low + (this.below(10_001) / 10_000) * (high - low)
  }

  of<Value>(values: readonly [Value, ...Value[]]): Value {
    return values[this.below(values.length)] ?? values[0]
  }
}

const letters = 'abdegkmnopqrstuxyz'

/** Writes one page; every word of it is unique. */
class Writer {
  readonly words: string[] = []
  /** Words of lines that are not turned: other programs divide the others at random. */
  readonly upright: string[] = []

  constructor(readonly dice: Dice) {}

  word(): string {
    for (;;) {
      const word = Array.from({ length: 5 }, () => letters[this.dice.below(letters.length)]).join('')
      if (this.words.includes(word)) continue
      this.words.push(word)
      return word
    }
  }

  /** A line whose font, size, spacing, scale and rise change as it goes on. */
  line(at: string): string {
    const { dice } = this
    const pieces = Array.from({ length: 4 }, () => {
      const change = dice.of([
        (): string => '',
        (): string => `/F${1 + dice.below(3)} ${7 + dice.below(5)} Tf`,
        (): string => `${dice.of([80, 100, 130])} Tz`,
        (): string => `${dice.of([0, 2, -1])} Ts`,
        (): string => `${dice.of([0, 0.4])} Tc ${dice.of([0, 3])} Tw`,
        (): string => `${dice.of([0, 0, 1, 3])} Tr`,
        (): string => '/Span <</ActualText(said)>> BDC EMC',
      ] as const)
      const word = this.word()
      if (at.endsWith('Td')) this.upright.push(word)
      const shown = dice.of([
        `(${word} ) Tj`,
        `[(${word.slice(0, 2)})-${dice.below(40)}(${word.slice(2)})-30( )] TJ`,
        `<${Buffer.from(`${word} `).toString('hex')}> Tj`,
      ])
      return `${change()} ${shown}`
    })
    return `q BT /F${1 + dice.below(3)} 10 Tf ${at} ${pieces.join(' ')} ET Q`
  }

  table(bottom: number): string {
    const { dice } = this
    const rows = 4
    const lines = Array.from({ length: rows + 1 }, (_, row) => `40 ${bottom + row * 16} m 560 ${bottom + row * 16} l S`)
    const columns = [40, 150, 300, 560].map((x) => `${x} ${bottom} m ${x} ${bottom + rows * 16} l S`)
    const cells = Array.from({ length: rows }, (_, row) => this.line(`44 ${bottom + 4.5 + row * 16} Td`))
    return [
      `${dice.of(['.8 .9 1', '1 .9 .7'])} rg 40 ${bottom + 48} 520 16 re f`,
      `q ${dice.of([0, 0.3, 1])} w ${[...lines, ...columns].join(' ')} Q`,
      `q 20 ${bottom - 10} 0 90 re f 20 ${bottom - 10} 560 90 re S Q 0 g`,
      ...cells,
    ].join('\n')
  }

  content(): string {
    const { dice } = this
    const turned = Array.from({ length: 3 }, (_, index) => {
      const angle = dice.of([0.1, 0.5, Math.PI / 2, -0.3])
      const [cosine, sine, skew] = [Math.cos(angle), Math.sin(angle), dice.of([0, 0.2])]
      const matrix = [cosine, sine, skew * cosine - sine, cosine + skew * sine].map((one) => one.toFixed(5)).join(' ')
      return this.line(`${matrix} ${60 + index * 180} ${angle < 0 ? 230 : 110} Tm`)
    })
    const parts = [
      () => `q /Sh sh Q`,
      () => `q 30 330 m 300 420 l 570 330 l h W n .9 1 .9 rg 0 300 600 120 re f Q`,
      () => '.9 .9 .9 rg 10 10 580 680 re f 0 g 3 w 12 12 576 676 re S 1 w',
      () => '',
    ] as const
    return [
      dice.of(parts)(),
      this.table(560),
      this.table(450),
      `/OC/L BDC ${this.line('50 415 Td')} EMC`,
      ...[400, 385, 370].map((y) => `${this.line(`50 ${y} Td`)} q 1 0 0 1 300 ${y} cm /Fm Do Q`),
      ...turned,
    ].join('\n')
  }
}

const glyphs = [...letters]
const drawn = (operator: string): RawObjects => ({
  20: `<</Type/Font/Subtype/Type3/FontBBox[0 0 600 700]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<${glyphs.map((one) => `/${one} 21 0 R`).join('')}/space 22 0 R>>/FirstChar 32/LastChar 122/Widths[${'600 '.repeat(91)}]/Encoding<</Differences[32/space ${glyphs.map((one) => `${one.charCodeAt(0)}/${one}`).join(' ')}]>>/Resources<<>>/ToUnicode 23 0 R>>`,
  21: { body: '<<>>', stream: `${operator} 50 0 450 600 re f` },
  22: { body: '<<>>', stream: '600 0 d0' },
  23: {
    body: '<<>>',
    stream: '1 begincodespacerange <00><ff> endcodespacerange 1 beginbfrange <20><7a><0020> endbfrange',
  },
})

const simple = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`
const resources = `/Font<</F1 ${simple('Helvetica')}/F2 ${simple('Courier-Bold')}/F3 20 0 R>>/XObject<</Fm 30 0 R>>/Shading<</Sh 31 0 R>>/Properties<</L 32 0 R>>`

function pdfOf(content: string, form: string, glyph: string): Buffer {
  return onePage(content, {
    size,
    resources,
    further: {
      1: '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[32 0 R]/D<<>>>>>>',
      ...drawn(glyph),
      30: {
        body: `<</Type/XObject/Subtype/Form/BBox[0 -5 250 20]/Resources<<${resources.replace(/\/XObject.*/, '')}>>>>`,
        stream: form,
      },
      31: '<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 600 0]/Function<</FunctionType 2/Domain[0 1]/C0[1 1 .8]/C1[.8 1 1]/N 1>>/Extend[true true]>>',
      32: '<</Type/OCG/Name(Layer)>>',
    },
  })
}

const folder = join(import.meta.dirname, '../pages/scripts')
const scripts = Object.entries(
  JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8')) as Readonly<Record<string, readonly string[]>>,
)

/** Returns the page with one of texts in 14 scripts above its content, shaped by HarfBuzz. */
function withScript(bytes: Buffer, index: number): Uint8Array {
  const pdf = openedPdf(bytes)
  const source = openedPdf(readFileSync(join(folder, 'scripts.pdf')))
  const drawn = source.findPage(index)
  const form = pdf.addStream(drawn.get('Contents').readStream(), {})
  for (const [key, name] of Object.entries({ Type: 'XObject', Subtype: 'Form' })) form.put(key, pdf.newName(name))
  form.put('BBox', [0, 0, 420, 260])
  form.put('Resources', pdf.newGraftMap().graftObject(drawn.get('Resources')))
  const page = pdf.findPage(0)
  page.get('Resources', 'XObject').put('Script', form)
  const content = `${page.get('Contents').readStream().asString()} q 1 0 0 1 90 700 cm /Script Do Q`
  page.put('Contents', pdf.addStream(content, {}))
  return pdf.saveToBuffer('').asUint8Array().slice()
}

/** Words that a search finds in no other word, which it does without points and in digits of every script. */
function findableOnce(lines: readonly string[]): readonly string[] {
  const plain = (word: string): string => word.normalize('NFKD').replace(/\p{M}/gu, '')
  const words = lines.flatMap((line) => line.split(' '))
  return words.filter(
    (word) => !/[a-z\p{N}]/iu.test(word) && words.filter((other) => plain(other).includes(plain(word))).length === 1,
  )
}

const openedPdf = (bytes: Buffer): InstanceType<typeof mupdf.PDFDocument> => new mupdf.PDFDocument(bytes)

interface Word {
  readonly text: string
  readonly box: readonly number[]
}

const wordsIn = (path: string): readonly Word[] =>
  [
    ...judged('pdftotext', ['-bbox', path, '-'])
      .toString()
      .matchAll(/xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)</g),
  ].map(([, left, top, right, bottom, text = '']) => ({ text, box: [left, top, right, bottom].map(Number) }))

interface Character {
  readonly letter: string
  readonly quad: readonly number[]
}

/** Characters with their corners, as MuPDF reads them. */
const charactersIn = (path: string): readonly Character[] =>
  [
    ...judged('mutool', ['draw', '-q', '-F', 'stext', path])
      .toString()
      .matchAll(/<char quad="(.*?)".*? c="([a-z])"/g),
  ].map(([, quad = '', letter = '']) => ({ letter, quad: quad.split(' ').map(Number) }))

/** Returns the characters that are not among the others, at the same place. */
function without(characters: readonly Character[], others: readonly Character[]): readonly Character[] {
  const left = [...others]
  return characters.filter(({ letter, quad }) => {
    const index = left.findIndex(
      (one) => one.letter === letter && one.quad.every((edge, at) => Math.abs(edge - (quad[at] ?? 0)) < 0.3),
    )
    if (index >= 0) left.splice(index, 1)
    return index < 0
  })
}

const pictureOf = (path: string): Buffer => {
  const file = judged('pdftoppm', ['-r', '72', '-thinlinemode', 'shape', path])
  return file.subarray(file.length - 3 * size[0] * size[1])
}

const lettersOf = (characters: string): readonly string[] =>
  [
    ...characters
      .replace(/[\s\p{Bidi_Control}]/gu, '')
      .normalize('NFKC')
      .replaceAll(' ', ''),
  ].sort()

const textOf = (path: string): string => judged('pdftotext', [path, '-']).toString()

/** Returns the characters of the first that the others have not. */
function lessOf(characters: readonly string[], others: readonly string[]): string {
  const left = [...others]
  return characters
    .filter((one) => {
      const index = left.indexOf(one)
      if (index >= 0) left.splice(index, 1)
      return index < 0
    })
    .join('')
}

interface Reading {
  readonly words: readonly Word[]
  readonly characters: readonly Character[]
  readonly text: string
  readonly pdfjs: string
  readonly picture: Buffer
}

const readingOf = async (path: string): Promise<Reading> => ({
  words: wordsIn(path),
  characters: charactersIn(path),
  text: textOf(path),
  pdfjs: (await pdfjsTexts(path)).join('\n'),
  picture: pictureOf(path),
})

async function tryPage(t: Test, seedOfPage: number): Promise<void> {
  const dice = new Dice(seedOfPage)
  const writer = new Writer(dice)
  const content = writer.content()
  const pageWords = [...writer.words]
  const form = writer.line('0 0 Td').replaceAll('q ', '').replaceAll(' Q', '')
  const glyph = dice.of(['600 0 0 0 500 600 d1', '600 0 d0'])
  const [script, lines] = dice.of(scripts as [Script, ...Script[]])
  const page = withScript(
    pdfOf(content, form, glyph),
    scripts.findIndex(([name]) => name === script),
  )
  const layer = layerOf(t, page)
  const before = await readingOf(layer.sent())
  const first = dice.below(pageWords.length)
  const marked = [
    ...new Set(Array.from({ length: 1 + dice.below(8) }, () => (first + dice.below(12)) % pageWords.length)),
  ].map((index) => pageWords[index] ?? '')
  const ofScript = findableOnce(lines)
  const shaped = dice.below(2) === 0 && ofScript.length > 0 ? [ofScript[dice.below(ofScript.length)] ?? ''] : []
  const about = `seed ${seedOfPage}: ${[...marked, ...shaped].join(' ')}`
  for (const text of [...marked, ...shaped]) await layer.apply({ type: 'annotations.mark', text, wholeWord: true })
  const marks = layer
    .reads(t)
    .annotations(3)
    .annotations.map(({ rect }) => rect)
  await layer.apply({ type: 'redactions.apply' })
  const path = layer.sent()
  const after = await readingOf(path)
  const gone = lettersOf([...marked, ...shaped].join(''))
  t.same(lettersOf(after.text + gone.join('')), lettersOf(before.text), `all text in poppler: ${about}`)
  t.equal(lessOf(lettersOf(after.pdfjs), lettersOf(before.pdfjs)), '', `no other text in pdf.js: ${about}`)
  const missing = lessOf(lettersOf(before.pdfjs), lettersOf(after.pdfjs))
  // pdf.js does not read /ActualText: glyphs of some scripts say nothing to it, or something else.
  const readable = shaped.length > 0 ? missing.replace(/[^a-z]/g, '') : missing
  t.equal(readable, lettersOf(marked.join('')).join(''), `all other text in pdf.js: ${about}`)
  t.same(
    after.words.filter(({ text }) => marked.some((word) => text.includes(word))),
    [],
    `gone: ${about}`,
  )
  const stays = ({ text }: Word) => writer.upright.includes(text) && !marked.includes(text)
  const moved = before.words
    .filter(stays)
    .filter(
      ({ text, box }) =>
        !after.words.some(
          (word) => word.text === text && word.box.every((edge, at) => Math.abs(edge - (box[at] ?? 0)) < 0.5),
        ),
    )
  t.same(moved, [], `words are where they were: ${about}`)
  t.same(without(after.characters, before.characters), [], `characters are where they were: ${about}`)
  const left = without(before.characters, after.characters)
  t.equal(left.length, 5 * marked.length, `no others left: ${about}`)
  const written = everyObject(path)
  t.same(
    marked.filter((word) => written.includes(`(${word}`) || written.includes(Buffer.from(word).toString('hex'))),
    [],
  )
  t.ok(differing(before.picture, after.picture, marks) < snapped, `the picture: ${about}`)
}

/** Counts colours that differ by more than smoothing does, other than near the marks. */
function differing(before: Buffer, after: Buffer, marks: readonly PageBox[]): number {
  let count = 0
  for (let at = 0; at < after.length; at++) {
    if (Math.abs((after[at] ?? 0) - (before[at] ?? 0)) < 96) continue
    const pixel = Math.floor(at / 3)
    const [left, top] = [(pixel % size[0]) + 0.5, Math.floor(pixel / size[0]) + 0.5]
    const isNear = marks.some(
      ({ x, y, width, height }) =>
        left > x - near && left < x + width + near && top > y - near && top < y + height + near,
    )
    if (!isNear) count++
  }
  return count
}

/** Distance in points that letters under a mark reach beyond it. */
const near = 6

type Script = (typeof scripts)[number]

const judges = needs('pdftotext', 'mutool', 'pdftoppm', 'qpdf')

for (let number = 0; number < pageCount; number++) {
  t.test(`what is beside random marks is the same, page ${number}`, judges, (t) => tryPage(t, seed + number))
}

/** Pages that were refused once: a glyph is drawn a quarter of a pixel beside where it was. */
for (const known of [959_259_750]) {
  t.test(`what is beside the marks of a known page is the same: ${known}`, judges, (t) => tryPage(t, known))
}
