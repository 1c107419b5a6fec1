// Writes a PDF from the text of its objects, with correct offsets, for files that libraries would not create.

export interface RawObject {
  /** Text between `obj` and `endobj`; for a stream its dictionary, without `/Length`. */
  readonly body: string
  /** One character for every byte. */
  readonly stream?: string
}

export type RawObjects = Readonly<Record<number, string | RawObject>>

export interface RawOptions {
  /** Default 1. */
  readonly root?: number
  /** Further entries of the trailer. */
  readonly trailer?: string
}

export function rawPdf(objects: RawObjects, { root = 1, trailer = '' }: RawOptions = {}): Buffer {
  const numbers = Object.keys(objects).map(Number)
  const size = Math.max(...numbers) + 1
  const places = new Map<number, number>()
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  for (const number of numbers) {
    places.set(number, text.length)
    text += `${number} 0 obj\n${bodyOf(objects[number] ?? 'null')}\nendobj\n`
  }
  const start = text.length
  text += `xref\n0 ${size}\n`
  for (let number = 0; number < size; number++) text += entryOf(places.get(number))
  text += `trailer\n<</Size ${size}/Root ${root} 0 R${trailer}>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** Makes a PDF with one page of `size`, as object 3, and its content as object 4; further objects from 5 on. */
export function onePage(
  content: string,
  { size = [300, 200], resources = '', page = '', further = {} }: Partial<OnePage> = {},
): Buffer {
  return rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${size.join(' ')}]/Contents 4 0 R/Resources<<${resources}>>${page}>>`,
    4: { body: '<<>>', stream: content },
    ...further,
  })
}

export interface OnePage {
  readonly size: readonly [number, number]
  /** Entries of the resource dictionary. */
  readonly resources: string
  /** Further entries of the page. */
  readonly page: string
  readonly further: RawObjects
}

export const helvetica = '/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>>>'

function bodyOf(object: string | RawObject): string {
  if (typeof object === 'string') return object
  const { body, stream } = object
  if (stream === undefined) return body
  return `${body.replace(/>>\s*$/, `/Length ${stream.length}>>`)}\nstream\n${stream}\nendstream`
}

const entryOf = (place: number | undefined): string =>
  place === undefined ? '0000000000 65535 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`
