// Files with an example of everything that can be read, for tests of all reads.
import { annotatedPdf } from './annotated-pdf.js'
import { helvetica, rawPdf } from './raw-pdf.js'

const rect = '/Rect[30 480 130 560]'
const quads = '/QuadPoints[30 560 130 560 30 540 130 540]'

/** One annotation of every subtype, the first of them inline. */
export const everyAnnotation = (): Buffer =>
  annotatedPdf({
    inline: `<</Type/Annot/Subtype/Square${rect}/Contents(Inline)>>`,
    annotations: [
      `/Subtype/Highlight${rect}${quads}/C[1 1 0]/CA .5`,
      `/Subtype/Underline${rect}${quads}`,
      `/Subtype/Squiggly${rect}${quads}`,
      `/Subtype/StrikeOut${rect}${quads}/IT/StrikeOutTextEdit`,
      `/Subtype/Circle${rect}/IC[0 1 0]/BE<</S/C/I 2>>`,
      `/Subtype/Polygon${rect}/Vertices[30 480 130 480 80 560]/IT/PolygonCloud`,
      `/Subtype/PolyLine${rect}/Vertices[30 480 130 480 80 560]/LE[/OpenArrow/Circle]`,
      `/Subtype/Line${rect}/L[30 480 130 560]/LE[/None/ClosedArrow]/Cap true/LL 5`,
      `/Subtype/Ink${rect}/InkList[[30 480 60 500 90 480]]`,
      `/Subtype/FreeText${rect}/DA(/Helv 12 Tf 0 g)/Contents(Free)/Q 1`,
      `/Subtype/Caret${rect}`,
      `/Subtype/Text${rect}/Name/Note/Contents(A note)/M(D:20260131120000Z)/T(Ada)/Popup 22 0 R`,
      `/Subtype/Popup${rect}/Parent 21 0 R/Open true`,
      `/Subtype/Stamp${rect}/Name/Approved/AP<</N 40 0 R>>`,
      `/Subtype/FileAttachment${rect}/FS<</Type/Filespec/F(a.txt)/UF(a.txt)/EF<</F 41 0 R>>>>`,
      `/Subtype/Link${rect}/A<</S/URI/URI(https://example.com)>>`,
      `/Subtype/Link${rect}/Dest[3 0 R/XYZ 0 100 2]`,
      `/Subtype/Redact${rect}${quads}/OverlayText(Gone)/DA(/Helv 9 Tf 1 0 0 rg)`,
      `/Subtype/Movie${rect}`,
      `/Subtype/Widget${rect}/FT/Tx/T(Field)/V(Value)/DA(/Helv 12 Tf 0 g)`,
      `/Subtype/Text${rect}/IRT 21 0 R/RT/R/Contents(A reply)`,
    ],
    page: '/Contents 42 0 R/VP[<</BBox[20 30 200 300]/Name(Plan)/Measure<</Type/Measure/Subtype/RL/R(1:1)/X[<</U(m)/C .5>>]/D[<</U(m)/C 1>>]/A[<</U(m2)/C 1>>]>>>>]',
    catalog: '/AcroForm<</Fields[29 0 R]/DA(/Helv 12 Tf 0 g)>>',
    trailer: '/Info 43 0 R',
    further: {
      40: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 100 80]>>', stream: '1 0 0 rg 0 0 100 80 re f' },
      41: { body: '<</Type/EmbeddedFile/Params<</Size 5>>>>', stream: 'hello' },
      42: { body: '<<>>', stream: '0 0 1 rg 20 30 360 550 re f' },
      43: '<</Title(Everything)/Author(Ada)/CreationDate(D:20260131120000Z)/Trapped/False/Project(Steward)>>',
    },
  })

const widget = '/Type/Annot/Subtype/Widget/Rect[10 10 60 30]/P 3 0 R'
const states = '/AP<</N<</On 40 0 R/Off 40 0 R>>>>/AS/Off'

/** Two pages and a field of every family. */
export const everyField = (): Buffer =>
  rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R 11 0 R 12 0 R 13 0 R 14 0 R 15 0 R 16 0 R]/CO[10 0 R]/DA(/Helv 0 Tf 0 g)>>>>',
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[10 0 R 11 0 R 20 0 R 21 0 R 13 0 R 14 0 R 15 0 R 16 0 R]>>',
    4: '<</Type/Page/Parent 2 0 R>>',
    10: `<<${widget}/FT/Tx/T(text)/V(Ada)/DV(Bob)/MaxLen 9/Ff 4096/AA<</C<</S/JavaScript/JS(1)>>>>>>`,
    11: `<<${widget}/FT/Btn/T(check)/V/Off${states}>>`,
    12: '<</FT/Btn/T(radio)/Ff 49152/V/On/Kids[20 0 R 21 0 R]>>',
    13: `<<${widget}/FT/Ch/T(combo)/Ff 131072/Opt[(a)[(b)(Bee)]]/V(b)>>`,
    14: `<<${widget}/FT/Ch/T(list)/Ff 2097152/Opt[(a)(b)]/V[(a)(b)]>>`,
    15: `<<${widget}/FT/Btn/T(push)/Ff 65536/MK<</CA(Press)>>>>`,
    16: `<<${widget}/FT/Sig/T(sign)>>`,
    20: `<<${widget}/Parent 12 0 R${states}>>`,
    21: `<<${widget}/Parent 12 0 R${states}>>`,
    40: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 50 20]>>', stream: '0 0 50 20 re S' },
  })

/** Pages with rotation, crop box, user unit, labels, names and text. */
export const everyPage = (): Buffer =>
  rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/PageLabels<</Nums[0<</S/r>>2<</S/D/P(A-)/St 5>>]>>/Names<</Pages<</Names[(Plan)4 0 R]>>>>>>',
    2: `<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 400 300]/Resources<<${helvetica}>>>>`,
    3: '<</Type/Page/Parent 2 0 R/Rotate 90/Contents 7 0 R>>',
    4: '<</Type/Page/Parent 2 0 R/CropBox[50 40 350 280]/TrimBox[60 50 340 270]/Contents 8 0 R>>',
    5: '<</Type/Page/Parent 2 0 R/MediaBox[-100 -50 200 150]/Rotate -90/UserUnit 2/Contents 9 0 R>>',
    7: { body: '<<>>', stream: 'BT /F1 12 Tf 60 200 Td (First page) Tj ET' },
    8: {
      body: '<<>>',
      stream: '1 0 0 rg 50 160 150 120 re f 0 0 1 rg 200 40 150 120 re f BT /F1 12 Tf 80 200 Td (Second page) Tj ET',
    },
    9: { body: '<<>>', stream: 'BT /F1 12 Tf -50 50 Td (Third page) Tj ET' },
  })
