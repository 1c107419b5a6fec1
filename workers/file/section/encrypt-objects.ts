// Encrypts objects with a document's keys without touching the document. Keys depend on the /Encrypt dictionary, the
// /ID, the password and the object number only; so a PDF that consists of these objects has the same keys.

import type { PDFDocument, PDFObject } from 'mupdf'
import { savedBytes } from '../../engine/engine-memory.js'
import { mupdf } from '../../engine/library.js'
import { entry, isStream } from '../../objects/values.js'
import { unlockPdf } from '../unlock-pdf.js'
import { deltaSection, type SectionObject } from './delta-section.js'
import { placeholder, withEmptyStream } from './encrypted-empty-stream.js'
import { contentOf } from './section-pieces.js'
import { objectsOfUpdate } from './update-objects.js'

/** Encrypts the objects. `pdf` may be locked; `password` unlocks it. Throws errors of opening. */
export function encryptObjects(
  pdf: PDFDocument,
  password: Uint8Array | undefined,
  objects: readonly SectionObject[],
): readonly SectionObject[] {
  // These objects have no content to encrypt, and the engine saves them as free entries.
  const written = objects.filter((object) => !isNull(object))
  if (written.length === 0) return objects
  const plain = openMade(written, new Map())
  const standIn = openMade(written.map(emptied), encryptionOf(pdf.getTrailer()))
  try {
    unlockPdf(standIn, password)
    const empty = new Set<number>()
    for (const { number } of written) {
      if (copyObject(plain.newIndirect(number), standIn.newIndirect(number)) === 0) empty.add(number)
    }
    const bodies = objectsOfUpdate(savedBytes(standIn, 'incremental'))
    return objects.map((object) => (isNull(object) ? object : encrypted(object, bodies, empty)))
  } finally {
    plain.destroy()
    standIn.destroy()
  }
}

const isNull = ({ body }: SectionObject): boolean => body.length === 4 && contentOf(body).toString('latin1') === 'null'

function encrypted(
  { number, generation }: SectionObject,
  bodies: ReadonlyMap<number, Buffer>,
  empty: ReadonlySet<number>,
): SectionObject {
  const body = bodies.get(number)
  if (body === undefined) throw new Error(`The object ${number} was not encrypted`)
  return { number, generation, body: empty.has(number) ? withEmptyStream(body) : body }
}

const emptied = ({ number, generation }: SectionObject): SectionObject => ({
  number,
  generation,
  body: Buffer.from('null'),
})

/** Returns the entries of the trailer that determine the keys. Files without an /ID exist; their keys do without it. */
function encryptionOf(trailer: PDFObject): ReadonlyMap<string, string> {
  const entries = new Map<string, string>()
  for (const name of ['Encrypt', 'ID']) {
    const value = entry(trailer, name)
    if (!value.isNull()) entries.set(name, value.resolve().toString(true, true))
  }
  return entries
}

/**
 * Copies an object with references as numbers, and names and strings as bytes, without parsing and reserialising.
 * Returns the length of its stream; undefined if it is not a stream.
 */
function copyObject(from: PDFObject, to: PDFObject): number | undefined {
  to.writeObject(from.resolve())
  if (!isStream(from)) return undefined
  const buffer = from.readRawStream()
  try {
    if (buffer.length === 0) to.writeRawStream(placeholder)
    else to.writeRawStream(buffer)
    return buffer.length
  } finally {
    buffer.destroy()
  }
}

const header = Buffer.from('%PDF-1.7\n')

/** Opens a PDF of these objects without pages. */
function openMade(objects: readonly SectionObject[], trailer: ReadonlyMap<string, string>): PDFDocument {
  const highest = objects.reduce((highest, { number }) => Math.max(highest, number), 0)
  const [root, pages] = [highest + 1, highest + 2]
  const { pieces } = deltaSection({
    base: { sizeBytes: header.length, startXref: undefined, kind: 'table', trailer, highestObject: 0 },
    objects: [
      ...objects,
      { number: root, generation: 0, body: Buffer.from(`<</Type/Catalog/Pages ${pages} 0 R>>`) },
      { number: pages, generation: 0, body: Buffer.from('<</Type/Pages/Kids[]/Count 0>>') },
    ],
    firstFree: pages + 1,
    trailer: new Map([['Root', `${root} 0 R`]]),
  })
  const bytes = Buffer.concat([header, ...pieces.map(contentOf)])
  const document = mupdf.Document.openDocument(bytes, 'application/pdf')
  if (document instanceof mupdf.PDFDocument && !document.wasRepaired()) return document
  document.destroy()
  throw new Error('The objects of a layer cannot be read')
}
