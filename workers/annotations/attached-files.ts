// Writes attached files: the bytes as an embedded stream, and the specification that names them (ISO 32000-2, 7.11).
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import type { Resource } from '../change/unfinished-item.js'
import type { WrittenFile } from '../contract/annotations/file-attachment.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { ownKeys } from '../objects/own-keys.js'
import { entry, isDictionary, isStream, objectNumberOf } from '../objects/values.js'
import { dateOf } from './dates.js'

/** Maximum size of one file, which is in memory while it is written. */
const fileBytesMax = 64 * 1024 * 1024

export function attachFile(change: Change, resource: Resource, described: WrittenFile | null): PDFObject {
  if (resource.sizeBytes > fileBytesMax) {
    const details = { limit: 'fileBytesMax', max: fileBytesMax, value: resource.sizeBytes }
    throw new JobRefusal('PayloadTooLarge', `An attached file has more than ${fileBytesMax} bytes`, details)
  }
  const { pdf } = change
  const bytes = readFileSync(resource.path)
  const stream = pdf.addRawStream(deflateSync(bytes), {})
  stream.put('Type', pdf.newName('EmbeddedFile'))
  stream.put('Filter', pdf.newName('FlateDecode'))
  const parameters = pdf.newDictionary()
  parameters.put('Size', bytes.length)
  parameters.put('CheckSum', pdf.newByteString(createHash('md5').update(bytes).digest()))
  parameters.put('CreationDate', pdf.newString(dateOf(change.stamp.now)))
  stream.put('Params', parameters)
  const specification = pdf.newDictionary()
  specification.put('Type', pdf.newName('Filespec'))
  specification.put(ownKeys.brought, true)
  specification.put('EF', { F: stream, UF: stream })
  const file = change.create(specification)
  describeFile(change, file, {
    name: described?.name ?? resource.fileName ?? 'attachment',
    mimeType: described?.mimeType ?? resource.contentType,
    description: described?.description ?? null,
  })
  return file
}

/** Writes name, media type and description; absent members are removed. */
export function describeFile(
  { pdf }: Change,
  file: PDFObject,
  { name, mimeType = null, description = null }: WrittenFile,
): void {
  file.put('UF', pdf.newString(name))
  file.put('F', pdf.newString(name))
  if (description === null) file.delete('Desc')
  else file.put('Desc', pdf.newString(description))
  const stream = entry(file, 'EF', 'F')
  if (!isStream(stream)) return
  if (mimeType === null) stream.delete('Subtype')
  else stream.put('Subtype', pdf.newName(mimeType))
}

/** Returns the specification and the stream, touched; undefined if there is none that can be altered. */
export function touchFile(change: Change, annotation: PDFObject): PDFObject | undefined {
  const file = entry(annotation, 'FS')
  if (!isDictionary(file)) return undefined
  if (objectNumberOf(file) !== undefined) change.touch(file)
  const stream = entry(file, 'EF', 'F')
  if (isStream(stream)) change.touch(stream)
  return file
}
