// Reads file specifications: references to other files, embedded or not (ISO 32000-2, 7.11).
import type { PDFObject } from 'mupdf'
import type { AttachedFile } from '../contract/annotations/file-attachment.js'
import { isoOfPdfDate } from '../contract/pdf-dates.js'
import type { Reading } from '../document/reading.js'
import { entry, integerOf, isDictionary, isStream, isText, textOf } from '../objects/values.js'

/** Returns the name, in Unicode if there is one. A specification may also consist of the name alone. */
export function fileName(reading: Reading, specification: PDFObject): string | undefined {
  if (isText(specification)) return reading.text(specification)
  return reading.text(specification, 'UF') ?? reading.text(specification, 'F') ?? reading.text(specification, 'Unix')
}

export function attachedFile(reading: Reading, specification: PDFObject): AttachedFile | null {
  const name = fileName(reading, specification)
  if (name === undefined) return null
  if (!isDictionary(specification)) return { ...undescribed, name }
  const embedded = embeddedIn(specification)
  const parameters = entry(embedded, 'Params')
  const size = integerOf(entry(parameters, 'Size')) ?? -1
  const createdAt = isoOfPdfDate(textOf(entry(parameters, 'CreationDate')))
  return {
    name,
    mimeType: reading.name(embedded, 'Subtype') ?? null,
    description: reading.text(specification, 'Desc') ?? null,
    size: size < 0 ? null : size,
    checksum: checksumOf(entry(parameters, 'CheckSum')) ?? null,
    createdAt,
    modifiedAt: isoOfPdfDate(textOf(entry(parameters, 'ModDate'))),
    ...(createdAt !== null && { creationDate: createdAt }),
  }
}

/** Members of a file that the PDF names only. */
export const undescribed: Omit<AttachedFile, 'name'> = {
  mimeType: null,
  description: null,
  size: null,
  checksum: null,
  createdAt: null,
  modifiedAt: null,
}

/** Returns the stream with the bytes of the file; some writers name it only under the key of Unicode names. */
export function embeddedIn(specification: PDFObject): PDFObject {
  const embedded = entry(specification, 'EF', 'F')
  return isStream(embedded) ? embedded : entry(specification, 'EF', 'UF')
}

/** Returns an MD5 checksum of sixteen bytes; undefined for any other value. */
function checksumOf(value: PDFObject): string | undefined {
  if (!isText(value)) return undefined
  const bytes = value.asByteString()
  return bytes.length === 16 ? Buffer.from(bytes).toString('hex') : undefined
}
