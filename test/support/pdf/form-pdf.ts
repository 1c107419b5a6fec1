// A form of two pages with fields of every family, including unusual structures that are difficult to fill.
import { rawPdf } from './raw-pdf.js'

/** Object numbers of the pages. */
export const formPages = { first: 3, second: 4 } as const

const flags = (...bits: readonly number[]): string => `/Ff ${bits.reduce((sum, bit) => sum + 2 ** (bit - 1), 0)}`
const script = (event: string, code: string): string =>
  `/${event}<</S/JavaScript/JS(${code.replace(/[()\\]/g, '\\$&')})>>`
const additional = (...scripts: readonly string[]): string => `/AA<<${scripts.join('')}>>`

let row = 0
const rect = (height = 24, x = 20): string => {
  const top = 780 - row * 30
  row += Math.ceil((height + 4) / 30)
  return `/Rect[${x} ${top - height} ${x + 220} ${top}]`
}
const widget = (page: number, where: string): string => `/Type/Annot/Subtype/Widget/F 4/P ${page} 0 R${where}`
const box = (x: number, y: number): string => `/Rect[${x} ${y} ${x + 20} ${y + 20}]`
const states = (...names: readonly string[]): string =>
  `/AP<</N<<${names.map((name) => `/${name} ${name === 'Off' ? 91 : 90} 0 R`).join('')}>>>>`
const frame = '/MK<</BC[0 0 0]>>'

const money = script('F', 'AFNumber_Format(2, 2, 0, 0, " EUR", false);')
const moneyKey = script('K', 'AFNumber_Keystroke(2, 2, 0, 0, " EUR", false);')

/** Dictionaries by object number of fields merged with their widget, on the first page. */
const merged: Readonly<Record<number, string>> = {
  10: `/FT/Tx/T(plain)/DV(start)${rect()}${frame}`,
  11: `/FT/Tx/T(comb)/MaxLen 8${flags(25)}${rect()}${frame}`,
  12: `/FT/Tx/T(multi)${flags(13)}/DA(/Helv 10 Tf 0 0 1 rg)${rect(54)}${frame}`,
  13: `/FT/Tx/T(secret)${flags(14)}${rect()}${frame}`,
  14: `/FT/Tx/T(right)/Q 2/DA(/TiRo 12 Tf 0 g)${rect()}${frame}`,
  15: `/FT/Tx/T(fitted)/DA(/Helv 0 Tf 0 g)${rect()}${frame}`,
  16: `/FT/Tx/T(short)/MaxLen 3${rect()}`,
  17: `/FT/Btn/T(check)/V/Off/AS/Off${states('Yes', 'Off')}${box(260, 750)}`,
  18: `/FT/Btn/T(bare)${box(290, 750)}${frame}`,
  19: `/FT/Ch/T(combo)${flags(18)}/Opt[(a)[(b)(Bee)]]/DV(a)${rect()}${frame}`,
  20: `/FT/Ch/T(free)${flags(18, 19)}/Opt[(a)(b)]${rect()}${frame}`,
  21: `/FT/Ch/T(list)${flags(22)}/Opt[(one)(two)[(3)(three)]]/DA(/Helv 10 Tf 0 g)${rect(54)}${frame}`,
  22: `/FT/Ch/T(single)/Opt[(one)(two)]${rect(54)}${frame}`,
  23: `/FT/Btn/T(push)${flags(17)}${rect()}`,
  24: `/FT/Sig/T(sign)${rect()}`,
  25: `/FT/Tx/T(price)${additional(money, moneyKey)}${rect()}${frame}`,
  26: `/FT/Tx/T(count)${additional(script('V', 'AFRange_Validate(true, 1, true, 9);'))}${rect()}${frame}`,
  27: `/FT/Tx/T(total)${additional(script('C', 'AFSimple_Calculate("PRD", new Array ("price", "count"));'), money)}${rect()}${frame}`,
  28: `/FT/Tx/T(taxed)${additional(script('C', 'event.value = 1.2 * this.getField("total").value;'))}${rect()}${frame}`,
  29: `/FT/Tx/T(day)${additional(script('F', 'AFDate_FormatEx("d mmm yyyy");'), script('K', 'AFDate_KeystrokeEx("d mmm yyyy");'))}${rect()}${frame}`,
}

const numbersOfMerged = Object.keys(merged).map(Number)

/** The root of a group with kids that are fields, and fields that show in several places. */
const groups: Readonly<Record<number, string>> = {
  40: '<</T(person)/Kids[41 0 R 42 0 R]>>',
  41: `<<${widget(3, box(260, 700))}/Parent 40 0 R/FT/Tx/T(first)>>`,
  42: '<</Parent 40 0 R/FT/Tx/T(last)/Kids[43 0 R 44 0 R 45 0 R]>>',
  43: `<<${widget(3, '/Rect[300 700 440 720]')}/Parent 42 0 R>>`,
  44: `<<${widget(3, '/Rect[300 670 440 690]')}/Parent 42 0 R/MK<</R 180>>>>`,
  45: `<<${widget(4, '/Rect[20 700 40 790]')}/Parent 42 0 R/MK<</R 90/BG[1 1 .8]>>>>`,
  50: `<</FT/Btn/T(color)${flags(15, 16)}/Opt[(red)(green)(blue)]/V/Off/Kids[51 0 R 52 0 R 53 0 R]>>`,
  51: `<<${widget(3, box(320, 750))}/Parent 50 0 R/AS/Off${states('0', 'Off')}>>`,
  52: `<<${widget(3, box(350, 750))}/Parent 50 0 R/AS/Off${states('1', 'Off')}>>`,
  53: `<<${widget(4, box(60, 700))}/Parent 50 0 R/AS/Off${states('2', 'Off')}>>`,
  55: `<</FT/Btn/T(unison)${flags(16, 26)}/V/x/DV/y/Kids[56 0 R 57 0 R 58 0 R]>>`,
  56: `<<${widget(3, box(380, 750))}/Parent 55 0 R/AS/x${states('x', 'Off')}>>`,
  57: `<<${widget(3, box(410, 750))}/Parent 55 0 R/AS/Off${states('y', 'Off')}>>`,
  58: `<<${widget(4, box(90, 700))}/Parent 55 0 R/AS/x${states('x', 'Off')}>>`,
}

export function formPdf({ form = '' }: { readonly form?: string } = {}): Buffer {
  const fields = [...numbersOfMerged, 40, 50, 55]
  const onFirst = [...numbersOfMerged, 41, 43, 44, 51, 52, 56, 57]
  const list = (numbers: readonly number[]): string => numbers.map((number) => `${number} 0 R`).join(' ')
  return rawPdf({
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${list(fields)}]/CO[27 0 R 28 0 R]/DA(/Helv 12 Tf 0 g)${form}>>>>`,
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 460 800]>>',
    3: `<</Type/Page/Parent 2 0 R/Annots[${list(onFirst)}]>>`,
    4: '<</Type/Page/Parent 2 0 R/Annots 5 0 R>>',
    5: `[${list([45, 53, 58])}]`,
    ...Object.fromEntries(Object.entries(merged).map(([number, body]) => [number, `<<${widget(3, '')}${body}>>`])),
    ...groups,
    90: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 20 20]>>', stream: '0 0 20 20 re S 5 5 10 10 re f' },
    91: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 20 20]>>', stream: '0 0 20 20 re S' },
  })
}

export const numbered = (objectNumber: number) => ({ kind: 'objectNumber', objectNumber }) as const
export const named = (name: string) => ({ kind: 'fqn', name }) as const
export const widgetOn = (page: number, objectNumber: number) =>
  ({ kind: 'objectNumber', page: numbered(page), objectNumber }) as const
