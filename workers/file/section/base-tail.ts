// How a file ends: where its newest cross-reference section begins, of which kind it is, and what the trailer says. What is
// laid behind the file continues from there.
import type { PDFDocument } from 'mupdf'
import { JobRefusal } from '../../contract/job-refusal.js'
import { entriesOf } from '../../objects/values.js'
import { FileBytes } from '../file-bytes.js'
import { lastSection } from '../revisions.js'

export interface BaseTail {
  readonly sizeBytes: number
  /** Undefined: nothing comes before. */
  readonly startXref: number | undefined
  /** ISO 32000-2, 7.5.4 and 7.5.8. A hybrid file (7.5.8.4) has tables. */
  readonly kind: 'table' | 'stream'
  /** Values as they stand in a file, by their keys; without those that belong to one section alone. */
  readonly trailer: ReadonlyMap<string, string>
  readonly highestObject: number
}

const keysMax = 64
/** ISO 32000-2, tables 15, 17 and 19, and those of any stream. */
const ofOneSection = new Set(['Size', 'Prev', 'XRefStm', 'Type', 'W', 'Index'])
const ofStreams = new Set(['Length', 'Filter', 'DecodeParms', 'F', 'FFilter', 'FDecodeParms', 'DL'])

/** `pdf` is open over just this file. */
export function baseTail(path: string, pdf: PDFDocument): BaseTail {
  const file = new FileBytes(path)
  try {
    const startXref = lastSection(file)
    if (startXref === undefined || pdf.wasRepaired()) throw damaged()
    return {
      sizeBytes: file.sizeBytes,
      startXref,
      kind: /^\s*xref\b/.test(file.text(startXref, 32)) ? 'table' : 'stream',
      trailer: trailerOf(pdf),
      highestObject: pdf.countObjects() - 1,
    }
  } finally {
    file.close()
  }
}

function trailerOf(pdf: PDFDocument): ReadonlyMap<string, string> {
  const entries = entriesOf(pdf.getTrailer(), keysMax).filter(([key]) => !ofOneSection.has(key) && !ofStreams.has(key))
  return new Map(entries.map(([key, value]) => [key, value.toString(true, true)]))
}

const damaged = (): JobRefusal => new JobRefusal('MalformedPdf', 'The document is damaged and cannot be changed')
