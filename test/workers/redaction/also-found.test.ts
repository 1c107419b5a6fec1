// The response reports every other place where the removed words occur.
import t from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { layerOf } from '../../support/pdf/changing.js'
import { helvetica, type RawObject, type RawObjects, rawPdf } from '../../support/pdf/raw-pdf.js'

interface Place {
  readonly catalog?: string
  /** Dictionary entries of the page without marks. */
  readonly page?: string
  /** Entries of a form XObject that this page draws. */
  readonly drawing?: string
  readonly further?: RawObjects
  readonly where: string
  readonly isOnPage?: true
}

const packet = (text: string, entries = ''): RawObject => ({
  body: `<</Type/Metadata/Subtype/XML${entries}>>`,
  stream: `<x:xmpmeta xmlns:x="adobe:ns:meta/"><d>${text}</d></x:xmpmeta>`,
})
const coded = [...'Topsecret'].map((character) => `&#x${character.charCodeAt(0).toString(16)};`).join('')
const noted = '/PieceInfo<</Program<</LastModified(D:2026)/Private<</Kept[(a)(Topsecret plan)]>>>>>>'
const signature = (entries: string): RawObjects => ({
  20: '<</FT/Sig/T(s)/V 21 0 R/Type/Annot/Subtype/Widget/Rect[0 0 0 0]>>',
  21: `<</Type/Sig/Filter/Adobe.PPKLite/Contents<00>/ByteRange[0 1 2 3]${entries}>>`,
})
const signed = '/AcroForm<</Fields[20 0 R]>>'

const places: Readonly<Record<string, Place>> = {
  'the appearance of a stamp': {
    page: '/Annots[20 0 R]',
    further: {
      20: '<</Type/Annot/Subtype/Stamp/Rect[10 10 110 60]/AP<</N 21 0 R>>>>',
      21: {
        body: `<</Type/XObject/Subtype/Form/BBox[0 0 100 50]/Resources<<${helvetica}>>>>`,
        stream: 'BT /F1 12 Tf 5 5 Td (Topsecret) Tj ET',
      },
    },
    where: 'annotations',
    isOnPage: true,
  },
  'the appearance of a field': {
    page: '/Annots[20 0 R]',
    further: {
      20: '<</Type/Annot/Subtype/Widget/FT/Tx/T(t)/Rect[10 10 110 60]/AP<</N 21 0 R>>>>',
      21: {
        body: `<</Type/XObject/Subtype/Form/BBox[0 0 100 50]/Resources<<${helvetica}>>>>`,
        stream: 'BT /F1 12 Tf 5 5 Td (Topsecret) Tj ET',
      },
    },
    where: 'annotations',
    isOnPage: true,
  },
  'labels of pages': { catalog: '/PageLabels<</Nums[0<</P(Topsecret )/S/D>>]>>', where: 'page-labels' },
  'the reason of a signature': { catalog: signed, further: signature('/Reason(My topsecret)'), where: 'form' },
  'the name of a signer': { catalog: signed, further: signature('/Name(Topsecret)'), where: 'form' },
  'the place of a signature': { catalog: signed, further: signature('/Location(Topsecret)'), where: 'form' },
  'whom to ask about a signature': { catalog: signed, further: signature('/ContactInfo(Topsecret)'), where: 'form' },
  'the title of an article': {
    catalog: '/Threads[20 0 R]',
    further: { 20: '<</Type/Thread/I<</Title(About Topsecret)>>>>' },
    where: 'articles',
  },
  'metadata in character references': {
    catalog: '/Metadata 20 0 R',
    further: { 20: packet(coded) },
    where: 'metadata',
  },
  'metadata of a page': {
    page: '/Metadata 20 0 R',
    further: { 20: packet('Topsecret') },
    where: 'metadata',
    isOnPage: true,
  },
  'metadata of a drawing': {
    drawing: '/Metadata 20 0 R',
    further: { 20: packet('Topsecret') },
    where: 'metadata',
    isOnPage: true,
  },
  'what programs noted about a page': { page: noted, where: 'metadata', isOnPage: true },
  'what programs noted about a drawing': { drawing: noted, where: 'metadata', isOnPage: true },
  'what programs noted about the document': { catalog: noted, where: 'metadata' },
}

for (const [what, { catalog = '', page = '', drawing = '', further = {}, where, isOnPage }] of Object.entries(places)) {
  t.test(`words are found in ${what}`, async (t) => {
    const bytes = rawPdf({
      1: `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
      3: `<</Type/Page/Parent 2 0 R/Contents 5 0 R/Annots[6 0 R]/Resources<<${helvetica}>>>>`,
      4: `<</Type/Page/Parent 2 0 R/Contents 7 0 R/Resources<</XObject<</Fm 8 0 R>>>>${page}>>`,
      5: { body: '<<>>', stream: 'BT /F1 12 Tf 60 95 Td (Topsecret) Tj ET' },
      6: '<</Type/Annot/Subtype/Redact/Rect[50 80 150 120]>>',
      7: { body: '<<>>', stream: '/Fm Do' },
      8: { body: `<</Type/XObject/Subtype/Form/BBox[0 0 9 9]${drawing}>>`, stream: '0 0 9 9 re f' },
      ...further,
    })
    const { items } = await layerOf(t, bytes).apply({ type: 'redactions.apply' })
    const [item] = items
    const found = isOnPage ? { where, page: pageRef(4), count: 1 } : { where, count: 1 }
    t.match(item, { alsoFoundComplete: true })
    t.strictSame((item as { alsoFound: unknown }).alsoFound, [found])
  })
}

interface PageContent {
  readonly content: string
  /** Entries of the page and of its resources. */
  readonly page?: string
  readonly resources?: string
  readonly where?: string
}

const line = 'BT /F1 12 Tf 60 95 Td (Topsecret) Tj ET'
const contents: Readonly<Record<string, PageContent>> = {
  'divided at the end of a line': { content: 'BT /F1 12 Tf 14 TL 60 95 Td (a Topse-) Tj T* (cret) Tj ET' },
  'below each other': {
    content: `BT /F1 12 Tf 12 TL 60 190 Td ${[...'Topsecret'].map((one) => `(${one}) Tj T*`).join(' ')} ET`,
  },
  'with its letters set apart': { content: 'BT /F1 12 Tf 3 Tc 60 95 Td (a Topsecret plan) Tj ET' },
  'with its letters far apart': { content: 'BT /F1 12 Tf 12 Tc 60 95 Td (a Topsecret plan) Tj ET' },
  'of no size': { content: 'BT /F1 0 Tf 60 95 Td (Topsecret) Tj ET' },
  'outside of the crop box': { content: line, page: '/CropBox[0 0 300 90]' },
  'on a hidden layer': { content: `/OC /L BDC ${line} EMC`, resources: '/Properties<</L 20 0 R>>' },
  clipped: { content: `q 0 0 9 9 re W n ${line} Q` },
  'under other words': { content: `/Span<</ActualText(nothing)>>BDC ${line} EMC` },
  'instead of other words': { content: `/Span<</ActualText(Topsecret)>>BDC BT /F1 12 Tf 60 95 Td (x) Tj ET EMC` },
  'in a description': { content: '/Span<</Alt(Topsecret)/MCID 0>>BDC 0 0 9 9 re f EMC', where: 'alternate-text' },
  'in a description among the resources': {
    content: '/Span /D BDC 0 0 9 9 re f EMC',
    resources: '/Properties<</D<</E(Topsecret)>>>>',
    where: 'alternate-text',
  },
}

for (const [what, { content, page = '', resources = '', where = 'pages' }] of Object.entries(contents)) {
  t.test(`words are found in the content of other pages: ${what}`, async (t) => {
    const bytes = rawPdf({
      1: '<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[20 0 R]/D<</OFF[20 0 R]>>>>>>',
      2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
      3: `<</Type/Page/Parent 2 0 R/Contents 5 0 R/Annots[6 0 R]/Resources<<${helvetica}>>>>`,
      4: `<</Type/Page/Parent 2 0 R/Contents 7 0 R/Resources<<${helvetica}${resources}>>${page}>>`,
      5: { body: '<<>>', stream: line },
      6: '<</Type/Annot/Subtype/Redact/Rect[50 80 150 120]>>',
      7: { body: '<<>>', stream: content },
      20: '<</Type/OCG/Name(Off)>>',
    })
    const { items } = await layerOf(t, bytes).apply({ type: 'redactions.apply' })
    const [item] = items as unknown as { alsoFound: object[]; alsoFoundComplete: boolean }[]
    t.equal(item?.alsoFoundComplete, true)
    const found = item?.alsoFound ?? []
    t.match(
      found.find((one) => (one as { where: string }).where === where),
      { where, page: pageRef(4), count: 1 },
      JSON.stringify(found),
    )
  })
}

t.test('the words of characters that were drawn one by one are found', async (t) => {
  const single = [...'Topsecret'].map((one) => `(${one}) Tj`).join(' ')
  const bytes = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
    3: `<</Type/Page/Parent 2 0 R/Contents 5 0 R/Annots[6 0 R]/Resources<<${helvetica}>>>>`,
    4: `<</Type/Page/Parent 2 0 R/Contents 7 0 R/Resources<<${helvetica}>>>>`,
    5: { body: '<<>>', stream: `BT /F1 12 Tf 60 95 Td ${single} ET` },
    6: '<</Type/Annot/Subtype/Redact/Rect[50 80 150 120]>>',
    7: { body: '<<>>', stream: line },
  })
  const { items } = await layerOf(t, bytes).apply({ type: 'redactions.apply' })
  t.match(items, [{ alsoFound: [{ where: 'pages', page: pageRef(4), count: 1 }] }])
})

t.test('the words of letters that are set apart are found, and no others that read like them', async (t) => {
  const bytes = rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
    3: `<</Type/Page/Parent 2 0 R/Contents 5 0 R/Annots[6 0 R]/Resources<<${helvetica}>>>>`,
    4: `<</Type/Page/Parent 2 0 R/Contents 7 0 R/Resources<<${helvetica}>>>>`,
    5: { body: '<<>>', stream: 'BT /F1 12 Tf 3 Tc 55 95 Td (Secret) Tj ET' },
    6: '<</Type/Annot/Subtype/Redact/Rect[50 80 150 120]>>',
    7: { body: '<<>>', stream: 'BT /F1 12 Tf 14 TL 60 95 Td (a secret) Tj T* (a sec retain, sec ret) Tj ET' },
  })
  const { items } = await layerOf(t, bytes).apply({ type: 'redactions.apply' })
  t.match(items, [{ alsoFound: [{ where: 'pages', page: pageRef(4), count: 1 }] }])
})

const stamp = '2026-07-04T00:00:00'
const dated = `<r xmp:ModifyDate="${stamp}+02:00"><xmp:CreateDate>${stamp}Z</xmp:CreateDate></r>`

for (const [redacted, title, count] of [
  ['DE89 2026 0704 0000 0000 00', '', 0],
  ['DE89 2026 0704 0000 0000 00', '0000 0704', 2],
  ['Seen 20260704000000', '', 1],
  [`Seen ${stamp}`, '', 2],
] as const) {
  t.test(`dates that programs wrote are found as a whole only: ${redacted}, ${count}`, async (t) => {
    const bytes = rawPdf(
      {
        1: '<</Type/Catalog/Pages 2 0 R/Metadata 20 0 R>>',
        2: '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
        3: `<</Type/Page/Parent 2 0 R/Contents 5 0 R/Annots[6 0 R]/Resources<<${helvetica}>>>>`,
        5: { body: '<<>>', stream: `BT /F1 12 Tf 20 95 Td (${redacted}) Tj ET` },
        6: '<</Type/Annot/Subtype/Redact/Rect[0 80 300 120]>>',
        7: `<</CreationDate(D:20260704000000+02'00')/Title(${title})>>`,
        20: packet(dated),
      },
      { trailer: '/Info 7 0 R' },
    )
    const { items } = await layerOf(t, bytes).apply({ type: 'redactions.apply' })
    t.match(items, [{ alsoFound: count === 0 ? { length: 0 } : [{ where: 'metadata', count }] }])
  })
}
