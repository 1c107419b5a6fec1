// Reads the files that a document has attached: their descriptions, and the bytes of one.
import type { PDFObject } from 'mupdf'
import type { Attachment } from '../contract/attachments.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { Reading } from '../document/reading.js'
import { limits } from '../limits.js'
import { streamBytes } from '../objects/streams.js'
import { nameTree } from '../objects/trees.js'
import { entry, isStream } from '../objects/values.js'
import { attachedFile, embeddedIn, undescribed } from '../targets/file-specifications.js'

export function readAttachments(reading: Reading): readonly Attachment[] {
  return [...filesOf(reading)].map(([key, specification], index) => {
    reading.budget.takeItem()
    const { creationDate: _, ...file } = attachedFile(reading, specification) ?? { ...undescribed, name: key }
    return { ref: { kind: 'key', key: reading.budget.takeText(key) }, ...file, index }
  })
}

/** Yields the files by keys that differ: damaged files use one key several times, and later ones get a number. */
function* filesOf(reading: Reading): Iterable<readonly [key: string, specification: PDFObject]> {
  /** Uses of each key so far. */
  const uses = new Map<string, number>()
  for (const [written, specification] of nameTree(entry(reading.catalog, 'Names', 'EmbeddedFiles'))) {
    let number = uses.get(written) ?? 0
    let key = written
    while (uses.has(key)) key = `${written} (${++number})`
    uses.set(key, 1).set(written, Math.max(number, 1))
    yield [key, specification]
  }
}

export interface FileContent {
  readonly name: string
  /** Media type as stated in the PDF. */
  readonly mimeType: string | undefined
  readonly bytes: Uint8Array
}

/** Returns the content of the file of this key. Throws `NotFound`, and the errors of `contentOfFile`. */
export function readAttachment(reading: Reading, key: string): FileContent {
  for (const [name, specification] of filesOf(reading)) {
    if (name === key) return contentOfFile(reading, specification)
  }
  throw new JobRefusal('NotFound', 'The document has no attached file of this key')
}

/** Throws `NotFound` for a file that is not in the PDF, `MalformedPdf` for one that is too large or cannot be decoded. */
export function contentOfFile(reading: Reading, specification: PDFObject): FileContent {
  const stream = embeddedIn(specification)
  if (!isStream(stream)) throw new JobRefusal('NotFound', 'The PDF names this file, but does not contain it')
  const bytes = streamBytes(stream, limits.attachedBytesMax)
  if (bytes === undefined) {
    const max = limits.attachedBytesMax
    throw new JobRefusal('MalformedPdf', `The attached file has more than ${max} bytes, or cannot be decoded`)
  }
  const { name = 'attachment', mimeType = null } = attachedFile(reading, specification) ?? {}
  return { name, mimeType: mimeType ?? undefined, bytes }
}
