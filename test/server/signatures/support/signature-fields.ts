// Documents with signature fields of any entries, as other programs make them.
import { onePage, type RawObjects } from '../../../support/pdf/raw-pdf.js'

let made = 0

/** One page with these fields, merged with their widgets, as objects from 10 on. Every document is another one. */
export function withFields(...fields: readonly string[]): Buffer {
  const numbers = fields.map((_, index) => `${10 + index} 0 R`).join(' ')
  const further: RawObjects = {
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${numbers}]>>>>`,
    ...Object.fromEntries(fields.map((body, index) => [10 + index, body])),
  }
  return onePage(`% ${++made}`, { page: `/Annots[${numbers}]`, further })
}

/** A field dictionary: type, name, further entries. */
export const fieldBody = (type: string, name: string, entries = ''): string =>
  `<</Type/Annot/Subtype/Widget/P 3 0 R/Rect[10 10 60 30]/FT/${type}/T(${name})${entries}>>`

export const signatureField = (name: string, entries = ''): string => fieldBody('Sig', name, entries)
