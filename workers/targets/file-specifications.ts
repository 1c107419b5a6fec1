// Reads file specifications: references to other files, embedded or not (ISO 32000-2, 7.11).
import type { PDFObject } from 'mupdf'
import type { AttachedFile } from '../contract/annotations/file-attachment.js'
import { isoOfPdfDate } from '../contract/pdf-dates.js'
import type { Reading } from '../document/reading.js'
import { entry, integerOf, isDictionary, isText, textOf } from '../objects/values.js'

/** Returns the name, in Unicode if there is one. A specification may also consist of the name alone. */
export function fileName(reading: Reading, specification: PDFObject): string | undefined {
  if (isText(specification)) return reading.text(specification)
  return reading.text(specification, 'UF') ?? reading.text(specification, 'F') ?? reading.text(specification, 'Unix')
}

export function attachedFile(reading: Reading, specification: PDFObject): AttachedFile | null {
  const name = fileName(reading, specification)
  if (name === undefined) return null
  if (!isDictionary(specification)) return { name }
  const embedded = entry(specification, 'EF', 'F')
  const parameters = entry(embedded, 'Params')
  const mimeType = reading.name(embedded, 'Subtype')
  const description = reading.text(specification, 'Desc')
  const size = integerOf(entry(parameters, 'Size'))
  const checksum = checksumOf(entry(parameters, 'CheckSum'))
  const creationDate = isoOfPdfDate(textOf(entry(parameters, 'CreationDate')))
  return {
    name,
    ...(mimeType !== undefined && { mimeType }),
    ...(description !== undefined && { description }),
    ...(size !== undefined && size >= 0 && { size }),
    ...(checksum !== undefined && { checksum }),
    ...(creationDate !== null && { creationDate }),
  }
}

/** Returns an MD5 checksum of sixteen bytes; undefined for any other value. */
function checksumOf(value: PDFObject): string | undefined {
  if (!isText(value)) return undefined
  const bytes = value.asByteString()
  return bytes.length === 16 ? Buffer.from(bytes).toString('hex') : undefined
}
