// Content in every construct that can hide it: a redaction removes it under a mark, or is refused.
import t, { type Test } from 'tap'
import { layerOf } from '../../support/pdf/changing.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { helvetica, onePage, type RawObject, type RawObjects } from '../../support/pdf/raw-pdf.js'

interface Hiding {
  readonly content: string
  readonly resources?: string
  readonly page?: string
  readonly further?: RawObjects
  readonly gone: readonly string[]
  readonly kept?: readonly string[]
}

const mark = '<</Type/Annot/Subtype/Redact/Rect[50 80 150 120]>>'
const words = 'BT /F1 12 Tf 60 100 Td (Topsecret) Tj ET'
const outside = 'BT /F1 12 Tf 20 20 Td (Outside) Tj ET'
const form = (stream: string, entries = '', resources = helvetica): RawObject => ({
  body: `<</Type/XObject/Subtype/Form/BBox[0 0 300 200]${entries}/Resources<<${resources}>>>>`,
  stream,
})
const image = (entries: string, stream: string): RawObject => ({
  body: `<</Type/XObject/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceGray/Width 4/Height 4${entries}>>`,
  stream,
})
const axial =
  '<</ShadingType 2/ColorSpace/DeviceRGB/Coords[60 0 140 0]/Function<</FunctionType 2/Domain[0 1]/N 1/C1[0 0 .77]>>/Extend[true true]>>'
/** Function-based shading, whose colours may be any picture. */
const painted = {
  6: '<</ShadingType 1/ColorSpace/DeviceGray/Matrix[300 0 0 200 0 0]/Function 7 0 R>>',
  7: { body: '<</FunctionType 4/Domain[0 1 0 1]/Range[0 1]>>', stream: '{pop .77 mul}' },
}
const pattern = (stream: string, entries = ''): RawObject => ({
  body: `<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 300 200]/XStep 300/YStep 200/Resources<<${helvetica}>>${entries}>>`,
  stream,
})
const drawnFont = (glyph: string, entries = '/FontBBox[0 0 1000 1000]/Widths[1000 1000]') => ({
  6: `<</Type/Font/Subtype/Type3/FontMatrix[.001 0 0 .001 0 0]${entries}/CharProcs<</secretA 7 0 R/b 8 0 R>>/Encoding<</Differences[97/secretA/b]>>/FirstChar 97/LastChar 98/Resources<<>>/ToUnicode 9 0 R>>`,
  7: { body: '<<>>', stream: glyph },
  8: { body: '<<>>', stream: '1000 0 0 0 750 750 d1 444 0 75 750 re f' },
  9: {
    body: '<<>>',
    stream: '1 begincodespacerange <00> <FF> endcodespacerange 2 beginbfchar <61> <005300650063> <62> <0042> endbfchar',
  },
})
const hidden = '/OCProperties<</OCGs[7 0 R]/D<</OFF[7 0 R]>>>>'

const hidings: Readonly<Record<string, Hiding>> = {
  'a shading through a clip': {
    content: `q 61 91 50 20 re W n /Sh sh Q q 200 90 50 20 re W n /Sh sh Q ${outside}`,
    resources: `${helvetica}/Shading<</Sh 6 0 R>>`,
    further: { 6: axial },
    gone: ['61 91'],
    kept: ['200 90', '.77', 'Outside'],
  },
  'a shading nothing clips': {
    content: `/Sh sh ${outside}`,
    resources: `${helvetica}/Shading<</Sh 6 0 R>>`,
    further: painted,
    gone: ['.77', '/Sh'],
    kept: ['Outside'],
  },
  'a shading pattern': {
    content: '/Pattern cs /P scn 60 90 50 20 re f',
    resources: '/Pattern<</P<</PatternType 2/Shading 6 0 R>>>>',
    further: { 6: axial },
    gone: ['.77'],
  },
  'the outline of a clip': {
    content: 'q 20 100 m 77 111 l 93 91 l 280 20 l h W n 200 20 10 10 re f Q',
    gone: ['77 111', '93 91'],
    kept: ['200 20 10 10 re', '280 20'],
  },
  'a clip nothing is drawn through': {
    content: `q 60 90 33 17 re W n Q ${words}`,
    resources: helvetica,
    gone: ['33 17'],
  },
  'text outside of a text object': {
    content: `${outside} q 1 0 0 1 60 100 cm /F1 12 Tf (Topsecret) Tj Q`,
    resources: helvetica,
    gone: ['Topsecret'],
    kept: ['Outside'],
  },
  'text in a mode there is none of': {
    content: `${outside} 9 Tr ${words} -1 Tr ${words} 4294967296 Tr ${words}`,
    resources: helvetica,
    gone: ['Topsecret'],
    kept: ['Outside'],
  },
  'text in a pattern that is none': {
    content: `${outside} q /Pattern cs ${words} Q /P scn ${words}`,
    resources: helvetica,
    gone: ['Topsecret'],
    kept: ['Outside'],
  },
  'text of a form that is drawn in a pattern': {
    content: `${outside} /Space CS /P SCN 1 Tr /Fm Do`,
    resources: `${helvetica}/ColorSpace<</Space[/Pattern]>>/Pattern<</P<</PatternType 2/Shading<</ShadingType 9>>>>>>/XObject<</Fm 6 0 R>>`,
    further: { 6: form(words) },
    gone: ['Topsecret'],
    kept: ['Outside'],
  },
  'a picture scaled to nothing': {
    content: `q 50 0 0 0 60 100 cm /Im Do Q q 0 0 0 0 60 90 cm /Im Do Q ${outside}`,
    resources: `${helvetica}/XObject<</Im 6 0 R>>`,
    further: { 6: image('', 'TopsecretSamples') },
    gone: ['TopsecretSamples'],
    kept: ['Outside'],
  },
  'content that something else names too': {
    content: `${words} ${outside}`,
    resources: helvetica,
    page: '/Annots 8 0 R',
    further: {
      1: '<</Type/Catalog/Pages 2 0 R/Names<</Drafts[(one) 4 0 R]>>>>',
      8: '[5 0 R]',
    },
    gone: ['Topsecret'],
    kept: ['Outside'],
  },
  'a pattern that another page names too': {
    content: `${outside} /Pattern cs /P scn 0 0 300 200 re f`,
    resources: `${helvetica}/Pattern<</P 7 0 R>>`,
    further: {
      2: `<</Type/Pages/Kids[3 0 R 8 0 R]/Count 2>>`,
      7: pattern(words),
      8: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Pattern<</P 7 0 R>>>>>>',
    },
    gone: ['Topsecret'],
    kept: ['Outside'],
  },
  'words that clip': {
    content: `q BT /F1 12 Tf 7 Tr 60 100 Td (Topsecret) Tj ET 0 0 300 200 re f Q ${outside}`,
    resources: helvetica,
    gone: ['Topsecret'],
    kept: ['Outside'],
  },
  'a form on a layer that is off': {
    content: '/Fm Do',
    resources: '/XObject<</Fm 6 0 R>>',
    further: {
      1: `<</Type/Catalog/Pages 2 0 R${hidden}>>`,
      6: form(words, '/OC 7 0 R'),
      7: '<</Type/OCG/Name(Off)>>',
    },
    gone: ['Topsecret'],
  },
  'drawings on a layer that is off': {
    content: '/OC/L BDC 60 90 33 17 re f q 60 90 33 18 re W n /Sh sh Q q 100 0 0 100 50 50 cm /Im Do Q EMC',
    resources: '/XObject<</Im 8 0 R>>/Shading<</Sh 6 0 R>>/Properties<</L 7 0 R>>',
    further: {
      1: `<</Type/Catalog/Pages 2 0 R${hidden}>>`,
      6: axial,
      7: '<</Type/OCG/Name(Off)>>',
      8: image('', 'aaaaSeCrtttttttt'),
    },
    gone: ['33 17', '33 18', '.77', 'SeCr'],
  },
  'a glyph the file draws itself': {
    content: 'BT /T 12 Tf 60 100 Td (ab) Tj ET BT /T 12 Tf 200 20 Td (b) Tj ET',
    resources: '/Font<</T 6 0 R>>',
    further: drawnFont('1000 0 0 0 750 750 d1 333 0 75 750 re f'),
    gone: ['333 0', 'secretA', '00530065'],
    kept: ['444 0', '<62> <0042>'],
  },
  'a glyph drawn far from where it stands': {
    content: 'BT /T 12 Tf 10 10 Td (a) Tj ET',
    resources: '/Font<</T 6 0 R>>',
    further: drawnFont('0 0 0 0 1 1 d1 5000 7000 4000 1333 re f', '/FontBBox[0 0 1 1]/Widths[0 0]'),
    gone: ['4000 1333'],
  },
  'a pattern with words': {
    content: `/Pattern cs /P scn 0 0 300 200 re f BT /F1 400 Tf -10 10 Td (M) Tj ET q 300 0 0 200 0 0 cm /Im Do Q`,
    resources: `${helvetica}/XObject<</Im 7 0 R>>/Pattern<</P 6 0 R>>`,
    further: {
      6: pattern(words),
      7: { body: '<</Type/XObject/Subtype/Image/ImageMask true/Width 8/Height 1/BitsPerComponent 1>>', stream: '\x00' },
    },
    gone: ['Topsecret'],
  },
  'a pattern with words that another area is filled with': {
    content: '/Pattern cs /P scn 0 70 300 60 re f 0 0 300 40 re f',
    resources: '/Pattern<</P 6 0 R>>',
    further: { 6: pattern(`${words} ${outside}`) },
    gone: ['Topsecret'],
    kept: ['Outside'],
  },
  'a pattern with words that a line and letters are drawn with, and two tiles of which are on the page': {
    content:
      '/Pattern CS /P SCN 60 w 0 100 m 300 100 l S 0 25 m 300 25 l S /Pattern cs /P scn BT /F1 90 Tf 0 0 Td (M) Tj ET',
    resources: `${helvetica}/Pattern<</P 6 0 R>>`,
    further: { 6: pattern(`${words} ${outside}`, '/Matrix[1 0 0 1 -3 0]') },
    gone: ['Topsecret'],
    kept: ['Outside'],
  },
  'a pattern in a form': {
    content: 'q 1 0 0 1 10 0 cm /X Do Q',
    resources: '/XObject<</X 7 0 R>>',
    further: {
      6: pattern(`${words} ${outside}`),
      7: form('/Pattern cs /P scn 0 0 280 200 re f', '', '/Pattern<</P 6 0 R>>'),
    },
    gone: ['Topsecret'],
    kept: ['Outside'],
  },
  'a soft mask with words': {
    content: `q /G gs 0 0 300 200 re f Q q /G gs ${outside} Q`,
    resources: `${helvetica}/ExtGState<</G 6 0 R>>`,
    further: {
      6: '<</SMask<</S/Luminosity/G 7 0 R>>>>',
      7: form(`1 g ${words} BT /F1 12 Tf 20 150 Td (Beside) Tj ET`, '/Group<</S/Transparency/CS/DeviceGray>>'),
    },
    gone: ['Topsecret'],
    kept: ['Outside', 'Beside'],
  },
  'an inline image': {
    content: `q 100 0 0 100 50 50 cm BI /W 4 /H 4 /CS /G /BPC 8 ID aaaaSeCrtttttttt EI Q ${outside}`,
    resources: helvetica,
    gone: ['SeCr', '53654372'],
    kept: ['Outside'],
  },
  'the mask, the alternates and the notes of an image': {
    content: 'q 100 0 0 100 50 50 cm /Im Do Q',
    resources: '/XObject<</Im 6 0 R>>',
    further: {
      6: image(
        '/SMask 9 0 R/Alternates[<</Image 7 0 R>>]/OPI<</2.0<</F(opisecret)>>>>/Metadata 8 0 R/PieceInfo<</X(piecesecret)>>',
        'aaaabbbbcccctttt',
      ),
      7: image('', 'aaaaAlTsttttttst'),
      8: { body: '<</Type/Metadata/Subtype/XML>>', stream: '<x>metasecret</x>' },
      9: image('', 'aaaaSeCrtttttttt'),
    },
    gone: ['SeCr', 'AlTs', 'opisecret', 'metasecret', 'piecesecret'],
  },
  'the notes of a form': {
    content: '/Fm Do q 1 0 0 1 0 60 cm /Fm Do Q',
    resources: '/XObject<</Fm 6 0 R>>',
    further: {
      6: form(
        `BT /F1 12 Tf 60 100 Td (Topsecret) Tj 140 0 Td (Kept) Tj ET 60 39 20 20 re f`,
        '/PieceInfo<</X<</Private(piecesecret)>>>>/OPI<</2.0<</F(opisecret)>>>>/Metadata 8 0 R/Ref<</F(refsecret)>>/Mine(minesecret)',
      ),
      8: { body: '<</Type/Metadata/Subtype/XML>>', stream: '<x>metasecret</x>' },
    },
    gone: ['piecesecret', 'opisecret', 'metasecret', 'refsecret', 'minesecret'],
    kept: ['Kept', 'Topsecret'],
  },
  'what marked content says': {
    content: `/Span<</MCID 0/Mine[(privatesecret)]/E(longsecret)>>BDC ${words} EMC /Pt<</Data(pointsecret)>>DP /Named/N BDC ${outside} EMC`,
    resources: `${helvetica}/Properties<</N<</MCID 7/Data(namedsecret)/ActualText(actualsecret)>>>>`,
    gone: ['Topsecret', 'privatesecret', 'longsecret', 'pointsecret', 'namedsecret', 'actualsecret'],
    kept: ['Outside', '/MCID 0', '/MCID 7'],
  },
  'what the page and its structure say': {
    content: `/P<</MCID 0>>BDC ${words} EMC`,
    resources: helvetica,
    page: '/AF[<</F(filesecret)>>]/AA<</O<</S/JavaScript/JS(scriptsecret)>>>>/Mine(minesecret)',
    further: {
      1: '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 10 0 R>>',
      10: '<</Type/StructTreeRoot/K[11 0 R]>>',
      11: '<</S/Sect/P 10 0 R/Alt(altsecret)/K[12 0 R]>>',
      12: '<</S/P/P 11 0 R/ActualText(actualsecret)/Phoneme(soundsecret)/A[<</O/UserProperties/P[<</N(n)/V(usersecret)>>]>>]/K[<</Type/MCR/Pg 3 0 R/MCID 0>>]>>',
    },
    gone: [
      'Topsecret',
      'filesecret',
      'scriptsecret',
      'minesecret',
      'altsecret',
      'actualsecret',
      'soundsecret',
      'usersecret',
    ],
    kept: ['/MCR', '/Sect'],
  },
  'annotations and fields, also those that reach in a little, stand inline, or lie nowhere': {
    content: '',
    page: '/Annots[5 0 R<</Type/Annot/Subtype/Text/Rect[60 90 70 100]/Contents(inlinesecret)>> 6 0 R 7 0 R 10 0 R 12 0 R]',
    further: {
      1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[7 0 R]/CO[7 0 R]/DA(/Helv 9 Tf)>>>>',
      6: '<</Type/Annot/Subtype/FreeText/Rect[140 110 290 190]/Contents(partsecret)/DA(/Helv 9 Tf)/AP<</N 8 0 R>>>>',
      7: '<</Type/Annot/Subtype/Widget/FT/Tx/T(f)/V(valuesecret)/TU(tipsecret)/TM(mapsecret)/AA<</K<</S/JavaScript/JS(scriptsecret)>>>>/Rect[60 90 140 110]/MK<</CA(captionsecret)>>>>',
      8: form('BT /F1 12 Tf 60 100 Td (drawnsecret) Tj ET'),
      10: '<</Type/Annot/Subtype/FileAttachment/Rect[60 90 70 100]/FS<</Type/Filespec/F(namesecret)/EF<</F 11 0 R>>>>>>',
      11: { body: '<</Type/EmbeddedFile>>', stream: 'filesecret' },
      12: '<</Type/Annot/Subtype/Text/Contents(nowheresecret)>>',
    },
    gone: [
      ...['inlinesecret', 'partsecret', 'drawnsecret', 'valuesecret', 'tipsecret', 'mapsecret', 'scriptsecret'],
      ...['captionsecret', 'filesecret', 'namesecret', 'nowheresecret'],
    ],
  },
  'what no operator uses any more': {
    content: `/G gs ${words} (operandsecret) foo`,
    resources: `${helvetica}/XObject<</Fm 6 0 R>>/ExtGState<</G<</Mine(statesecret)>>>>/Mine(listsecret)`,
    further: { 6: form('BT /F1 12 Tf 60 100 Td (formsecret) Tj ET') },
    gone: ['Topsecret', 'operandsecret', 'statesecret', 'formsecret', 'listsecret'],
  },
}

const layerWith = (t: Test, { content, resources = '', page = '/Annots[5 0 R]', further = {} }: Omit<Hiding, 'gone'>) =>
  layerOf(
    t,
    onePage(content, {
      resources,
      page: page.includes('/Annots') ? page : `${page}/Annots[5 0 R]`,
      further: { 5: mark, ...further },
    }),
  )

for (const [what, hiding] of Object.entries(hidings)) {
  t.test(`removed under a mark: ${what}`, async (t) => {
    const layer = layerWith(t, hiding)
    const before = everyObject(layer.sent())
    await layer.apply({ type: 'redactions.apply' })
    const after = everyObject(layer.sent())
    t.ok(hiding.gone.some((secret) => before.includes(secret)))
    for (const secret of hiding.gone) t.notOk(after.includes(secret), `${secret} is gone`)
    for (const retained of hiding.kept ?? []) t.ok(after.includes(retained), `${retained} stays`)
  })
}

const refused: Readonly<Record<string, Omit<Hiding, 'gone'>>> = {
  'a form that draws itself': {
    content: '/Fm Do',
    resources: '/XObject<</Fm 6 0 R>>',
    further: { 6: form(`${words} /Fm Do`, '', `${helvetica}/XObject<</Fm 6 0 R>>`) },
  },
  'a pattern that is filled with itself': {
    content: '/Pattern cs /P scn 200 20 50 50 re f',
    resources: '/Pattern<</P 6 0 R>>',
    further: {
      6: {
        body: '<</Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<</Pattern<</P 6 0 R>>>>>>',
        stream: '/Pattern cs /P scn 0 0 9 9 re f',
      },
    },
  },
  'forms that double each other': {
    content: '/A Do',
    resources: '/XObject<</A 10 0 R>>',
    further: Object.fromEntries(
      Array.from({ length: 14 }, (_, n) => [
        10 + n,
        form(n === 13 ? words : '/A Do /A Do', '', `${helvetica}/XObject<</A ${11 + n} 0 R>>`),
      ]),
    ),
  },
  'words behind an image whose entries are nested without end': {
    content: `BI /W 8 /H 8 /DP ${'<</A '.repeat(20_000)}1${'>>'.repeat(20_000)} /CS ${'['.repeat(20_000)}${']'.repeat(20_000)} ID x EI ${words}`,
    resources: helvetica,
  },
  'a mark without an area': {
    content: words,
    resources: helvetica,
    further: { 5: mark.replace('[50 80 150 120]', '[1 1 1 1]') },
  },
  'a mark whose place cannot be read': {
    content: words,
    resources: helvetica,
    further: { 5: mark.replace('[50 80 150 120]', '[0 0 1e30 1e30]') },
  },
}

for (const [what, hiding] of Object.entries(refused)) {
  t.test(`refused: ${what}`, async (t) => {
    const layer = layerWith(t, hiding)
    await t.rejects(layer.apply({ type: 'redactions.apply' }), { code: 'MalformedPdf' })
  })
}
