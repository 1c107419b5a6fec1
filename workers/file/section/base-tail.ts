// The end of a file: offset and kind of its newest cross-reference section, and its trailer. An update section
// continues from there.
import type { PDFDocument } from 'mupdf'
import { JobRefusal } from '../../contract/job-refusal.js'
import { entriesOf } from '../../objects/values.js'
import { FileBytes } from '../file-bytes.js'
import { lastSection } from '../revisions.js'

export interface BaseTail {
  readonly sizeBytes: number
  /** Offset of the newest section; undefined if there is none. */
  readonly startXref: number | undefined
  /** Kind of the section (ISO 32000-2, 7.5.4 and 7.5.8). Hybrid files (7.5.8.4) have tables. */
  readonly kind: 'table' | 'stream'
  /** Serialised trailer values by key, without those that belong to a single section. */
  readonly trailer: ReadonlyMap<string, string>
  readonly highestObject: number
}

const keysMax = 64
/** Keys that belong to a single section (ISO 32000-2, tables 15, 17 and 19) and those of any stream. */
const ofOneSection = new Set(['Size', 'Prev', 'XRefStm', 'Type', 'W', 'Index'])
const ofStreams = new Set(['Length', 'Filter', 'DecodeParms', 'F', 'FFilter', 'FDecodeParms', 'DL'])

/** Reads the end of the file; `pdf` must be opened from this file alone. */
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
