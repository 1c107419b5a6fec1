// Pictures, exports and flattening show the same annotations: field values, even if the form has stale appearances, and
// nothing that only the engine would draw.
import { writeFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { differenceMax, pagePictures } from '../../support/pdf/page-pictures.js'
import { difference, type Pixels, pixelAt } from '../../support/pdf/pictures.js'
import { onePage, type RawObjects } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'

const drawing = (stream: string) => ({ body: '<</Type/XObject/Subtype/Form/BBox[0 0 80 20]>>', stream })
const font = '/Helv<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>'

interface Page {
  /** Annotations are numbered from object 10. */
  readonly annotations: readonly string[]
  readonly form?: string
  readonly page?: string
  readonly further?: RawObjects
}

function pageWith({ annotations, form = '', page = '', further = {} }: Page): Buffer {
  const numbers = annotations.map((_, index) => 10 + index)
  const fields = numbers.filter((_, index) => annotations[index]?.includes('/Widget'))
  const list = (all: readonly number[]): string => all.map((number) => `${number} 0 R`).join(' ')
  const boxes = page.includes('/MediaBox') ? '' : '/MediaBox[0 0 300 200]'
  return onePage('.9 g 0 0 300 10 re f', {
    further: {
      3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[${list(numbers)}]${boxes}${page}>>`,
      1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${list(fields)}]/DA(/Helv 12 Tf 0 g)/DR<</Font<<${font}>>>>${form}>>>>`,
      ...Object.fromEntries(annotations.map((body, index) => [10 + index, `<</Type/Annot/P 3 0 R${body}>>`])),
      30: drawing('BT 1 0 0 rg /F1 12 Tf 5 5 Td (STALE) Tj ET'),
      31: drawing('0 .6 0 RG 2 w 1 1 78 18 re S'),
      ...further,
    },
  })
}

const stale = '/AP<</N 30 0 R>>'
const leftToReaders = '/NeedAppearances true'
const widget = (rect: string, entries: string): string => `/Subtype/Widget/F 4/Rect[${rect}]${entries}`

/** Fields of every kind that shows text, each with an appearance that shows something else. */
const staleFields = (password: string) => [
  widget('10 160 90 180', `/FT/Tx/T(text)/V(CURRENT)${stale}`),
  widget('100 160 180 180', `/FT/Tx/T(bare)/V(BARE)`),
  widget('190 160 270 180', `/FT/Ch/Ff 131072/T(combo)/Opt[[(x)(Shown)]]/V(x)${stale}`),
  widget('10 110 90 150', `/FT/Ch/T(list)/Opt[(one)(two)]/V(two)/I[1]${stale}`),
  widget('100 110 180 130', `/FT/Tx/Ff 8192/T(secret)/V(${password})${stale}`),
  widget('190 110 270 130', `/FT/Tx/T(empty)${stale}`),
]

/** Returns pictures before and after the flatten, and the text that poppler then reads. */
async function flattened(t: Test, layer: ChangingLayer) {
  const before = await pagePictures(t, layer)
  await layer.apply({ type: 'pages.flatten', usage: 'display' })
  const after = await pagePictures(t, layer)
  const text = judged('pdftotext', ['-layout', layer.sent(), '-']).toString()
  return { before, after, text }
}

t.test(
  'a form with NeedAppearances shows its values, also once flattened',
  needs('pdftoppm', 'pdftotext'),
  async (t) => {
    const layer = layerOf(t, pageWith({ annotations: staleFields('Ab'), form: leftToReaders }))
    const source = judged('pdftotext', ['-layout', layer.sent(), '-']).toString()
    const { before, after, text } = await flattened(t, layer)
    t.equal(difference(before.ours, after.ours), 0)
    for (const shown of ['CURRENT', 'BARE', 'Shown', 'two']) {
      t.match(source, shown)
      t.match(text, shown)
    }
    t.notMatch(text, /STALE|Ab/)
  },
)

t.test('an exported appearance of a field shows the same as its picture', needs('pdftotext'), async (t) => {
  const layer = layerOf(t, pageWith({ annotations: staleFields('Ab'), form: leftToReaders }))
  const page = { kind: 'objectNumber', objectNumber: 3 } as const
  const texts: string[] = []
  for (const objectNumber of [10, 11, 12, 14]) {
    const path = Workshop.of(t).path(`export-${objectNumber}.pdf`)
    writeFileSync(path, await layer.reads(t).appearances(3, [{ kind: 'objectNumber', page, objectNumber }]))
    texts.push(judged('pdftotext', [path, '-']).toString().trim())
  }
  t.same(texts, ['CURRENT', 'BARE', 'Shown', '••'])
})

t.test('a password is drawn as dots, even with NeedAppearances', needs('pdftoppm'), async (t) => {
  const pictureOf = async (password: string): Promise<Pixels> => {
    const layer = layerOf(t, pageWith({ annotations: staleFields(password), form: leftToReaders }))
    return (await pagePictures(t, layer, { family: 'fields' })).ours
  }
  t.equal(difference(await pictureOf('WWW'), await pictureOf('iii')), 0)
  t.not(difference(await pictureOf('WWW'), await pictureOf('W')), 0)
})

const white = [255, 255, 255, 255]

t.test('an unsigned field shows its own appearance or nothing', needs('pdftoppm', 'pdftotext'), async (t) => {
  const signature = (rect: string, entries = ''): string => widget(rect, `/FT/Sig/T(${rect})${entries}`)
  const annotations = [
    signature('10 160 90 180', '/AP<</N 31 0 R>>'),
    signature('100 160 180 180'),
    signature('190 160 270 180', '/AP<</N 32 0 R>>'),
  ]
  const layer = layerOf(t, pageWith({ annotations, further: { 32: drawing('') } }))
  const { before, after } = await flattened(t, layer)
  for (const pixels of [before.ours, before.poppler, after.ours, after.poppler]) {
    t.same(pixelAt(pixels, 11, 30), [0, 153, 0, 255], 'its frame')
    for (let x = 95; x < 280; x++) for (let y = 15; y < 45; y++) if (!isWhite(pixels, x, y)) t.fail(`${x} ${y}`)
  }
})

const isWhite = (pixels: Pixels, x: number, y: number): boolean =>
  pixelAt(pixels, x, y).every((value, index) => value === white[index])

t.test(
  'annotations without appearance are shown as a flatten draws them',
  needs('pdftoppm', 'pdftotext'),
  async (t) => {
    const frame = '/MK<</BC[1 0 0]/BG[.9 1 .9]/CA(Caption)>>/BS<</W 1>>'
    const annotations = [
      widget('10 160 90 180', `/FT/Tx/T(text)/V(Value)${frame}`),
      widget('100 160 180 180', `/FT/Sig/T(sign)${frame}`),
      widget('190 160 270 180', `/FT/Btn/Ff 65536/T(push)${frame}`),
      widget('10 130 30 150', '/FT/Btn/T(on)/V/Yes/AS/Yes/MK<</BC[1 0 0]>>'),
      widget('40 130 60 150', '/FT/Btn/Ff 32768/T(radio)/V/Off/AS/Off/MK<</BC[1 0 0]>>'),
      '/Subtype/Redact/Rect[100 130 150 150]/F 4',
      '/Subtype/Text/Rect[160 130 180 150]/Name/Help/F 4',
      '/Subtype/Text/Rect[190 130 210 150]/Name/Comment/C[1 1 0]/F 28',
      '/Subtype/FileAttachment/Rect[220 130 240 150]/F 4',
      '/Subtype/Square/Rect[10 90 60 120]/C[0 0 1]/F 4',
      '/Subtype/Highlight/Rect[70 90 120 120]/QuadPoints[70 120 120 120 70 90 120 90]/C[1 1 0]/F 4',
      '/Subtype/FreeText/Rect[130 90 180 120]/DA(/Helv 10 Tf 0 g)/Contents(Free)/F 4',
      '/Subtype/Stamp/Rect[190 90 240 120]/Name/Draft/F 4',
    ]
    for (const page of ['', '/Rotate 90']) {
      const { before, after, text } = await flattened(t, layerOf(t, pageWith({ annotations, page })))
      t.ok(difference(before.ours, after.ours) < differenceMax, `${page} ${difference(before.ours, after.ours)}`)
      if (page === '') t.match(text, /Value[\s\S]*Caption/)
    }
  },
)

const pages: Readonly<Record<string, string>> = {
  whole: '/MediaBox[0 0 300 200]',
  cropped: '/MediaBox[0 0 300 200]/CropBox[50 40 290 190]',
  'with negative coordinates': '/MediaBox[-20 -30 300 200]/CropBox[-20 -30 300 200]',
  'with a user unit': '/MediaBox[0 0 300 200]/UserUnit 2',
}

t.test(
  'upright annotations on a rotated page are placed like in poppler',
  needs('pdftoppm', 'pdftotext'),
  async (t) => {
    const further = { 33: drawing('1 0 0 rg 0 0 80 20 re f 0 0 1 rg 0 0 20 10 re f') }
    const note = '/Subtype/Text/Rect[100 100 180 120]/F 28/AP<</N 33 0 R>>'
    // A note is upright whatever its flags are (ISO 32000-2, 12.5.6.4).
    const plainNote = '/Subtype/Text/Rect[130 60 150 80]/F 4/AP<</N 33 0 R>>'
    const field = widget('200 80 280 100', '/FT/Tx/T(upright)/V(x)/F 20/AP<</N 33 0 R>>')
    for (const [what, entries] of Object.entries(pages)) {
      const turned: Pixels[] = []
      for (const rotation of [0, 90, 180, 270]) {
        const page = `${entries}/Rotate ${rotation}`
        const bytes = pageWith({ annotations: [note, plainNote, field.replace('/F 4', '')], page, further })
        const layer = layerOf(t, bytes)
        if (rotation === 90) turned.push((await pagePictures(t, layer, { rotation: 0 })).ours)
        if (rotation === 0) turned.push((await pagePictures(t, layer)).ours)
        const { before, after } = await flattened(t, layer)
        const found = [difference(before.ours, before.poppler), difference(before.ours, after.ours)]
        t.ok(Math.max(...found) < 0.3, `${what} ${rotation}: ${found}`)
      }
      const [asItIs, turnedBack] = turned
      t.equal(
        asItIs && turnedBack && difference(asItIs, turnedBack),
        0,
        `rotation of the page does not change how annotations are drawn: ${what}`,
      )
    }
  },
)

t.test('a list box shows its selection, scrolled only as far as needed', needs('pdftotext'), async (t) => {
  const options = Array.from({ length: 12 }, (_, index) => `(row${index})`).join('')
  const listOf = (entries: string): string => widget('10 100 90 150', `/FT/Ch/T(list)/Opt[${options}]${entries}`)
  const cases: readonly (readonly [entries: string, shown: RegExp, hidden: RegExp])[] = [
    ['', /row0/, /row9/],
    ['/V(row1)', /row0/, /row9/],
    ['/V(row9)', /row9/, /row0|row10/],
    ['/V(row9)/TI 8', /row8[\s\S]*row9[\s\S]*row10/, /row7/],
    ['/V(row2)/TI 8', /row2/, /row1|row8/],
  ]
  for (const [entries, shown, hidden] of cases) {
    const layer = layerOf(t, pageWith({ annotations: [listOf(entries)] }))
    await layer.apply({ type: 'pages.flatten', usage: 'display' })
    const text = judged('pdftotext', ['-bbox', layer.sent(), '-']).toString()
    const whole = [...text.matchAll(/yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">(\w+)</g)]
    const rows = whole.filter(([, top, bottom]) => Number(top) > 45 && Number(bottom) < 105).map(([, , , word]) => word)
    t.match(rows.join(' '), shown, entries)
    t.notMatch(rows.join(' '), hidden, entries)
  }
})
