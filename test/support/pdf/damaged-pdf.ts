// A file of two pages with varied content, and ways to damage it that show only when an object is needed. Pages are
// objects 3 and 5, their contents 4 and 6.
import { helvetica, rawPdf } from './raw-pdf.js'

const font = helvetica.slice('/Font<</F1'.length, -'>>'.length)
const words = (text: string) => ({ body: '<<>>', stream: `BT /F1 18 Tf 30 100 Td (${text}) Tj ET` })

export const twoPages = (): Buffer => rawPdf(objects)

/** The same; its pages list one array of annotations. */
export const sharing = (): Buffer =>
  rawPdf({
    ...objects,
    3: '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots 13 0 R>>',
    5: '<</Type/Page/Parent 2 0 R/Contents 6 0 R/Annots 13 0 R>>',
    13: '[8 0 R 9 0 R]',
  })

const objects = {
  1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[9 0 R]/DR<</Font<</Helv 7 0 R>>>>>>/PieceInfo<</Made<</Private 11 0 R>>>>>>',
  2: '<</Type/Pages/Kids[3 0 R 5 0 R]/Count 2/MediaBox[0 0 300 200]/Resources<</Font<</F1 7 0 R>>>>>>',
  3: '<</Type/Page/Parent 2 0 R/Contents 4 0 R/Annots[8 0 R 9 0 R]>>',
  4: words('First page'),
  5: '<</Type/Page/Parent 2 0 R/Contents 6 0 R>>',
  6: words('Second page'),
  7: font,
  8: '<</Type/Annot/Subtype/Square/Rect[10 10 40 40]/C[1 0 0]/AP<</N 10 0 R>>>>',
  9: '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Ada)/DA(/Helv 10 Tf 0 g)/Rect[50 10 140 30]/P 3 0 R>>',
  10: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 30 30]>>', stream: '1 0 0 RG 1 1 28 28 re S' },
  11: '<</Deep 12 0 R>>',
  12: '<</Only(here)>>',
}

/** Changes the cross-reference entry of an object to another offset. */
export const misplaced = (pdf: Buffer, number: number, byBytes: number): Buffer =>
  withEntry(pdf, number, (place, rest) => `${String(place + byBytes).padStart(10, '0')}${rest}`)

/** Gives the cross-reference entry another generation than the object has. */
export const otherGeneration = (pdf: Buffer, number: number): Buffer =>
  withEntry(pdf, number, (place) => `${String(place).padStart(10, '0')} 00003 n`)

/** Marks a used object as free in its cross-reference entry: readers treat it as null. */
export const freed = (pdf: Buffer, number: number): Buffer => withEntry(pdf, number, () => '0000000000 00001 f')

/** Makes an object unreadable at its correct offset: its dictionary is not terminated. */
export function unreadable(pdf: Buffer, number: number): Buffer {
  const at = pdf.indexOf(`\n${number} 0 obj\n<<`) + `\n${number} 0 obj\n`.length
  const damaged = Buffer.from(pdf)
  damaged.write('<< ]', at, 'latin1')
  return damaged
}

function withEntry(pdf: Buffer, number: number, change: (place: number, rest: string) => string): Buffer {
  const text = pdf.toString('latin1')
  const table = text.lastIndexOf('\nxref\n')
  const at = text.indexOf('\n', table + '\nxref\n'.length) + 1 + 20 * number
  const entry = text.slice(at, at + 18)
  const damaged = Buffer.from(pdf)
  damaged.write(change(Number(entry.slice(0, 10)), entry.slice(10)), at, 'latin1')
  return damaged
}
