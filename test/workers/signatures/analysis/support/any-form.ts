// Forms as other programs make them: every kind of field, with borders, rotation, inheritance, appearances of their own, values in
// any encoding and rectangles with many digits.
import fc from 'fast-check'
import { rawPdf } from '../../../../support/pdf/raw-pdf.js'

const kinds = [
  'text',
  'multiline',
  'comb',
  'password',
  'checkbox',
  'radio',
  'combo',
  'edit',
  'list',
  'choices',
] as const
type Kind = (typeof kinds)[number]

export interface FieldShape {
  readonly kind: Kind
  readonly border: string
  readonly look: string
  readonly value: number
  /** What shows the value when the form is signed; `other`: it shows something else. */
  readonly drawn: 'no' | 'plain' | 'strange' | 'other'
  /** Where value and type are written: in the field, in a parent, or in a parent and its kids. */
  readonly place: 'merged' | 'parent' | 'kids' | 'kids with values'
  readonly digits: number
}

const borders = [
  '',
  '/MK<</BC[0 0 0]>>',
  '/MK<</BC[1 0 0]/BG[.9 .9 .9]>>/BS<</W 2/S/D/D[3 2]>>',
  '/MK<</BC[0 0 0]>>/BS<</W 1/S/B>>',
  '/MK<</BC[0 0 0]>>/BS<</W 2/S/I>>',
  '/MK<</BC[0 0 0]>>/BS<</W 1/S/U>>',
  '/MK<</R 90/BC[0 .5 0]>>/Border[0 0 3]',
]
const looks = ['', '/Q 1', '/Q 2/DA(/Helv 9 Tf 1 0 0 rg)', '/DA(/Helv 0 Tf 0 g)/TU(Tip)', '/DA(/TiRo 8.123456 Tf 0 g)']
const values = ['(100)', '<FEFF00310030>', '<FEFF65E5672C>', '(Gr\\374\\337e)', '', '()', '(two words)']

/** What readers show of these values. */
const plain = ['(100)', '(10)', '<0102>', '(Gr\\374\\337e)', '()', '()', '(two words)']

export const fieldShape: fc.Arbitrary<FieldShape> = fc.record({
  kind: fc.constantFrom(...kinds),
  border: fc.constantFrom(...borders),
  look: fc.constantFrom(...looks),
  value: fc.nat(values.length - 1),
  drawn: fc.constantFrom('no', 'plain', 'strange'),
  place: fc.constantFrom('merged', 'parent', 'kids', 'kids with values'),
  digits: fc.nat(999_999),
})

const types: Readonly<Record<Kind, string>> = {
  text: '/FT/Tx',
  multiline: '/FT/Tx/Ff 4096',
  comb: '/FT/Tx/Ff 16777216/MaxLen 8',
  password: '/FT/Tx/Ff 8192',
  checkbox: '/FT/Btn',
  radio: '/FT/Btn/Ff 49152',
  combo: '/FT/Ch/Ff 131072/Opt[(a)[(b)(Bee)](Gr\\374\\337e)]',
  edit: '/FT/Ch/Ff 393216/Opt[(a)(100)]',
  list: '/FT/Ch/Opt[(one)(two)[(3)(three)]]',
  choices: '/FT/Ch/Ff 2097152/Opt[(one)(two)(Gr\\374\\337e)]',
}

const chosen: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  combo: ['/V(a)', '/V(b)/I[1]', '', '/V<FEFF0061>'],
  edit: ['/V(100)', '/V(x)', '/V(a)/I[0]'],
  list: ['/V(one)', '/V(two)/I[1]', '/I[1]', ''],
  choices: ['/V[(one)(two)]/I[0 1]', '/V(two)', '/V[(one)]', ''],
  checkbox: ['/V/Yes', '/V/Off', ''],
  radio: ['/V/k0', '/V/Off', ''],
}

const form = (data: string): string =>
  `<</Type/XObject/Subtype/Form/BBox[0 0 200 20]/Resources<</Font<</Helv 9 0 R>>>>/Length ${data.length}>>\nstream\n${data}\nendstream`

/** Returns a form of one page; the fields are `f0`, `f1`, … */
export function formOf(shapes: readonly FieldShape[]): Buffer {
  const objects: Record<number, string> = {
    1: '',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    ...Object.fromEntries(
      plain.map((text, index) => [10 + index, form(`/Tx BMC q BT /Helv 9 Tf 2 4 Td ${text} Tj ET Q EMC`)]),
    ),
    6: form('/Tx BMC q BT /Helv 9 Tf 2 4 Td <0102> Tj (shown) Tj ET Q EMC'),
    7: form('0 0 m 9 9 l S'),
    8: form(''),
    9: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  }
  const annots: number[] = []
  const fields = shapes.map((shape, index) => {
    const number = 20 + 10 * index
    const rects = [0, 1, 2].map((kid) => rectOf(shape, index, kid))
    const isSplit = shape.place !== 'merged' || shape.kind === 'radio'
    const value = valueEntries(shape)
    const own = `${types[shape.kind]}${shape.look}`
    const kids = isSplit ? [1, 2].map((kid) => number + kid) : []
    const widget = (kid: number): string =>
      `/Type/Annot/Subtype/Widget/F 4/P 3 0 R${rects[kid] ?? ''}${shape.border}${drawingOf(shape, kid)}`
    if (isSplit && shape.place === 'parent' && shape.kind !== 'radio') {
      objects[number] = `<</T(f${index})${own}/Kids[${number + 1} 0 R]>>`
      objects[number + 1] = `<</T(kid)/Parent ${number} 0 R${value}${widget(0)}>>`
      annots.push(number + 1)
    } else if (isSplit) {
      objects[number] = `<</T(f${index})${own}${value}/Kids[${kids.map((kid) => `${kid} 0 R`).join(' ')}]>>`
      kids.forEach((kid, place) => {
        const ownValue = shape.place === 'kids with values' && !/Btn/.test(own) ? value.replace(/\/I\[.*$/, '') : ''
        objects[kid] = `<</Parent ${number} 0 R${ownValue}${widget(place)}>>`
        annots.push(kid)
      })
    } else {
      objects[number] = `<</T(f${index})${own}${value}${widget(0)}>>`
      annots.push(number)
    }
    return number
  })
  const list = (numbers: readonly number[]): string => numbers.map((number) => `${number} 0 R`).join(' ')
  objects[1] = `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${list(fields)}]/DA(/Helv 10 Tf 0 g)/DR<</Font<</Helv 9 0 R>>>>>>>>`
  objects[3] = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595.27559055 841.88976378]/Annots[${list(annots)}]>>`
  return rawPdf(objects)
}

function rectOf({ digits, kind }: FieldShape, index: number, kid: number): string {
  const [left, bottom] = [41 + 200 * kid, 700 - 70 * index]
  const [width, height] = ['checkbox', 'radio'].includes(kind) ? [14, 14] : [150, 40]
  const fraction = `.${String(digits).padStart(6, '0')}`
  return `/Rect[${left}${fraction} ${bottom}${fraction} ${left + width}${fraction}1 ${bottom + height}.5081100]`
}

function valueEntries({ kind, value }: FieldShape): string {
  const options = chosen[kind]
  if (options !== undefined) return options[value % options.length] ?? ''
  const text = values[value] ?? ''
  return text === '' ? '' : `/V${text}`
}

function drawingOf(shape: FieldShape, kid: number): string {
  const { kind, drawn, value } = shape
  if (kind === 'checkbox' || kind === 'radio') {
    const state = kind === 'radio' ? `k${kid}` : 'Yes'
    const isOn = valueEntries(shape) === `/V/${state}`
    const states = drawn === 'no' ? '' : `/AP<</N<</${state} 7 0 R/Off 8 0 R>>>>`
    return `${states}/AS/${isOn ? state : 'Off'}`
  }
  const isPlain = drawn === 'plain' && chosen[kind] === undefined && kind !== 'password'
  const drawing = isPlain ? 10 + value : drawn === 'other' ? 10 : 6
  return drawn === 'no' ? '' : `/AP<</N ${drawing} 0 R>>`
}
