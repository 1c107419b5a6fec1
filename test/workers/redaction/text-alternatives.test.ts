// Alternate text of marked content stays on a redacted page where nothing of its content was removed, something of it is
// seen, and it says nothing that was removed; all other goes, however it is written (rule 4.7).
import t, { type Test } from 'tap'
import { layerOf } from '../../support/pdf/changing.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { helvetica, onePage, type RawObjects } from '../../support/pdf/raw-pdf.js'

interface Page {
  readonly content: string
  readonly resources?: string
  readonly further?: RawObjects
}

const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex')
const octal = (text: string): string =>
  [...Buffer.from(text, 'utf16le').swap16()].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
const hidden = 'BT /F1 12 Tf 60 100 Td (Topsecret) Tj ET'
/** A glyph beside the mark, under properties. */
const span = (properties: string, shown = '(x) Tj'): string =>
  `/Span ${properties} BDC BT /F1 12 Tf 20 20 Td ${shown} ET EMC`
const said = (text: string): string => `<</ActualText(${text})>>`
const form = (stream: string, entries = ''): { body: string; stream: string } => ({
  body: `<</Type/XObject/Subtype/Form/BBox[0 0 300 200]${entries}/Resources<<${helvetica}>>>>`,
  stream,
})

/** A pattern whose cell has alternate text. */
const cell = (width: number, height: number): { body: string; stream: string } => ({
  body: `<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 ${width} ${height}]/XStep ${width}/YStep ${height}/Resources<<${helvetica}>>>>`,
  stream: span(said('A plan of somebody')),
})

/** A font whose glyph has no text of its own. */
const drawnFont = (marked = ''): Pick<Page, 'resources' | 'further'> => ({
  resources: helvetica.replace('/Font<<', '/Font<</T 20 0 R'),
  further: {
    20: '<</Type/Font/Subtype/Type3/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/Encoding<</Differences[97/xyzzy]>>/FirstChar 97/LastChar 97/Widths[1000]/Resources<<>>/CharProcs<</xyzzy 21 0 R>>/ToUnicode 22 0 R>>',
    21: { body: '<<>>', stream: `1000 0 d0 ${marked} 100 0 500 700 re f` },
    22: { body: '<<>>', stream: '1 begincodespacerange <00><ff> endcodespacerange 1 beginbfchar <61><fffd> endbfchar' },
  },
})
const unnamed = (text: string, at: string): string => `/Span ${said(text)} BDC BT /T 12 Tf ${at} Td (a) Tj ET EMC`

/** Pages with a mark over the word; what they also say of it is not removed with the glyphs. */
const revealing: Readonly<Record<string, Page>> = {
  'as it is': { content: span(said('Topsecret')) },
  'in other case, among other words': { content: span(said('the TOPSECRET plan')) },
  'with hyphens': { content: span(said('Top-sec-ret plan')) },
  'in hexadecimal digits': { content: span(`<</ActualText<${Buffer.from('Topsecret').toString('hex')}>>>`) },
  'in digits with white space between': { content: span(`<</ActualText<FEFF 00 54 00 6f ${utf16('psecret')}>>>`) },
  'in UTF-16': { content: span(`<</ActualText<feff${utf16('Topsecret')}>>>`) },
  'in UTF-16, escaped': { content: span(`<</ActualText(\\376\\377${octal('Topsecret')})>>`) },
  'in UTF-8': { content: span(`<</ActualText<efbbbf${Buffer.from('Topsecret').toString('hex')}>>>`) },
  'escaped, over lines': { content: span(said('Top\\163e\\\ncret')) },
  'in full-width letters': { content: span(`<</ActualText<feff${utf16('Ｔｏｐｓｅｃｒｅｔ')}>>>`) },
  'under a key in another form': { content: span('<</Actual#54ext(Topsecret)>>') },
  'as the second of two': { content: span('<</ActualText(Nothing)/ActualText(Topsecret)>>') },
  'half of it': { content: span(said('Topse')) },
  'as a description': { content: span('<</Alt(A Topsecret plan)>>') },
  'as an expansion': { content: span('<</E(Topsecret)>>') },
  'in a key that no reader has': { content: span('<</Mine(Topsecret)>>') },
  'in two halves': { content: `${span(said('Tops'))} ${span(said('ecret'))}` },
  'in two halves with glyphs between': {
    content: `${span(said('Tops'))} ${hidden.replace('60 100', '20 60').replace('Topsecret', 'Else')} ${span(said('ecret'))}`,
  },
  'in letters': { content: [...'Topsecret'].map((one) => span(said(one))).join(' ') },
  'together with glyphs': { content: `${span(said('Top'))} BT /F1 12 Tf 30 20 Td (secret) Tj ET` },
  'among the resources': { content: span('/P'), resources: `/Properties<</P ${said('Topsecret')}>>` },
  'in an object of its own': {
    content: span('/P'),
    resources: '/Properties<</P 20 0 R>>',
    further: { 20: '<</ActualText 21 0 R>>', 21: '(Topsecret)' },
  },
  'in a list that two spans have': {
    content: `/Span /P BDC ${hidden} EMC ${span('/P')}`,
    resources: `/Properties<</P ${said('A plan of somebody')}>>`,
  },
  'in a list of a layer': {
    content: span('/P'),
    resources: '/Properties<</P 20 0 R>>',
    further: { 20: '<</Type/OCG/Name(L)/ActualText(Topsecret)>>' },
  },
  'around the word': { content: `/Span ${said('A plan of somebody')} BDC ${hidden} ${span('<<>>')} EMC` },
  'around a form that has the word': {
    content: `/Span ${said('A plan of somebody')} BDC BT /F1 12 Tf 20 20 Td (x) Tj ET /Fm Do EMC`,
    resources: '/XObject<</Fm 20 0 R>>',
    further: { 20: form(hidden) },
  },
  'around a part of the word': {
    content: `BT /F1 12 Tf 20 100 Td /Span ${said('A plan of somebody')} BDC (Outside Topsecret) Tj EMC ET`,
  },
  'around a picture under the mark': {
    content: `/Figure <</Alt(A plan of somebody)>> BDC q 90 0 0 30 40 90 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q EMC`,
  },
  'around a line under the mark': { content: '/Figure <</Alt(A plan of somebody)>> BDC 10 100 m 290 100 l S EMC' },
  'around a gradient under the mark': {
    content: '/Figure <</Alt(A plan of somebody)>> BDC /Sh sh EMC',
    resources:
      '/Shading<</Sh<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 300 0]/Function<</FunctionType 2/Domain[0 1]/N 1>>>>>>',
  },
  'in a form beside the mark': {
    content: '/Fm Do',
    resources: '/XObject<</Fm 20 0 R>>',
    further: { 20: form(span(said('Topsecret'))) },
  },
  'in a span that a form does not close': {
    content: `/Fm Do ${span(said('A plan of somebody'))}`,
    resources: '/XObject<</Fm 20 0 R>>',
    further: { 20: form('/Span <<>> BDC BT /F1 12 Tf 20 20 Td (x) Tj ET') },
  },
  'in a span that nothing closes': {
    content: `BT /F1 12 Tf 20 20 Td (x) Tj ET /Span ${said('A plan of somebody')} BDC BT /F1 12 Tf 20 20 Td (x) Tj ET`,
  },
  'in a pattern': {
    content: '/Pattern cs /P scn 200 20 50 50 re f',
    resources: '/Pattern<</P 20 0 R>>',
    further: { 20: cell(30, 30) },
  },
  'in the cell of a pattern under the mark': {
    content: '/Pattern cs /P scn 0 0 300 200 re f',
    resources: '/Pattern<</P 20 0 R>>',
    further: { 20: cell(300, 200) },
  },
  'in a glyph that is drawn': {
    content: 'BT /T 12 Tf 200 20 Td (a) Tj ET',
    ...drawnFont(`/Span ${said('A plan of somebody')} BDC EMC`),
  },
  'of a glyph without a text': { content: unnamed('Topsecret', '20 20'), ...drawnFont() },
  'of another word without a text': {
    content: `${unnamed('A plan of somebody', '60 100')} ${unnamed('The plan of somebody', '20 20')}`,
    ...drawnFont(),
  },
  'in a soft mask': {
    content: `q /G gs ${span('<<>>')} Q`,
    resources: '/ExtGState<</G<</SMask<</S/Luminosity/G 20 0 R>>>>>>',
    further: {
      20: {
        body: `<</Type/XObject/Subtype/Form/BBox[0 0 60 60]/Group<</S/Transparency/CS/DeviceGray>>/Resources<<${helvetica}>>>>`,
        stream: span(said('A plan of somebody')),
      },
    },
  },
  'of a form that is also drawn under the mark': {
    content: '/Fm Do q 1 0 0 1 40 80 cm /Fm Do Q',
    resources: '/XObject<</Fm 20 0 R>>',
    further: { 20: form(span(said('A plan of somebody'))) },
  },
  'of a point': { content: '/Span <</ActualText(A plan of somebody)>> DP' },
  'without glyphs': { content: `/Span ${said('A plan of somebody')} BDC EMC` },
  'of a blank glyph': { content: span(said('A plan of somebody'), '( ) Tj') },
  'of an invisible glyph': { content: span(said('A plan of somebody'), '3 Tr (x) Tj 0 Tr') },
  'of a glyph without a size': { content: span(said('A plan of somebody'), '/F1 0 Tf (x) Tj') },
  'of a glyph beside the page': { content: span(said('A plan of somebody'), '-50 0 Td (x) Tj') },
  'of a glyph that is clipped': { content: `q 200 150 9 9 re W n ${span(said('A plan of somebody'))} Q` },
  'of a path that paints nothing': { content: `/Span ${said('A plan of somebody')} BDC 20 20 9 9 re n EMC` },
  'of a picture under the mark': {
    content: `/Span ${said('A plan of somebody')} BDC q 9 0 0 9 60 90 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q EMC`,
  },
}

const spellings = (text: string): readonly string[] => [text, utf16(text), Buffer.from(text).toString('hex')]

const written = async (t: Test, { content, resources = '', further = {} }: Page) => {
  const layer = layerOf(
    t,
    onePage(`${hidden} ${content}`, {
      resources: resources.includes('/Font') ? resources : `${helvetica}${resources}`,
      page: '/Annots[5 0 R]',
      further: { 5: '<</Type/Annot/Subtype/Redact/Rect[50 90 150 120]>>', ...further },
    }),
  )
  const { items } = await layer.apply({ type: 'redactions.apply' })
  return { items, objects: everyObject(layer.sent()).toLowerCase() }
}

t.test('alternate text goes that may say what was removed, or that nothing shows', async (t) => {
  for (const [name, page] of Object.entries(revealing)) {
    const { objects } = await written(t, page)
    const parts = ['Topsecret', 'topse', 'ecret', 'plan of somebody']
    t.same(
      parts
        .flatMap(spellings)
        .filter((one) => objects.includes(one.toLowerCase()) && !(one === 'ecret' && name.startsWith('together'))),
      [],
      name,
    )
    t.notMatch(objects, /\/(?:actualtext|alt|e) ?[(<]/, name)
  }
})

const kept: Readonly<Record<string, Page & { readonly stays: readonly string[] }>> = {
  'of glyphs beside the mark': { content: span(said('A plan of somebody')), stays: ['A plan of somebody'] },
  'the last of two': { content: span('<</ActualText(Topsecret)/ActualText(A plan)>>'), stays: ['A plan'] },
  'with a number of the structure': {
    content: span('<</MCID 7/ActualText(A plan)>>'),
    stays: ['A plan'],
  },
  'among the resources': {
    content: span('/P'),
    resources: '/Properties<</P 20 0 R>>',
    further: { 20: '<</ActualText 21 0 R/E(Some more)>>', 21: '(A plan)' },
    stays: ['A plan', 'Some more'],
  },
  'of a picture': {
    content: '/Figure <</Alt(A logo)>> BDC q 9 0 0 9 200 20 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q EMC',
    stays: ['A logo'],
  },
  'of a path': { content: '/Figure <</Alt(A logo)>> BDC 200 20 9 9 re f EMC', stays: ['A logo'] },
  'of a form': {
    content: '/Figure <</Alt(A logo)>> BDC /Fm Do EMC',
    resources: '/XObject<</Fm 20 0 R>>',
    further: { 20: form(span(said('A plan'))) },
    stays: ['A logo', 'A plan'],
  },
  'within a span of which something was removed': {
    content: `/Span ${said('All of it')} BDC ${hidden} ${span(said('A plan'))} EMC`,
    stays: ['A plan'],
  },
  'of the same glyphs without a text as were removed': {
    content: `${unnamed('A plan', '60 100')} ${unnamed('A plan', '20 20')}`,
    ...drawnFont(),
    stays: ['A plan'],
  },
  'that says nothing': {
    content: `${span(said(''))} ${span('<</ActualText<feff00ad>>>', '( ) Tj')}`,
    stays: ['', '\u00ad'],
  },
  'of glyphs that say the same': { content: span(said('TOP'), '(Top) Tj'), stays: ['TOP'] },
  'after a span that ends twice': {
    content: `EMC /Fm Do ${span(said('A plan'))}`,
    resources: '/XObject<</Fm 20 0 R>>',
    further: { 20: form('EMC') },
    stays: ['A plan'],
  },
  'of a line with the same long word, but other letters': {
    content: span(said('Tops of hills')),
    stays: ['Tops of hills'],
  },
}

t.test('alternate text of what is seen beside the marks stays as it is', async (t) => {
  for (const [name, page] of Object.entries(kept)) {
    const { objects } = await written(t, page)
    const found = [...objects.matchAll(/\/(?:actualtext|alt|e)<feff([0-9a-f]*)>/g)].map(([, digits]) => digits)
    t.same([...new Set(found)].sort(), page.stays.map(utf16).sort(), name)
  }
})
