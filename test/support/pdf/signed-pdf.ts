// Makes signed files and further revisions from the text of objects, for files that no library would make.
import { createHash } from 'node:crypto'
import { testSigner } from '../signing/test-signer.js'
import { type RawObjects, rawPdf } from './raw-pdf.js'

export const signer = testSigner()
const holeBytes = 3000
/** Placeholder, as wide as every number that replaces it. */
const placeholder = '/ByteRange[0 0000000000 0000000000 0000000000]'
const emptyHole = `<${'0'.repeat(2 * holeBytes)}>`

/** Dictionary of a signature, with its hole open; `sign` fills it. */
export const signatureDictionary = (more = ''): string =>
  `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.CAdES.detached${placeholder}/Contents${emptyHole}${more}>>`

export const docMdp = (permission: number): string =>
  `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${permission}/V/1.2>>>>]`

export interface FormOptions {
  /** Further entries of the catalog. */
  readonly catalog?: string
  /** Further entries of the signature, of its field and of the form. */
  readonly signature?: string
  readonly field?: string
  readonly further?: RawObjects
}

/** One page; object 5 is the field `approval`, object 6 its signature, object 7 the text field `name`. */
export function signedPdf({ catalog = '', signature = '', field = '', further = {} }: FormOptions = {}): Buffer {
  return signed(
    rawPdf({
      1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 7 0 R]/SigFlags 3>>${catalog}>>`,
      2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[5 0 R 7 0 R]>>',
      5: `<</Type/Annot/Subtype/Widget/FT/Sig/T(approval)/Rect[0 0 0 0]/P 3 0 R/V 6 0 R${field}>>`,
      6: signatureDictionary(signature),
      7: '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 90 30]/P 3 0 R/DA(/Helv 0 Tf 0 g)>>',
      ...further,
    }),
  )
}

/** Fills the one open hole of a file: its byte range, and a CMS of `signer`. */
export function signed(file: Buffer): Buffer {
  const bytes = Buffer.from(file)
  const start = bytes.indexOf(emptyHole)
  const end = start + emptyHole.length
  const range = [start, end, bytes.length - end].map((number) => String(number).padStart(10, '0')).join(' ')
  bytes.write(`/ByteRange[0 ${range}]`, bytes.indexOf(placeholder), 'latin1')
  const digest = createHash('sha256').update(bytes.subarray(0, start)).update(bytes.subarray(end)).digest('base64')
  bytes.write(Buffer.from(signer.sign(digest), 'base64').toString('hex'), start + 1, 'latin1')
  return bytes
}

export interface UpdateOptions {
  /** Entries of the trailer besides /Size, /Root and /Prev. */
  readonly trailer?: string
  readonly size?: number
  readonly root?: number
}

/** Appends a revision that defines these objects. */
export function withRevision(
  file: Buffer,
  objects: Readonly<Record<number, string>>,
  options: UpdateOptions = {},
): Buffer {
  const [, previous = '0'] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1')) ?? []
  let text = ''
  let table = ''
  for (const [number, body] of Object.entries(objects)) {
    table += `${number} 1\n${String(file.length + text.length).padStart(10, '0')} 00000 n \n`
    text += `${number} 0 obj\n${body}\nendobj\n`
  }
  const { size = 20, root = 1, trailer = '' } = options
  const start = file.length + text.length
  text += `xref\n${table}trailer\n<</Size ${size}/Root ${root} 0 R/Prev ${previous}${trailer}>>\nstartxref\n${start}\n%%EOF\n`
  return Buffer.concat([file, Buffer.from(text, 'latin1')])
}

export const usageRights =
  '/Reference[<</Type/SigRef/TransformMethod/UR3/TransformParams<</Type/TransformParams/V/2.2/Form[/FillIn/Add]>>>>]'

/** Where Acrobat puts the stream of hidden objects: before the table of an update, or between its two tables. */
export type HybridLayout = 'alone' | 'before' | 'between'

/**
 * Appends a hybrid update as Acrobat writes it: object `size` is a string, hidden objects are `size + 1` and the stream
 * itself, and the `/Size` of the stream is too small.
 */
export function withHybridUpdate(file: Buffer, size: number, layout: HybridLayout, hidden = size + 1): Buffer {
  const [, previous = '0'] = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(file.toString('latin1')) ?? []
  let text = ''
  const put = (more: string): number => {
    const at = file.length + text.length
    text += more
    return at
  }
  const open = put(`${size} 0 obj\n(open)\nendobj\n`)
  const inStream = put(`${size + 1} 0 obj\n(hidden)\nendobj\n`)
  const row = (at: number) => `01${at.toString(16).padStart(6, '0')}00`
  const putStream = (): number => {
    const at = file.length + text.length
    const data = `${row(inStream)}${row(at)}>`
    const entries = `/Index[${hidden} 2]/W[1 3 1]/Root 1 0 R/Filter/ASCIIHexDecode/Length ${data.length}`
    return put(`${size + 2} 0 obj\n<</Type/XRef/Size 1${entries}>>\nstream\n${data}\nendstream\nendobj\n`)
  }
  const trailer = (prev: string, more = '') => `trailer\n<</Size ${size + 3}/Root 1 0 R/Prev ${prev}${more}>>\n`
  const table = () =>
    put(
      `xref\n${size} 2\n${String(open).padStart(10, '0')} 00000 n \n0000000000 65535 f \n` +
        (layout === 'alone' ? '' : trailer(previous)),
    )
  const before = layout === 'between' ? undefined : putStream()
  const first = table()
  const stream = before ?? putStream()
  const end = `/XRefStm ${stream}`
  const second = put(layout === 'alone' ? trailer(previous, end) : `xref\n0 0\n${trailer(String(first), end)}`)
  put(`startxref\n${layout === 'alone' ? first : second}\n%%EOF\n`)
  return Buffer.concat([file, Buffer.from(text, 'latin1')])
}
