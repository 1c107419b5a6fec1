// Extracts pages into a new PDF (`doc.pages.extract`). The source is only read: the work is done on a separate copy.
import type { PDFDocument } from 'mupdf'
import { extractPages } from '../assembly/extraction/extract-pages.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { openFile } from '../document/open-file.js'
import { isTrap } from '../engine/trap.js'
import { saveFile } from '../file/save-file.js'
import { forceRepair } from '../intake/force-repair.js'
import type { OpenedFrom } from '../messages/task.js'
import type { Job, OnDocument } from './job.js'

export interface ExtractInput extends OnDocument {
  /** Object numbers of pages in the order of the new document. */
  readonly pages: readonly number[]
  /** Path in the staging folder where the new file is written; nothing is left there if the job fails. */
  readonly path: string
}

export interface Extract {
  readonly sizeBytes: number
}

export const extract: Job<ExtractInput, Extract> = {
  kind: 'read',
  deadline: { constantMs: 15_000, perMegabyteMs: 100 },
  run({ source, pages, path }) {
    if (pages.length === 0) throw new JobRefusal('InvalidArg', 'The request names no page')
    if (new Set(pages).size < pages.length) throw new JobRefusal('InvalidArg', 'A page is named twice')
    return withExtracted(source, pages, (extracted) => ({ sizeBytes: saveFile(extracted, 'garbage,compress', path) }))
  },
}

/** Passes the extracted document to a callback. Throws errors of opening. */
function withExtracted<Answer>(
  source: OpenedFrom,
  pages: readonly number[],
  use: (extracted: PDFDocument) => Answer,
): Answer {
  const extracted = extractedOnce(source, pages, { isRepairedFirst: false }) ?? extractedAgain(source, pages)
  try {
    return use(extracted)
  } finally {
    extracted.destroy()
  }
}

/** Extracts from a copy of which all objects are loaded first, so that no damage is detected later. */
function extractedAgain(source: OpenedFrom, pages: readonly number[]): PDFDocument {
  const extracted = extractedOnce(source, pages, { isRepairedFirst: true })
  if (extracted === undefined) throw new JobRefusal('MalformedPdf', 'The document cannot be repaired')
  return extracted
}

/**
 * Extracts the pages; undefined if the engine repaired the copy meanwhile. A repair discards changes in memory, so
 * other pages would be included, and it may be the only cause of errors.
 */
function extractedOnce(
  source: OpenedFrom,
  pages: readonly number[],
  { isRepairedFirst }: { readonly isRepairedFirst: boolean },
): PDFDocument | undefined {
  const copy = openFile(source)
  let wasRepaired = false
  const isRepairedSince = () => copy.pdf.wasRepaired() && !wasRepaired
  try {
    if (isRepairedFirst) forceRepair(copy.pdf)
    wasRepaired = copy.pdf.wasRepaired()
    const extracted = extractPages(copy, pages)
    if (!isRepairedSince()) return extracted
    extracted.destroy()
    return undefined
  } catch (error) {
    if (isTrap(error) || !isRepairedSince()) throw error
    return undefined
  } finally {
    copy.destroy()
  }
}
