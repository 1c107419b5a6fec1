// Redaction permanently removes content under the marks from the file, and nothing else.
import { readFileSync } from 'node:fs'
import t from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { alsoFound } from '../../../workers/redaction/also-found.js'
import { SearchClock } from '../../../workers/redaction/search-clock.js'
import { qpdfOf } from '../../support/pdf/bases.js'
import { layerOf } from '../../support/pdf/changing.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'

const font = `/Resources<<${helvetica}/XObject<</Fm 8 0 R>>>>`
const secretForm = {
  body: `<</Type/XObject/Subtype/Form/BBox[0 0 300 300]/Resources<<${helvetica}>>>>`,
  stream: 'BT /F1 12 Tf 40 100 Td (Formsecret) Tj ET',
}

/** Three pages with shared resources; the first has two marks over content of every type. */
const objects: RawObjects = {
  1: '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 20 0 R/Outlines 25 0 R/AcroForm<</Fields[10 0 R 14 0 R]/DA(/Helv 0 Tf 0 g)>>>>',
  2: `<</Type/Pages/Kids[3 0 R 30 0 R 32 0 R]/Count 3/MediaBox[0 0 300 300]${font}>>`,
  3: '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[5 0 R 6 0 R 7 0 R 9 0 R 10 0 R 11 0 R 15 0 R]/Thumb 12 0 R>>',
  4: {
    body: '<<>>',
    stream:
      '/Span<</ActualText(Topsecret)/MCID 0>>BDC BT /F1 12 Tf 20 200 Td (Hello Topsecret here) Tj ET EMC 1 0 0 rg 30 95 20 20 re f q 0 0 1 RG 3 w 10 120 m 200 120 l S Q /Fm Do BT /F1 12 Tf 20 50 Td (Outside) Tj ET',
  },
  5: '<</Type/Annot/Subtype/Redact/Rect[50 195 104 215]/QuadPoints[50 215 104 215 50 195 104 195]/OverlayText(GONE)/DA(/Helv 9 Tf 1 0 0 rg)/IC[0 1 0]>>',
  6: '<</Type/Annot/Subtype/Redact/Rect[25 90 150 115]/IC[0 0 0]>>',
  7: '<</Type/Annot/Subtype/Link/Rect[55 195 100 215]/A<</S/URI/URI(http://linksecret)>>>>',
  8: secretForm,
  9: '<</Type/Annot/Subtype/Text/Rect[60 198 70 208]/Contents(notesecret)>>',
  10: '<</Type/Annot/Subtype/Widget/FT/Tx/T(alone)/V(valuesecret)/Rect[60 198 90 208]/P 3 0 R>>',
  11: '<</Type/Annot/Subtype/Square/Rect[200 250 240 290]/Contents(far)>>',
  12: { body: '<</Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8>>', stream: 'thumbsecret' },
  14: '<</FT/Tx/T(shared)/V(sharedsecret)/DV(defaultsecret)/Kids[15 0 R 16 0 R]>>',
  15: '<</Type/Annot/Subtype/Widget/Parent 14 0 R/Rect[30 92 90 108]/P 3 0 R>>',
  16: '<</Type/Annot/Subtype/Widget/Parent 14 0 R/Rect[30 92 90 108]/P 32 0 R>>',
  20: '<</Type/StructTreeRoot/K[21 0 R 22 0 R]>>',
  21: '<</Type/StructElem/S/P/ActualText(Topsecret)/Pg 3 0 R/K[0 <</Type/OBJR/Obj 9 0 R>>]>>',
  22: '<</Type/StructElem/S/P/Alt(Topsecret plan)/Pg 30 0 R/K 0>>',
  25: '<</First 26 0 R/Last 26 0 R/Count 1>>',
  26: '<</Title(About Topsecret)/Parent 25 0 R/Dest[3 0 R/Fit]>>',
  30: '<</Type/Page/Parent 2 0 R/Contents 31 0 R>>',
  32: '<</Type/Page/Parent 2 0 R/Annots[16 0 R]>>',
  31: { body: '<<>>', stream: 'BT /F1 12 Tf 20 200 Td (Also topsecret) Tj ET /Fm Do' },
  40: '<</Title(The Topsecret file)>>',
}
const pdf = () => rawPdf(objects, { trailer: '/Info 40 0 R' })

const picture = (path: string, page: number): Buffer =>
  judged('pdftoppm', ['-r', '72', '-f', String(page), '-l', String(page), path])

t.test(
  'content of any type under the marks is removed from the whole file',
  needs('qpdf', 'pdftotext', 'pdftoppm'),
  async (t) => {
    const layer = layerOf(t, pdf())
    const secondPage = picture(layer.sent(), 2)
    const changed = await layer.apply({ type: 'redactions.apply', pages: [pageRef(3)] })
    t.not(changed.rewritten, null)
    t.same(changed.images, [])
    t.ok(changed.endsUndo)
    t.equal(changed.undo, null)
    const path = layer.sent()
    judged('qpdf', ['--check', path])
    const written = everyObject(path)
    for (const secret of ['linksecret', 'notesecret', 'valuesecret', 'sharedsecret', 'defaultsecret', 'thumbsecret']) {
      t.notOk(written.includes(secret), `${secret} is gone`)
      t.notOk(readFileSync(path).includes(secret), `${secret} is not in the bytes`)
    }
    t.notMatch(written, /Hello Topsecret|ActualText/)
    const [first, second] = [1, 2].map((page) =>
      judged('pdftotext', ['-f', `${page}`, '-l', `${page}`, path, '-']).toString(),
    )
    t.match(first, /Hello/)
    t.match(first, /GONE/)
    t.match(first, /here/)
    t.match(first, /Outside/)
    t.notMatch(first, /Topsecret|Formsecret/)
    t.match(second, /Also topsecret[\s\S]*Formsecret/, 'what other pages share they keep')
    t.ok(picture(path, 2).equals(secondPage), 'a page without marks looks as before')
    t.match(written, /far/, 'an annotation beside the marks stays')
  },
)

t.test(
  'the response counts removed content and locates other occurrences of the words, without quoting them',
  async (t) => {
    const layer = layerOf(t, pdf())
    const { items } = await layer.apply({ type: 'redactions.apply' })
    const [item] = items
    t.match(item, {
      scope: { pages: [pageRef(3), pageRef(30), pageRef(32)] },
      results: [
        { page: pageRef(3), status: 'applied', removedAnnotationCount: 6 },
        { page: pageRef(30), status: 'unchanged', removedAnnotationCount: 0 },
        { page: pageRef(32), status: 'unchanged', removedAnnotationCount: 0 },
      ],
      removedAnnotationCount: 6,
    })
    t.notMatch(JSON.stringify(item), /secret/i)
    const places = (item as { alsoFound: { where: string }[] }).alsoFound.map(({ where }) => where)
    for (const place of ['pages', 'metadata', 'bookmarks', 'alternate-text']) t.ok(places.includes(place), place)
  },
)

t.test('the response counts objects that were removed as a whole, by page and kind', async (t) => {
  const layer = layerOf(
    t,
    onePage('/Sh sh q 200 20 50 20 re W n /Sh sh Q', {
      resources: '/Shading<</Sh 6 0 R>>',
      page: '/Annots[5 0 R]',
      further: {
        5: '<</Type/Annot/Subtype/Redact/Rect[50 80 150 120]>>',
        6: '<</ShadingType 1/ColorSpace/DeviceGray/Matrix[300 0 0 200 0 0]/Function 7 0 R>>',
        7: { body: '<</FunctionType 4/Domain[0 1 0 1]/Range[0 1]>>', stream: '{pop}' },
      },
    }),
  )
  const { items } = await layer.apply({ type: 'redactions.apply' })
  t.match(items, [{ removedWhole: [{ page: pageRef(3), kind: 'shadings', count: 1 }] }])
})

t.test('only selected marks are applied, and the others stay', async (t) => {
  const layer = layerOf(t, pdf())
  const ref = { kind: 'objectNumber', page: pageRef(3), objectNumber: 5 }
  await layer.apply({ type: 'redactions.apply', annotations: [ref] })
  const written = everyObject(layer.sent())
  t.match(written, /Formsecret/)
  t.match(written, /Subtype\/Redact/)
  t.notMatch(written, /Hello Topsecret/)
  const wrong = { ...ref, objectNumber: 11 }
  await t.rejects(layer.apply({ type: 'redactions.apply', annotations: [wrong] }), { code: 'InvalidArg' })
})

t.test('without marks the file is not rewritten', async (t) => {
  const layer = layerOf(t, pdf())
  const { rewritten, images, items } = await layer.apply({ type: 'redactions.apply', pages: [pageRef(30)] })
  t.equal(rewritten, null)
  t.same(images, [])
  t.match(items[0], { results: [{ status: 'unchanged' }], alsoFound: { length: 0 } })
})

t.test('a redacted document keeps its encryption', needs('qpdf'), async (t) => {
  const options = ['--encrypt', 'open', 'owner', '256', '--']
  const layer = layerOf(t, qpdfOf(pdf(), options), { password: 'open' })
  await layer.apply({ type: 'redactions.apply' })
  const path = layer.sent()
  judged('qpdf', ['--password=open', '--check', path])
  t.match(judged('qpdf', ['--password=open', '--show-encryption', path]).toString(), /AESv3/)
})

t.test('pixels of a picture under a mark are removed, and the others stay', async (t) => {
  const pixels = Array.from({ length: 64 * 64 }, (_, index) => String.fromCharCode((index * 37) % 251)).join('')
  const picture = '/Type/XObject/Subtype/Image/Width 64/Height 64/ColorSpace/DeviceGray/BitsPerComponent 8'
  const bytes = onePage('q 100 0 0 100 50 50 cm /Im Do Q', {
    resources: '/XObject<</Im 6 0 R>>',
    page: '/Annots[5 0 R]',
    further: {
      5: '<</Type/Annot/Subtype/Redact/Rect[40 40 100 160]>>',
      6: { body: `<<${picture}>>`, stream: pixels },
    },
  })
  const layer = layerOf(t, bytes)
  await layer.apply({ type: 'redactions.apply' })
  await layer.open((document) => {
    const picture = document.pageObject(3).get('Resources', 'XObject')
    const values: Uint8Array[] = []
    picture.forEach((image) => {
      values.push(image.readStream().asUint8Array().slice())
    })
    t.equal(values.length, 1)
    const [left = [], right = []] = [0, 40].map((from) =>
      Array.from({ length: 64 }, (_, row) => [
        ...(values[0] ?? []).slice(row * 64 + from, row * 64 + from + 24),
      ]).flat(),
    )
    t.equal(new Set(left).size, 1)
    t.ok(new Set(right).size > 200)
  })
})

t.test('words on a hidden layer are removed too', async (t) => {
  const bytes = onePage('/OC /Off BDC BT /F1 12 Tf 20 100 Td (Hiddensecret) Tj ET EMC', {
    resources: `${helvetica}/Properties<</Off 6 0 R>>`,
    page: '/Annots[5 0 R]',
    further: {
      1: '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>>>',
      5: '<</Type/Annot/Subtype/Redact/Rect[10 90 200 120]>>',
      6: '<</Type/OCG/Name(Off)>>',
    },
  })
  const layer = layerOf(t, bytes)
  await layer.apply({ type: 'redactions.apply' })
  t.notMatch(everyObject(layer.sent()), /Hidden|secret/)
})

const marked = (content: string, mark: string, options: Partial<Parameters<typeof onePage>[1]> = {}) =>
  onePage(content, {
    resources: helvetica,
    ...options,
    page: `${options.page ?? ''}/Annots[5 0 R]`,
    further: { 5: mark, ...options.further },
  })
const redactMark = (entries: string): string => `<</Type/Annot/Subtype/Redact/Rect[50 80 150 120]${entries}>>`

t.test(
  'the appearance /RO of a mark is drawn instead of its colour and overlay text',
  needs('pdftotext', 'pdftoppm'),
  async (t) => {
    const own = {
      body: `<</Type/XObject/Subtype/Form/BBox[0 0 100 40]/Resources<<${helvetica}>>>>`,
      stream: '0 1 0 rg 0 0 100 40 re f 0 g BT /F1 12 Tf 5 5 Td (Withheld) Tj ET',
    }
    const content = 'BT /F1 12 Tf 60 100 Td (Topsecret) Tj ET'
    const layer = layerOf(
      t,
      marked(content, redactMark('/RO 6 0 R/OverlayText(IGNORED)/IC[1 0 0]'), { further: { 6: own } }),
    )
    await layer.apply({ type: 'redactions.apply' })
    const path = layer.sent()
    t.equal(judged('pdftotext', [path, '-']).toString().trim(), 'Withheld')
    const drawn = picture(path, 1)
    const pixelAt = (x: number, y: number) => [...drawn.subarray(drawn.length - (300 * (y + 1) - x) * 3).subarray(0, 3)]
    t.same(pixelAt(149, 118), [0, 255, 0])
    t.same(pixelAt(51, 82), [0, 255, 0])
    t.same(pixelAt(151, 118), [255, 255, 255])
  },
)

t.test('marks may list corners in any order, on pages with rotation, crop box and user unit', async (t) => {
  const cases = [
    ['BT /F1 12 Tf 60 95 Td (Topsecret) Tj ET', redactMark('/QuadPoints[50 80 150 120 150 80 50 120]'), ''],
    ['BT /F1 12 Tf 60 95 Td (Topsecret) Tj ET', redactMark('/QuadPoints[50 80 150 80 150 120 50 120]'), ''],
    ['BT /F1 12 Tf 60 95 Td (Topsecret) Tj ET', redactMark(''), '/Rotate 90/UserUnit 3/CropBox[20 30 280 190]'],
    [
      '1 0 0 1 900 900 cm BT /F1 12 Tf 60 95 Td (Topsecret) Tj ET',
      redactMark('').replace('[50 80 150 120]', '[1050 1020 950 980]'),
      '/Rotate 270/MediaBox[900 900 1200 1100]/UserUnit .5',
    ],
  ] as const
  for (const [content, mark, page] of cases) {
    const layer = layerOf(t, marked(`${content} BT /F1 12 Tf 160 95 Td (Beside) Tj ET`, mark, { page }))
    await layer.apply({ type: 'redactions.apply' })
    t.notMatch(everyObject(layer.sent()), 'Topsecret')
    t.match(everyObject(layer.sent()), 'Beside')
  }
})

t.test('a slanted mark removes nothing in the corners around it', async (t) => {
  const content = 'BT /F1 10 Tf 0.707 0.707 -0.707 0.707 60 85 Tm (Topsecret) Tj ET BT /F1 10 Tf 52 112 Td (Kept) Tj ET'
  const layer = layerOf(t, marked(content, redactMark('/QuadPoints[52 88 100 136 62 78 110 126]')))
  await layer.apply({ type: 'redactions.apply' })
  t.notMatch(everyObject(layer.sent()), 'Topsecret')
  t.match(everyObject(layer.sent()), 'Kept')
})

t.test('clipped content outside of a mark is unchanged', needs('pdftoppm'), async (t) => {
  const content =
    'q 100 190 m 300 190 300 10 100 10 c 20 10 20 190 100 190 c h W n 1 0 0 rg 160 10 80 180 re f 0 0 1 rg 10 130 80 60 re f Q'
  const layer = layerOf(t, marked(content, redactMark('')))
  const before = picture(layer.sent(), 1)
  await layer.apply({ type: 'redactions.apply' })
  const after = picture(layer.sent(), 1)
  const differing = before.filter((byte, place) => Math.abs(byte - (after[place] ?? 0)) > 40).length
  t.ok(differing < 30, `${differing} bytes differ`)
})

t.test('text shown with the line operators stays in its position', needs('pdftoppm'), async (t) => {
  const content = `BT /F1 12 Tf 14 TL 60 60 Td (a) ' 2 1 (\\' b c) " (d)Tj ET % ' \n/Fm Do`
  const drawn = { ...secretForm, stream: "BT /F1 12 Tf 9 TL 160 60 Td (f) ' ET" }
  const layer = layerOf(
    t,
    marked(content, redactMark(''), { resources: `${helvetica}/XObject<</Fm 6 0 R>>`, further: { 6: drawn } }),
  )
  const before = picture(layer.sent(), 1)
  await layer.apply({ type: 'redactions.apply' })
  t.ok(picture(layer.sent(), 1).equals(before))
})

t.test('marks can be applied over random content that is beside, partly under or under them', async (t) => {
  let state = 7
  const between = (low: number, high: number): string => {
    state = (state * 48_271) % 2_147_483_647
    return (low + (state / 2_147_483_647) * (high - low)).toFixed(2)
  }
  const place = () => `${between(30, 170)} ${between(60, 140)}`
  const size = () => `${between(0, 60)} ${between(0, 60)}`
  const placed = () => `q ${between(5, 90)} 0 0 ${between(5, 90)} ${place()} cm`
  const drawings = [
    () => `${place()} ${size()} re f`,
    () => `${between(0, 6)} w ${place()} ${size()} re S`,
    () => `0 w ${place()} m ${place()} l S`,
    () => `2 J 10 M ${between(0, 6)} w ${place()} m ${place()} l ${place()} l S`,
    () => `BT /F1 ${between(2, 30)} Tf ${place()} Td (Some (gjpqy)|_ text) Tj ET`,
    () =>
      `BT /F1 12 Tf ${between(-1, 1)} ${between(-1, 1)} ${between(-1, 1)} ${between(-1, 1)} ${place()} Tm (Turned) Tj ET`,
    () => `q ${place()} m ${place()} ${place()} ${place()} c h W n 200 20 20 20 re f Q`,
    () => `${placed()} /Im Do Q`,
    () => `${placed()} /One Do Q`,
    () => `${placed()} /Mask Do Q`,
    () => `q ${place()} ${size()} re W n /Sh sh Q`,
    () => `q .8 0 0 .8 ${place()} cm /Fm Do Q`,
    () => `/Pattern cs /P scn ${place()} ${size()} re f`,
    () => `/Pattern cs /P scn BT /F1 20 Tf ${place()} Td (Pattern) Tj ET`,
    () => `/Pattern cs /P scn ${placed()} /Mask Do Q`,
    () => `q BT 7 Tr /F1 20 Tf ${place()} Td (Clipping) Tj ET /Sh sh Q`,
  ]
  const gray = '/Type/XObject/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceGray'
  const noise = Array.from({ length: 400 }, (_, index) => String.fromCharCode((index * 37) % 251)).join('')
  const further: RawObjects = {
    6: { body: `<<${gray}/Width 20/Height 20>>`, stream: noise },
    7: { body: `<<${gray}/Width 1/Height 1>>`, stream: 'X' },
    8: { body: '<</Subtype/Image/ImageMask true/BitsPerComponent 1/Width 8/Height 8>>', stream: 'abcdefgh' },
    9: '<</ShadingType 2/ColorSpace/DeviceGray/Coords[60 0 140 0]/Function<</FunctionType 2/Domain[0 1]/N 1>>/Extend[true true]>>',
    10: { ...secretForm, stream: 'BT /F1 9 Tf 10 10 Td (Form text) Tj ET 40 40 10 10 re f' },
    11: {
      body: `<</PatternType 1/PaintType 1/TilingType 1/BBox[0 0 20 20]/XStep 20/YStep 20/Resources<<${helvetica}>>>>`,
      stream: 'BT /F1 6 Tf 1 1 Td (tile) Tj ET',
    },
  }
  const resources = `${helvetica}/XObject<</Im 6 0 R/One 7 0 R/Mask 8 0 R/Fm 10 0 R>>/Shading<</Sh 9 0 R>>/Pattern<</P 11 0 R>>`
  for (const drawing of drawings) {
    for (let round = 0; round < 4; round++) {
      const content = drawing()
      const layer = layerOf(t, marked(content, redactMark(''), { resources, further }))
      await t.resolves(layer.apply({ type: 'redactions.apply' }), content)
    }
  }
})

t.test('the search for other occurrences ends after its time limit and reports it', async (t) => {
  const layer = layerOf(t, pdf())
  await layer.alter((change) => {
    const [enough, none] = [new SearchClock(), new SearchClock(0)]
    t.ok(alsoFound(change, ['Topsecret'], enough).length > 0)
    t.ok(enough.wasEnough)
    t.same(alsoFound(change, ['Topsecret'], none), [])
    t.notOk(none.wasEnough)
  })
  const { items } = await layer.apply({ type: 'redactions.apply' })
  t.match(items, [{ alsoFoundComplete: true }])
})
