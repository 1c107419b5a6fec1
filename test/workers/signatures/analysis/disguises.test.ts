// Changes in the disguise of permitted ones: readers show them as something else than the object is judged as.
import t from 'tap'
import {
  amount,
  box,
  catalog,
  contractTrailer,
  form,
  formFields,
  newSignatureField,
  page,
  pageAnnotations,
  signedContract,
  stamp,
  textAppearance,
} from './support/contract.js'
import { type Case, judge, refusedBy } from './support/judge.js'
import { type RawObjects, stream } from './support/raw-file.js'

const fill = { level: 'fill', isCertified: true } as const
const changed = (objects: RawObjects, before: RawObjects = {}): Case => ({
  before,
  updates: [{ objects }],
  restraints: fill,
})
const withField = (field: string, more: RawObjects): RawObjects => ({
  3: page(`${pageAnnotations} 70 0 R`),
  10: form(`${formFields} 70 0 R`),
  70: field,
  ...more,
})
const field = (rest: string): string => `<</Type/Annot/Subtype/Widget/F 4/P 3 0 R/Rect[60 690 460 720]${rest}>>`
const drawn = (data: string, resources = '/Font<</Helv 5 0 R>>'): string =>
  stream(data, `/Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<<${resources}>>`)
const text = (value: string): string => `/Tx BMC BT /Helv 12 Tf 2 5 Td (${value}) Tj ET EMC`
const remapped = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[48/nine 49/nine]>>>>'
const withoutLook = { 20: amount('100').replace('/AP<</N 12 0 R>>', '') }
const action = '<</S/JavaScript/JS(app.alert\\(1\\))>>'

/** Cases by the disguise that they use, each with the rule that must refuse it. */
const disguises: readonly (readonly [string, Case, string])[] = [
  [
    'a new signature field is on the page itself, with a hidden kid',
    changed(
      withField(field('/FT/Sig/T(New)/Kids[71 0 R]/AP<</N 72 0 R>>'), {
        71: '<</Type/Annot/Subtype/Widget/Parent 70 0 R/F 2/Rect[0 0 0 0]>>',
        72: box('1 1 1'),
      }),
    ),
    'visible-signature-field-added',
  ],
  [
    'a stamp becomes the hidden kid of a new signature field',
    changed({
      10: form(`${formFields} 70 0 R`),
      70: '<</FT/Sig/T(New)/Kids[31 0 R]>>',
      31: '<</Type/Annot/Subtype/Widget/Parent 70 0 R/F 2/Rect[0 0 0 0]>>',
    }),
    'field-added',
  ],
  [
    'flags that are too large hide a new signature field for some readers',
    changed(withField(newSignatureField('New', '', '60 690 460 720').replace('/F 4', '/F 4294967298'), {})),
    'visible-signature-field-added',
  ],
  [
    'a page names a new annotation by a wrong generation',
    changed({ 3: page(`${pageAnnotations} 90 1 R`), 90: stamp('') }),
    'wrong-generation',
  ],
  [
    'a page names an annotation of the signed file by a wrong generation',
    changed({ 3: page(`${pageAnnotations} 90 1 R`) }, { 90: stamp('') }),
    'wrong-generation',
  ],
  [
    'content of the signed page has a wrong generation, and is defined later',
    changed({ 90: stream('BT (x) Tj ET') }, { 3: page().replace('/Contents 4 0 R', '/Contents[4 0 R 90 1 R]') }),
    'wrong-generation',
  ],
  [
    'an extension is the configuration of the layers',
    changed(
      { 81: '<</BaseVersion/1.7/ExtensionLevel 2/ON[80 0 R]>>' },
      {
        1: catalog('/OCProperties<</OCGs[80 0 R]/D 81 0 R>>/Extensions<</ADBE 81 0 R>>'),
        80: '<</Type/OCG/Name(x)>>',
        81: '<</BaseVersion/1.7/ExtensionLevel 1/OFF[80 0 R]>>',
      },
    ),
    'developer-extensions',
  ],
  [
    'an object that an extension names anew is the configuration of the layers',
    changed(
      { 1: catalog('/OCProperties<</OCGs[80 0 R]/D 81 0 R>>/Extensions<</ADBE 81 0 R>>'), 81: '<</ON[80 0 R]>>' },
      {
        1: catalog('/OCProperties<</OCGs[80 0 R]/D 81 0 R>>'),
        80: '<</Type/OCG/Name(x)>>',
        81: '<</OFF[80 0 R]>>',
      },
    ),
    'page-content',
  ],
  [
    'the value stays, and outlines draw another one beside it',
    changed({ 20: amount('100', 78), 78: drawn(`${text('100')} 50 2 m 60 18 l 55 18 l f`) }, withoutLook),
    'field-appearance',
  ],
  [
    'the value stays, and its parts are drawn in another order',
    changed(
      { 20: amount('120', 78), 78: drawn('BT /Helv 12 Tf 20 5 Td (1) Tj -10 0 Td (20) Tj ET') },
      { 20: amount('120').replace('/AP<</N 12 0 R>>', '') },
    ),
    'field-appearance',
  ],
  [
    'the value stays, and its font is one of symbols',
    changed(
      {
        20: amount('100', 78),
        78: textAppearance('100', 79),
        79: '<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>',
      },
      withoutLook,
    ),
    'field-appearance',
  ],
  [
    'value and appearance stay, and the font changes',
    changed(
      { 85: remapped },
      {
        10: form(formFields, '/SigFlags 3/NeedAppearances true'),
        12: textAppearance('100', 85),
        85: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      },
    ),
    'page-content',
  ],
  [
    'a pattern draws over the value',
    changed({ 20: amount('7', 78), 78: drawn(`${text('7')} /Pattern cs /P1 scn 0 0 200 20 re f`) }),
    'field-appearance',
  ],
  [
    'a mask makes an area look like text',
    changed({
      20: amount('7', 78),
      78: drawn(`/G gs ${text('7')}`, '/Font<</Helv 5 0 R>>/ExtGState<</G<</SMask<</S/Alpha>>>>>>'),
    }),
    'field-appearance',
  ],
  [
    'a field without background gets an area that covers the page',
    changed({ 20: amount('7', 78), 78: drawn(`1 g 0 0 200 20 re f ${text('7')}`) }),
    'field-appearance',
  ],
  [
    'thick white strokes cover the page below a field',
    changed({ 20: amount('7', 78), 78: drawn(`1 G 30 w 0 10 m 200 10 l S ${text('7')}`) }),
    'field-appearance',
  ],
  [
    'many white strokes cover the page below a field',
    changed({ 20: amount('7', 78), 78: drawn(`1 G 4 w 0 2 m 200 2 l 0 8 m 200 8 l 0 14 m 200 14 l S ${text('7')}`) }),
    'field-appearance',
  ],
  [
    'joins of strokes reach over the page below a field',
    changed({
      20: amount('7', 78),
      78: drawn(`1 G 12 w 30 M 0 10 m 60 11 l 0 12 l 140 10 m 60 11 l 140 12 l S ${text('7')}`),
    }),
    'field-appearance',
  ],
  [
    'outlines of characters are filled beside the value',
    changed({ 20: amount('7', 78), 78: drawn(`0 g 100 5 m 104 15 l 108 5 l f ${text('7')}`) }),
    'field-appearance',
  ],
  [
    'a turned rectangle is filled beside the value',
    changed({ 20: amount('7', 78), 78: drawn(`q .7 .7 -.7 .7 100 0 cm 0 0 9 2 re f Q ${text('7')}`) }),
    'field-appearance',
  ],
  [
    'white text is as large as the page',
    changed({ 20: amount('7', 78), 78: drawn(`1 g BT /Helv 300 Tf 2 -60 Td (7) Tj ET 0 g ${text('7')}`) }),
    'field-appearance',
  ],
  [
    'white text is enlarged by its matrix',
    changed({ 20: amount('7', 78), 78: drawn(`1 g BT /Helv 12 Tf 30 0 0 30 2 -60 Tm (7) Tj ET 0 g ${text('7')}`) }),
    'field-appearance',
  ],
  [
    'a push button gets a value and a picture',
    changed(
      { 70: field('/FT/Btn/Ff 65536/T(push)/V/x/AP<</N 72 0 R>>'), 72: box('1 1 1') },
      withField(field('/FT/Btn/Ff 65536/T(push)'), {}),
    ),
    'field-value',
  ],
  [
    'the mark of a checkbox that had none is a text',
    changed(
      { 70: field('/FT/Btn/T(c)/V/x/AS/x/AP<</N<</x 72 0 R>>>>'), 72: drawn(text('900000 Euro')) },
      withField(field('/FT/Btn/T(c)'), {}),
    ),
    'field-appearance',
  ],
  [
    'a locked field inherits another value',
    {
      ...changed(
        { 71: '<</T(g)/FT/Tx/V(900)/Kids[70 0 R]>>' },
        {
          ...withField(field('/T(a)/Parent 71 0 R'), { 71: '<</T(g)/FT/Tx/V(100)/Kids[70 0 R]>>' }),
          10: form(`${formFields} 71 0 R`),
        },
      ),
      restraints: { ...fill, locks: [{ action: 'include', fields: ['g.a'] }] },
    },
    'locked-field',
  ],
  [
    'a link has a second action that runs a script',
    {
      updates: [
        {
          objects: {
            3: page(`${pageAnnotations} 90 0 R`),
            90: `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(http://x)>>/PA${action}>>`,
          },
        },
      ],
    },
    'annotation-added',
  ],
]

for (const [title, disguise, rule] of disguises) {
  t.test(`${title}: refused`, async (t) => {
    const { verdict, findings } = judge(t, disguise)
    t.equal(verdict, 'forbidden', JSON.stringify(findings))
    t.ok(refusedBy(findings).includes(rule), `${rule} is among ${refusedBy(findings)}`)
  })
}

const background = amount('100').replace('/T(amount)', '/T(amount)/MK<</BG[1 1 1]/BC[0]>>')

t.test('a field with a background is drawn with it: permitted', async (t) => {
  const filled = background.replace('(100)', '(7)').replace('12 0 R', '78 0 R')
  const appearance = drawn(`1 g 0 0 200 20 re f 0 G 0.5 0.5 199 19 re S ${text('7')}`)
  const { verdict, findings } = judge(t, changed({ 20: filled, 78: appearance }, { 20: background }))
  t.equal(verdict, 'permitted', JSON.stringify(findings))
})

t.test('a value that stays is drawn for the first time, in its frame: permitted', async (t) => {
  const before = background.replace('/AP<</N 12 0 R>>', '')
  const appearance = drawn(`1 g 0 0 200 20 re f 0 G 0.5 0.5 199 19 re S ${text('100')}`)
  const after = background.replace('12 0 R', '78 0 R')
  const { verdict, findings } = judge(t, changed({ 20: after, 78: appearance }, { 20: before }))
  t.equal(verdict, 'permitted', JSON.stringify(findings))
})

t.test('a value that was set back is drawn anew: permitted if it is shown', async (t) => {
  const drawnAnew = (value: string) => changed({ 20: amount('100', 78), 78: drawn(text(value)) })
  const [shown, other] = [judge(t, drawnAnew('100')), judge(t, drawnAnew('900'))]
  t.equal(shown.verdict, 'permitted', JSON.stringify(shown.findings))
  t.same(refusedBy(other.findings), ['field-appearance', 'page-content'])
})

const borders: Readonly<Record<string, readonly [string, string]>> = {
  'a thin border': ['', '0 G 0.5 0.5 199 19 re S'],
  'the border that the field has': ['/BS<</W 4>>', '0 G 4 w 2 2 196 16 re S'],
  'its bevel': [
    '/BS<</W 2/S/B>>',
    '0.9 g 2 2 m 2 18 l 198 18 l 196 16 l 4 16 l 4 4 l f 0.5 g 198 18 m 198 2 l 2 2 l 4 4 l 196 4 l 196 16 l f 2 w 1 1 198 18 re S',
  ],
  'lines between its characters': ['', '0 G 20 0 m 20 20 l S 40 0 m 40 20 l S 60 0 m 60 20 l S'],
}

for (const [title, [style, content]] of Object.entries(borders)) {
  t.test(`a field without background is drawn with ${title}: permitted`, async (t) => {
    const before = amount('100', 12, style).replace('/AP<</N 12 0 R>>', '')
    const after = { 20: amount('7', 78, style), 78: drawn(`${content} ${text('7')}`) }
    const { verdict, findings } = judge(t, changed(after, { 20: before }))
    t.equal(verdict, 'permitted', JSON.stringify(findings))
  })
}

t.test('an object that no cross-reference lists is in a later revision: left open', async (t) => {
  const hidden = `(leftover)\nendobj\n4 0 obj\n${stream('BT (x) Tj ET')}`
  const { verdict, findings } = judge(t, changed({ 80: hidden }))
  t.equal(verdict, 'indeterminate', JSON.stringify(findings))
  t.ok(findings.some(({ rule }) => rule === 'unlisted-bytes'))
})

t.test('so it is if the revision names a stream that hides objects', async (t) => {
  const row = (type: number, place: number) =>
    `${type.toString(16).padStart(2, '0')}${place.toString(16).padStart(6, '0')}00`
  const hides = (number: number) =>
    stream(`${row(0, 0)}>`, `/Type/XRef/Size 96/Index[${number} 1]/W[1 3 1]/Root 1 0 R/Filter/ASCIIHexDecode`)
  const before = { 95: hides(94) }
  const place = signedContract(before).bytes.indexOf('95 0 obj')
  const trailer = `${contractTrailer}/XRefStm ${place}`
  const hidden = `(leftover)\nendobj\n4 0 obj\n${stream('BT (x) Tj ET')}`
  const leftover = (object: string) => judge(t, { before, updates: [{ objects: { 80: object }, trailer }] })
  t.same([leftover('(leftover)').verdict, leftover(hidden).verdict], ['permitted', 'indeterminate'])
})
