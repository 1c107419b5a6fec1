// A document written anew: one revision, without objects that nothing refers to or that edits have removed. Object numbers are kept. The same content
// gives the same bytes, unless it is encrypted: then every string and stream has a random start.
import { rmSync } from 'node:fs'
import type { PDFDocument } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import { OpenDocument } from '../document/open-document.js'
import { digestOf, type FileDigest } from '../file/digest.js'
import { identityOf, putIdentity } from '../file/identity.js'
import { openPdf } from '../file/open-pdf.js'
import { saveFile } from '../file/save-file.js'
import { sentSection } from '../file/section/layer-section.js'
import { unlockPdf } from '../file/unlock-pdf.js'
import type { OpenedFrom } from '../messages/task.js'
import { forceRepair } from './force-repair.js'

/** `garbage=1` keeps object numbers. */
const saveOptions = 'garbage=1,compress'

/** Writes the copy, and removes the file at the path on failure. */
export function writeFreshCopy(source: OpenedFrom, path: string): FileDigest {
  try {
    return write(source, path, { isRepairedFirst: false }) ?? writeRepaired(source, path)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

function writeRepaired(source: OpenedFrom, path: string): FileDigest {
  const written = write(source, path, { isRepairedFirst: true })
  if (written === undefined) throw damaged()
  return written
}

/** Writes the copy; undefined if the engine repaired the document while it was saved. */
function write(
  source: OpenedFrom,
  path: string,
  { isRepairedFirst }: { readonly isRepairedFirst: boolean },
): FileDigest | undefined {
  const pdf = openPdf(source.path, sectionsOf(source))
  try {
    const openedAs = unlockPdf(pdf, source.password)
    if (isRepairedFirst) forceRepair(pdf)
    const { pages } = new OpenDocument(pdf, openedAs)
    const wasRepaired = pdf.wasRepaired()
    const identity = identityOf(pdf)
    deleteHidden(pdf, source)
    saveFile(pdf, saveOptions, path)
    if (pdf.wasRepaired() !== wasRepaired) return undefined
    putIdentity(path, identity)
    prove(path, source.password, pages)
    return digestOf(path)
  } finally {
    pdf.destroy()
  }
}

/** Deletes removed objects of the base that other objects still name, such as the structure of the document. */
function deleteHidden(pdf: PDFDocument, { overlay }: OpenedFrom): void {
  const count = pdf.countObjects()
  for (const { number, isHidden } of overlay?.images ?? []) {
    if (isHidden && number > 0 && number < count) pdf.deleteObject(number)
  }
}

function sectionsOf(source: OpenedFrom) {
  const images = source.overlay === undefined ? [] : source.overlay.images
  if (images === undefined) throw new JobRefusal('OverlayWanted', 'The edits of the layer are required')
  return images.length === 0 ? [] : sentSection(source, images).pieces
}

/** Checks that the file has one revision, is undamaged and has the same pages. */
function prove(path: string, password: Uint8Array | undefined, pages: readonly number[]): void {
  const pdf = openPdf(path)
  try {
    const copy = new OpenDocument(pdf, unlockPdf(pdf, password))
    const isSame = copy.pages.length === pages.length && copy.pages.every((page, index) => page === pages[index])
    if (pdf.wasRepaired() || pdf.countVersions() !== 1 || !isSame) throw damaged()
  } finally {
    pdf.destroy()
  }
}

const damaged = (): JobRefusal => new JobRefusal('MalformedPdf', 'The document cannot be rewritten')
