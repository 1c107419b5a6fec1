// Documents with signature fields that have any entries, as other programs write them.
import { onePage, type RawObjects } from '../../../support/pdf/raw-pdf.js'

let made = 0

/** Returns a page with these fields, merged with their widgets, as objects from 10 on. Each call returns a different file. */
export function withFields(...fields: readonly string[]): Buffer {
  const numbers = fields.map((_, index) => `${10 + index} 0 R`).join(' ')
  const further: RawObjects = {
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${numbers}]>>>>`,
    ...Object.fromEntries(fields.map((body, index) => [10 + index, body])),
  }
  return onePage(`% ${++made}`, { page: `/Annots[${numbers}]`, further })
}

/** Returns a field dictionary with type, name and further entries. */
export const fieldBody = (type: string, name: string, entries = ''): string =>
  `<</Type/Annot/Subtype/Widget/P 3 0 R/Rect[10 10 60 30]/FT/${type}/T(${name})${entries}>>`

export const signatureField = (name: string, entries = ''): string => fieldBody('Sig', name, entries)
