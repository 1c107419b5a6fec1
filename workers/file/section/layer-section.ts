// The changes of a layer as an update section, for opening the layer or for sending after the file.
import type { PDFDocument } from 'mupdf'
import type { OpenedFrom, StoredImage } from '../../messages/task.js'
import { trailerNumber } from '../../objects/object-image.js'
import { openPdf } from '../open-pdf.js'
import { type BaseTail, baseTail } from './base-tail.js'
import { deltaSection, type Section, type SectionObject } from './delta-section.js'
import { encryptObjects } from './encrypt-objects.js'
import { contentOf } from './section-pieces.js'

/**
 * Returns the section that opens the layer: with everything stored for undo, and with the next object number set to
 * one that no layer has used.
 */
export function layerSection(source: OpenedFrom, images: readonly StoredImage[]): Section['pieces'] {
  const nextObject = source.overlay?.nextObject ?? 0
  return section(source, images, (base, objects) => {
    const firstFree = Math.max(nextObject, firstFreeOf(base, objects))
    return { objects: base.kind === 'table' ? anchored(base, objects, firstFree - 1) : objects, firstFree }
  }).pieces
}

/**
 * Returns the section to send after the file, without objects that nothing refers to. The same edits give the same
 * bytes.
 */
export function sentSection(source: OpenedFrom, images: readonly StoredImage[]): Section {
  const shown = images.filter(({ isHidden }) => !isHidden)
  return section(source, shown, (base, objects) => ({ objects, firstFree: firstFreeOf(base, objects) }))
}

/**
 * Returns the section to send after the file, with one object whose serialised dictionary begins with `entries`, as
 * they are: encryption leaves them alone (ISO 32000-2, 7.6.2 for the `/Contents` of a signature).
 */
export function sectionWithEntries(
  source: OpenedFrom,
  images: readonly StoredImage[],
  { number, entries }: { readonly number: number; readonly entries: Buffer },
): Section {
  const shown = images.filter(({ isHidden }) => !isHidden)
  return section(source, shown, (base, objects) => ({
    objects: objects.map((object) => (object.number === number ? withEntries(object, entries) : object)),
    firstFree: firstFreeOf(base, objects),
  }))
}

/** Offset of the entries in the serialised object. */
export const entriesOffset = ({ number, generation }: Pick<SectionObject, 'number' | 'generation'>): number =>
  `${number} ${generation} obj\n<<`.length

function withEntries({ number, generation, body }: SectionObject, entries: Buffer): SectionObject {
  const dictionary = contentOf(body)
  if (dictionary.subarray(0, 2).toString('latin1') !== '<<') throw new Error(`The object ${number} is no dictionary`)
  return { number, generation, body: Buffer.concat([dictionary.subarray(0, 2), entries, dictionary.subarray(2)]) }
}

type NumberObjects = (base: BaseTail, objects: readonly SectionObject[]) => NumberedObjects

interface NumberedObjects {
  readonly objects: readonly SectionObject[]
  readonly firstFree: number
}

function section({ path, password }: OpenedFrom, images: readonly StoredImage[], numbered: NumberObjects): Section {
  const pdf = openPdf(path)
  try {
    const base = baseTail(path, pdf)
    const trailer = trailerOf(images)
    const objects = images.filter(({ number }) => number !== trailerNumber)
    const bodies = isEncrypted(pdf) ? encryptObjects(pdf, password, objects) : objects
    return deltaSection({ base, trailer, ...numbered(base, bodies) })
  } finally {
    pdf.destroy()
  }
}

const isEncrypted = (pdf: PDFDocument): boolean => !pdf.getTrailer().get('Encrypt').isNull()

const firstFreeOf = (base: BaseTail, objects: readonly SectionObject[]): number =>
  objects.reduce((highest, { number }) => Math.max(highest, number), base.highestObject) + 1

/**
 * Makes the engine continue with this number, because it assigns numbers above the highest existing one and ignores
 * `/Size`.
 */
function anchored(base: BaseTail, objects: readonly SectionObject[], number: number): readonly SectionObject[] {
  const isThere = number <= base.highestObject || objects.some((object) => object.number === number)
  return isThere ? objects : [...objects, { number, generation: 0, body: Buffer.from('null') }]
}

function trailerOf(images: readonly StoredImage[]): ReadonlyMap<string, string> {
  const image = images.find(({ number }) => number === trailerNumber)
  const info = image && /^<<\/Info ([\s\S]*)>>$/.exec(contentOf(image.body).toString('latin1'))?.[1]
  return new Map(info === undefined ? [] : [['Info', info]])
}
