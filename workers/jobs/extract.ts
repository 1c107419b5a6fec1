// Some pages as a PDF of their own (`doc.pages.extract`). The source is read, never changed: the work is done on a copy
// that nothing else uses.
import type { Job, OnDocument } from '../job.js'
import { extractPages } from '../pdf/extraction/extract-pages.js'
import { openFile } from '../pdf/open-file.js'
import { saveFile } from '../pdf/save-file.js'
import { JobRefusal } from '../task.js'

export interface ExtractInput extends OnDocument {
  /** Object numbers, in the order they shall have. */
  readonly pages: readonly number[]
  /** Where the new file is written, in the workshop; nothing is there when the job fails. */
  readonly path: string
}

export interface Extract {
  readonly sizeBytes: number
}

export const extract: Job<ExtractInput, Extract> = {
  kind: 'read',
  deadline: { constantMs: 15_000, perMegabyteMs: 100 },
  run({ source, pages, path }) {
    if (pages.length === 0) throw new JobRefusal('InvalidArg', 'No page is named')
    if (new Set(pages).size < pages.length) throw new JobRefusal('InvalidArg', 'A page is named twice')
    const copy = openFile(source)
    try {
      const extracted = extractPages(copy, pages)
      try {
        return { sizeBytes: saveFile(extracted, 'garbage,compress', path) }
      } finally {
        extracted.destroy()
      }
    } finally {
      copy.destroy()
    }
  },
}
