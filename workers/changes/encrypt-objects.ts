// Encrypts objects the way a document encrypts its own, without touching the document: its key depends on its /Encrypt
// dictionary, its /ID and the password, and that of an object on its number; so a PDF of nothing else has the same keys.

import type { PDFDocument, PDFObject } from 'mupdf'
import { savedBytes } from '../pdf/engine-memory.js'
import { mupdf } from '../pdf/library.js'
import { unlockPdf } from '../pdf/unlock-pdf.js'
import { isStream } from '../pdf/values.js'
import { deltaSection, type SectionObject } from './delta-section.js'
import { contentOf } from './pieces.js'
import { objectsOfUpdate } from './update-objects.js'

/** `pdf` may be locked; `password` is what opens it. Throws what opening throws. */
export function encryptObjects(
  pdf: PDFDocument,
  password: Uint8Array | undefined,
  objects: readonly SectionObject[],
): readonly SectionObject[] {
  if (objects.length === 0) return []
  const plain = openMade(objects, new Map())
  const standIn = openMade(objects.map(emptied), encryptionOf(pdf.getTrailer()))
  try {
    unlockPdf(standIn, password)
    for (const { number } of objects) copyObject(plain.newIndirect(number), standIn.newIndirect(number))
    return encrypted(standIn, objects)
  } finally {
    plain.destroy()
    standIn.destroy()
  }
}

const emptied = ({ number, generation }: SectionObject): SectionObject => ({
  number,
  generation,
  body: Buffer.from('null'),
})

function encryptionOf(trailer: PDFObject): ReadonlyMap<string, string> {
  const encryption = trailer.get('Encrypt').resolve().toString(true, true)
  const id = trailer.get('ID').resolve().toString(true, true)
  return new Map([
    ['Encrypt', encryption],
    ['ID', id],
  ])
}

/** References in it stay numbers, names and strings their bytes: nothing is taken apart and put together again. */
function copyObject(from: PDFObject, to: PDFObject): void {
  to.writeObject(from.resolve())
  if (!isStream(from)) return
  const buffer = from.readRawStream()
  try {
    to.writeRawStream(buffer)
  } finally {
    buffer.destroy()
  }
}

function encrypted(standIn: PDFDocument, objects: readonly SectionObject[]): readonly SectionObject[] {
  const bodies = objectsOfUpdate(savedBytes(standIn, 'incremental'))
  return objects.map(({ number, generation }) => {
    const body = bodies.get(number)
    if (body === undefined) throw new Error(`The object ${number} was not encrypted`)
    return { number, generation, body }
  })
}

const header = Buffer.from('%PDF-1.7\n')

/** A PDF of these objects and no page. */
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
