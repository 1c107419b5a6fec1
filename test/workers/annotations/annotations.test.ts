import t, { type Test } from 'tap'
import type { Annotation } from '../../../workers/contract/annotations/annotation.js'
import { type AnnotatedPdf, annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { readsOf } from '../../support/pdf/reads.js'

type Of<Subtype extends Annotation['subtype']> = Extract<Annotation, { subtype: Subtype }>

/** Returns the first annotation, which must have the subtype. Page point (x, y) is user point (20 + x, 580 - y). */
function only<Subtype extends Annotation['subtype']>(
  t: Test,
  subtype: Subtype,
  entries: string,
  rest: AnnotatedPdf = {},
): Of<Subtype> {
  const [annotation] = readsOf(t, annotatedPdf({ annotations: [entries], ...rest })).annotations().annotations
  if (annotation === undefined || !isOf(annotation, subtype)) throw new Error(`read ${annotation?.subtype}`)
  return annotation
}

const isOf = <Subtype extends Annotation['subtype']>(
  annotation: Annotation,
  subtype: Subtype,
): annotation is Of<Subtype> => annotation.subtype === subtype

const rect = '/Rect[30 480 130 560]'
const pageRect = { x: 10, y: 20, width: 100, height: 80 }

t.test('every annotation has the common members, empty ones as null (shapes 5)', async (t) => {
  const annotation = only(t, 'square', `/Subtype/Square${rect}`)
  t.same(annotation, {
    subtype: 'square',
    ref: { kind: 'objectNumber', page: { kind: 'objectNumber', objectNumber: 3 }, objectNumber: 10 },
    page: { kind: 'objectNumber', objectNumber: 3 },
    hasAppearance: false,
    appearanceState: null,
    rect: pageRect,
    nm: null,
    contents: null,
    subject: null,
    blendMode: 'normal',
    invisible: false,
    hidden: false,
    print: false,
    noZoom: false,
    noRotate: false,
    noView: false,
    readOnly: false,
    locked: false,
    toggleNoView: false,
    lockedContents: false,
    reply: null,
    popup: null,
    groupId: null,
    author: null,
    createdAt: null,
    modifiedAt: null,
    userId: null,
    createdBy: null,
    modifiedBy: null,
    importedBy: null,
    actions: null,
    color: '#000000',
    opacity: 1,
    strokeWidth: 1,
    borderStyle: 'solid',
    dashArray: null,
    interiorColor: null,
    box: pageRect,
    rotation: null,
    cloudyIntensity: null,
  })
})

t.test('entries of the file are read into the common members', async (t) => {
  const entries = `${rect}/NM(id-1)/Contents(\xfe\xff\x26\x3a)/Subj(About)/T(Ann)/CreationDate(D:20260102)/M(D:20260103040506+02'00')
    /AP<</N<</On 50 0 R>>>>/AS/On/BM/ColorDodge/A<</S/URI/URI(https://example.com)>>/AA<</E<</S/Hide>>/Fo 5>>`
  t.match(only(t, 'circle', `/Subtype/Circle${entries}`), {
    hasAppearance: true,
    appearanceState: 'On',
    nm: 'id-1',
    contents: '☺',
    subject: 'About',
    author: 'Ann',
    createdAt: '2026-01-02T00:00:00Z',
    modifiedAt: '2026-01-03T04:05:06+02:00',
    blendMode: 'color-dodge',
    actions: {
      activate: { root: { type: 'uri' } },
      cursorEnter: { root: { type: 'hide', subtype: 'Hide', next: { length: 0 } } },
      focus: { root: null, warnings: ['malformed-next'], warningFlags: 2 },
    },
  })
})

t.test('each bit of /F is a member of its own', async (t) => {
  const names = [
    'invisible',
    'hidden',
    'print',
    'noZoom',
    'noRotate',
    'noView',
    'readOnly',
    'locked',
    'toggleNoView',
    'lockedContents',
  ] as const
  const annotations = names.map((_, bit) => `/Subtype/Text${rect}/F ${1 << bit}`)
  const read = readsOf(t, annotatedPdf({ annotations })).annotations().annotations
  t.same(
    read.map((annotation) => names.filter((name) => annotation[name])),
    names.map((name) => [name]),
  )
})

t.test('an annotation without a blend mode has that of its appearance', async (t) => {
  const further = {
    50: {
      body: '<</Subtype/Form/BBox[0 0 1 1]/Resources<</ExtGState<</A<</BM/Normal>>/B<</BM[/Darken/Multiply]>>>>>>>>',
      stream: '',
    },
  }
  t.equal(only(t, 'highlight', `/Subtype/Highlight${rect}/AP<</N 50 0 R>>`, { further }).blendMode, 'darken')
  t.equal(only(t, 'highlight', `/Subtype/Highlight${rect}`).blendMode, 'multiply')
  t.equal(only(t, 'underline', `/Subtype/Underline${rect}/BM/Nonsense`).blendMode, 'normal')
})

t.test(
  'colours of one, three and four components are #rrggbb; a missing colour is black, a missing fill is null',
  async (t) => {
    const colors = ['[0.5]', '[1 0.2 0]', '[0 1 0 0.5]', '[]', '[1 2]', '[-1 9 .5]', '/Red']
    const annotations = colors.map((color) => `/Subtype/Square${rect}/C${color}/IC${color}`)
    const read = readsOf(t, annotatedPdf({ annotations })).annotations().annotations
    t.same(
      read.map((annotation) => isOf(annotation, 'square') && [annotation.color, annotation.interiorColor]),
      [
        ['#808080', '#808080'],
        ['#ff3300', '#ff3300'],
        ['#800080', '#800080'],
        ['#000000', null],
        ['#000000', null],
        ['#00ff80', '#00ff80'],
        ['#000000', null],
      ],
    )
  },
)

t.test('borders are read from /BS, else from /Border', async (t) => {
  const border = (entries: string) => {
    const { strokeWidth, borderStyle, dashArray } = only(t, 'ink', `/Subtype/Ink${rect}${entries}`)
    return { strokeWidth, borderStyle, dashArray }
  }
  t.same(border('/BS<</W 2.5/S/D/D[4 2]>>/Border[0 0 9]'), {
    strokeWidth: 2.5,
    borderStyle: 'dashed',
    dashArray: [4, 2],
  })
  t.same(border('/BS<</S/D>>'), { strokeWidth: 1, borderStyle: 'dashed', dashArray: [3] })
  t.same(border('/BS<</S/B/W -4>>'), { strokeWidth: 1, borderStyle: 'beveled', dashArray: null })
  t.same(border('/BS<</S/I>>'), { strokeWidth: 1, borderStyle: 'inset', dashArray: null })
  t.same(border('/Border[0 0 3[6]]'), { strokeWidth: 3, borderStyle: 'dashed', dashArray: [6] })
  t.same(border('/Border[0 0 0]'), { strokeWidth: 0, borderStyle: 'solid', dashArray: null })
  t.same(border('/Border[0]/BS 7'), { strokeWidth: 1, borderStyle: 'solid', dashArray: null })
})

t.test('opacity is limited to values between 0 and 1', async (t) => {
  for (const [written, read] of [
    ['.25', 0.25],
    ['7', 1],
    ['-1', 0],
    ['/x', 1],
  ] as const) {
    t.equal(only(t, 'caret', `/Subtype/Caret${rect}/CA ${written}`).opacity, read)
  }
})

t.test('corners of quads are returned in reading order, whatever their order in the file', async (t) => {
  const quad = {
    upperLeft: { x: 80, y: 80 },
    upperRight: { x: 180, y: 80 },
    lowerLeft: { x: 80, y: 100 },
    lowerRight: { x: 180, y: 100 },
  }
  const orders = [
    '100 500 200 500 100 480 200 480', // upper left, upper right, lower left, lower right
    '100 480 200 480 200 500 100 500', // counter-clockwise, as the standard has it
    '100 480 200 480 100 500 200 500', // lower pair first
    '100 500 200 500 200 480 100 480', // clockwise
  ]
  for (const order of orders)
    t.same(only(t, 'highlight', `/Subtype/Highlight${rect}/QuadPoints[${order}]`).quadPoints, [quad], order)
  const turned = '100 100 100 200 120 100 120 200' // text that runs upwards
  t.same(only(t, 'underline', `/Subtype/Underline${rect}/QuadPoints[${turned}]`).quadPoints, [
    {
      upperLeft: { x: 80, y: 480 },
      upperRight: { x: 80, y: 380 },
      lowerLeft: { x: 100, y: 480 },
      lowerRight: { x: 100, y: 380 },
    },
  ])
})

t.test('text markup without usable quads covers its rectangle; surplus numbers are ignored', async (t) => {
  const whole = [
    {
      upperLeft: { x: 10, y: 20 },
      upperRight: { x: 110, y: 20 },
      lowerLeft: { x: 10, y: 100 },
      lowerRight: { x: 110, y: 100 },
    },
  ]
  for (const quads of ['', '/QuadPoints[]', '/QuadPoints[1 2 3]', '/QuadPoints[(a) 2 3 4 5 6 7 8]', '/QuadPoints 5']) {
    t.same(only(t, 'squiggly', `/Subtype/Squiggly${rect}${quads}`).quadPoints, whole, quads)
  }
  t.equal(only(t, 'squiggly', `/Subtype/Squiggly${rect}/QuadPoints[${'1 '.repeat(19)}]`).quadPoints.length, 2)
})

t.test('a strikeout may be an edit of text', async (t) => {
  t.equal(only(t, 'strikeout', `/Subtype/StrikeOut${rect}/IT/StrikeOutTextEdit`).intent, 'strikeout-text-edit')
  t.equal(only(t, 'strikeout', `/Subtype/StrikeOut${rect}/IT/Other`).intent, null)
})

t.test('boxes exclude the margins of /RD and undo the rotation of /Rotate', async (t) => {
  const box = (entries: string) => {
    const { box, rotation } = only(t, 'square', `/Subtype/Square${rect}${entries}`)
    return { ...box, rotation }
  }
  t.same(box('/RD[1 2 3 4]'), { x: 11, y: 24, width: 96, height: 74, rotation: null })
  t.same(box('/RD[90 0 90 0]'), { ...pageRect, rotation: null })
  t.same(box('/Rotate 90'), { x: 20, y: 10, width: 80, height: 100, rotation: 270 })
  t.same(box('/Rotate -180'), { ...pageRect, rotation: 180 })
  t.same(box('/Rotate 45'), { ...pageRect, rotation: 315 })
  // A box of 80 by 40 turned by 30 degrees counter-clockwise fills 89.282 by 74.641.
  const turned = only(t, 'stamp', '/Subtype/Stamp/Rect[0 0 89.2820 74.6410]/Rotate 30')
  t.equal(turned.rotation, 330)
  t.match([Math.round(turned.box.width * 10), Math.round(turned.box.height * 10)], [800, 400])
})

t.test('cloudy borders have their intensity', async (t) => {
  t.equal(only(t, 'circle', `/Subtype/Circle${rect}/BE<</S/C/I 2>>`).cloudyIntensity, 2)
  t.equal(only(t, 'circle', `/Subtype/Circle${rect}/BE<</S/S/I 2>>`).cloudyIntensity, null)
  t.equal(only(t, 'circle', `/Subtype/Circle${rect}/BE<</S/C/I 0>>`).cloudyIntensity, null)
})

t.test('polygons and polylines have vertices, from /Vertices or the /Path of PDF 2.0', async (t) => {
  const measure =
    '/Measure<</Subtype/RL/R(1:2)/X[<</U(m)/C .5/D 10/F/D/FD true/RT(,)/RD(.)/PS( )/SS( )/O/P>>]/D[]/A[]/O[20 580]/CYX 2>>'
  const polygon = only(
    t,
    'polygon',
    `/Subtype/Polygon${rect}/Vertices[20 580 30 570 40 580 7]/IT/PolygonDimension/Cap true${measure}`,
  )
  t.match(polygon, { intent: 'polygon-dimension', captionEnabled: true, captionCenter: null, rotation: null })
  t.same(polygon.vertices, [
    { x: 0, y: 0 },
    { x: 10, y: 10 },
    { x: 20, y: 0 },
  ])
  t.same(polygon.measure, {
    subtype: 'rectilinear',
    ratio: '1:2',
    x: [
      {
        unit: 'm',
        conversion: 0.5,
        fraction: 'decimal',
        precision: 10,
        fixed: true,
        thousands: ',',
        decimal: '.',
        prefixSpacing: ' ',
        suffixSpacing: ' ',
        labelPosition: 'prefix',
      },
    ],
    distance: [],
    area: [],
    origin: { x: 0, y: 0 },
    cyx: 2,
  })
  const polyline = only(
    t,
    'polyline',
    `/Subtype/PolyLine${rect}/Path[[20 580][1 1 2 2 30 570]]/LE[/OpenArrow/Slash]/IT/PolyLineDimension`,
  )
  t.match(polyline, {
    vertices: [
      { x: 0, y: 0 },
      { x: 10, y: 10 },
    ],
    lineEndings: { start: 'open-arrow', end: 'slash' },
    intent: 'polyline-dimension',
    measure: null,
    captionEnabled: null,
  })
  t.same(only(t, 'polygon', `/Subtype/Polygon${rect}/Vertices(x)`).vertices, [])
})

t.test('lines have their ends, leaders and captions', async (t) => {
  const line = only(
    t,
    'line',
    `/Subtype/Line${rect}/L[30 480 130 560]/LE[/Butt/RClosedArrow]/LL -12/LLE 3/LLO 1/Cap true/CP/Top/CO[4 -5]/IT/LineDimension/Measure<</Subtype/GEO>>`,
  )
  t.match(line, {
    linePoints: { start: { x: 10, y: 100 }, end: { x: 110, y: 20 } },
    lineEndings: { start: 'butt', end: 'r-closed-arrow' },
    intent: 'line-dimension',
    measure: { subtype: 'geospatial' },
    captionEnabled: true,
    captionPosition: 'top',
    captionOffset: { along: 4, perpendicular: -5 },
    leader: { length: -12, extension: 3, offset: 1 },
  })
  t.match(only(t, 'line', `/Subtype/Line${rect}/L[1 2 3]/LE/None/CO[1]`), {
    linePoints: { start: { x: 10, y: 100 }, end: { x: 110, y: 20 } },
    lineEndings: { start: 'none', end: 'none' },
    captionEnabled: false,
    captionPosition: 'inline',
    captionOffset: null,
    leader: null,
    intent: null,
  })
})

t.test('ink has separate strokes and no empty ones', async (t) => {
  const ink = only(t, 'ink', `/Subtype/Ink${rect}/InkList[[20 580 21 579][][(x)]7[30 570]]/IT/InkHighlight`)
  t.same(ink.inkList, [
    [
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ],
    [{ x: 10, y: 10 }],
  ])
  t.equal(ink.intent, 'ink-highlight')
})

t.test('free text has font, colours, alignment and callout', async (t) => {
  const entries = `${rect}/DA(0 0 1 RG 1 0 0 rg /HeBo 9.5 Tf)/Q 1/C[1 1 0]/IT/FreeTextCallout/CL[20 580 30 570 40 570]/LE/Circle/BS<</W 2>>/RD[5 5 5 5]`
  t.match(only(t, 'free-text', `/Subtype/FreeText${entries}/Contents(Hi)`), {
    intent: 'free-text-callout',
    fontFamily: 'helvetica-bold',
    fontSize: 9.5,
    fontColor: '#ff0000',
    color: '#0000ff',
    interiorColor: '#ffff00',
    textAlign: 'center',
    verticalAlign: 'top',
    strokeWidth: 2,
    calloutLine: [
      { x: 0, y: 0 },
      { x: 10, y: 10 },
      { x: 20, y: 10 },
    ],
    lineEnding: 'circle',
    box: { x: 15, y: 25, width: 90, height: 70 },
    richText: {
      body: {
        family: 'Helvetica',
        weight: 700,
        italic: false,
        size: 9.5,
        color: '#ff0000',
        align: 'center',
        dir: 'ltr',
      },
      paragraphs: [{ align: 'center', dir: 'ltr', runs: [{ text: 'Hi' }] }],
    },
  })
  t.match(only(t, 'free-text', `/Subtype/FreeText${rect}`), {
    intent: 'free-text',
    fontFamily: 'helvetica',
    fontSize: 12,
    fontColor: '#000000',
    color: '#000000',
    interiorColor: null,
    textAlign: 'left',
    calloutLine: null,
    lineEnding: null,
  })
})

t.test('free text uses /DS for what /DA lacks, and fonts from the resources of the form', async (t) => {
  const styled = `/Subtype/FreeText${rect}/DA(0 Tf)/DS(font: italic bold 14pt Times; color:#0a0B0c; text-align:right; text-valign:middle)`
  t.match(only(t, 'free-text', styled), {
    fontFamily: 'times-roman',
    fontSize: 14,
    fontColor: '#0a0b0c',
    textAlign: 'right',
    verticalAlign: 'middle',
  })
  const catalog = '/AcroForm<</Fields[]/DR<</Font<</F7<</BaseFont/ABCDEF+CourierNewPS-BoldMT>>>>>>>>'
  t.equal(only(t, 'free-text', `/Subtype/FreeText${rect}/DA(/F7 8 Tf)`, { catalog }).fontFamily, 'courier-bold')
})

t.test('rich text is read as paragraphs of runs, which inherit the style of the body', async (t) => {
  const rich =
    `<?xml version="1.0"?><body xmlns="http://www.w3.org/1999/xhtml" style="font-size:10pt;color:#112233;font-family:Arial,sans-serif">
    <p dir="rtl" style="text-align:justify;margin:1pt 2pt;text-indent:3pt;line-height:14pt;tab-interval:36pt">One <span style="font-weight:bold;color:rgb(255,0,1)">two <i>three</i></span> &lt;4&gt;</p>
    <p>five<br/><u>six</u></p></body>`.replaceAll(/\n\s*/g, '')
  const { richText } = only(
    t,
    'free-text',
    `/Subtype/FreeText${rect}/DA(/Helv 11 Tf)/RC(${rich.replaceAll(/[()]/g, '\\$&')})`,
  )
  t.same(richText, {
    body: {
      family: 'Arial',
      weight: 400,
      italic: false,
      size: 10,
      color: '#112233',
      decoration: [],
      script: 'normal',
      letterSpacing: 0,
      horizontalScale: 1,
      align: 'left',
      dir: 'ltr',
    },
    paragraphs: [
      {
        align: 'justify',
        dir: 'rtl',
        margins: { top: 1, right: 2, bottom: 1, left: 2 },
        textIndent: 3,
        lineHeight: 14,
        unknown: 'tab-interval:36pt',
        runs: [
          { text: 'One ' },
          { text: 'two ', style: { weight: 700, color: '#ff0001' } },
          { text: 'three', style: { weight: 700, color: '#ff0001', italic: true } },
          { text: ' <4>' },
        ],
      },
      {
        align: 'left',
        dir: 'ltr',
        runs: [{ text: 'five\r' }, { text: 'six', style: { decoration: ['underline'] } }],
      },
    ],
  })
})

t.test('rich text that is not XML is one paragraph; rich text in a stream is read', async (t) => {
  const plain = only(t, 'free-text', `/Subtype/FreeText${rect}/RC(just text)`).richText
  t.same(plain?.paragraphs, [{ align: 'left', dir: 'ltr', runs: [{ text: 'just text' }] }])
  const further = { 50: { body: '<<>>', stream: '<body><p>streamed</p></body>' } }
  const streamed = only(t, 'free-text', `/Subtype/FreeText${rect}/RC 50 0 R`, { further }).richText
  t.equal(streamed?.paragraphs[0]?.runs[0]?.text, 'streamed')
})

t.test('notes, carets, stamps and attached files have their icons and contents', async (t) => {
  t.match(only(t, 'text', `/Subtype/Text${rect}/Name/NewParagraph/State(Accepted)/StateModel(Review)`), {
    icon: 'new-paragraph',
    state: 'Accepted',
    stateModel: 'Review',
  })
  t.equal(only(t, 'text', `/Subtype/Text${rect}/Name/constructor`).icon, 'note')
  t.match(only(t, 'caret', `/Subtype/Caret${rect}/IT/Replace/RD[1 1 1 1]`), { intent: 'replace', box: { width: 98 } })
  t.match(only(t, 'stamp', `/Subtype/Stamp${rect}/Name/Approved/Rotate 270`), {
    name: 'Approved',
    rotation: 90,
    fit: null,
    box: { width: 80, height: 100 },
  })
  const further = {
    50: {
      body: '<</Subtype/text#2Fplain/Params<</Size 5/CheckSum<000102030405060708090a0b0c0d0e0f>/CreationDate(D:2026)/ModDate(D:20260203)>>>>',
      stream: 'hello',
    },
  }
  const file = '/FS<</F(a.txt)/UF(\xfe\xff\x00\xe9)/Desc(What)/EF<</F 50 0 R>>>>'
  t.same(only(t, 'file-attachment', `/Subtype/FileAttachment${rect}/Name/Graph${file}`, { further }).file, {
    name: 'é',
    mimeType: 'text/plain',
    description: 'What',
    size: 5,
    checksum: '000102030405060708090a0b0c0d0e0f',
    createdAt: '2026-01-01T00:00:00Z',
    modifiedAt: '2026-02-03T00:00:00Z',
    creationDate: '2026-01-01T00:00:00Z',
  })
  const absent = { mimeType: null, description: null, size: null, checksum: null, createdAt: null, modifiedAt: null }
  const named = only(t, 'file-attachment', `/Subtype/FileAttachment${rect}/FS(plain.txt)`)
  t.equal(named.icon, 'push-pin')
  t.same(named.file, { name: 'plain.txt', ...absent })
  const bare = '/FS<</F(b.txt)/EF<</UF 51 0 R>>>>'
  const empty = { 51: { body: '<</Type/EmbeddedFile>>', stream: '' } }
  t.same(only(t, 'file-attachment', `/Subtype/FileAttachment${rect}${bare}`, { further: empty }).file, {
    name: 'b.txt',
    ...absent,
  })
  t.equal(only(t, 'file-attachment', `/Subtype/FileAttachment${rect}/FS<</EF 9>>`).file, null)
})

t.test('redactions have their region, fill and overlay', async (t) => {
  const entries = `${rect}/QuadPoints[100 500 200 500 100 480 200 480]/IC[1 1 1]/OverlayText(gone)/Repeat true/DA(/Cour 0 Tf 0 1 0 rg)/Q 2`
  t.match(only(t, 'redact', `/Subtype/Redact${entries}`), {
    quadPoints: [{ upperLeft: { x: 80, y: 80 } }],
    interiorColor: '#ffffff',
    overlayText: 'gone',
    repeat: true,
    fontFamily: 'courier',
    fontSize: 0,
    fontColor: '#00ff00',
    textAlign: 'right',
  })
  const whole = only(t, 'redact', `/Subtype/Redact${rect}`)
  t.match(whole, { overlayText: null, fontSize: 0 })
  const { x, y, width, height } = whole.rect
  t.same(
    whole.quadPoints,
    [
      {
        upperLeft: { x, y },
        upperRight: { x: x + width, y },
        lowerLeft: { x, y: y + height },
        lowerRight: { x: x + width, y: y + height },
      },
    ],
    'a region without quads is the rectangle',
  )
})

t.test('annotations of unsupported subtypes are returned with the name of their subtype and a code', async (t) => {
  const kinds = { Sound: 18, Movie: 19, Screen: 21, Watermark: 24, '3D': 25, RichMedia: 26, Projection: 0, MadeUp: 0 }
  for (const [name, code] of Object.entries(kinds)) {
    t.match(only(t, 'unsupported', `/Subtype/${name}${rect}`), { rawSubtypeName: name, rawSubtypeCode: code })
  }
  t.match(only(t, 'unsupported', rect), { rawSubtypeName: null, rawSubtypeCode: 0 })
})
