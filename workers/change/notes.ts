// Data that a layer stores for later undos, in objects that are omitted from files that are sent.
import type { PDFDocument, PDFObject } from 'mupdf'
import { ownKeys } from '../objects/own-keys.js'

/** The change that stores the data. */
interface NoteWriter {
  readonly pdf: PDFDocument
  readonly document: { readonly notes: Map<string, number> }
  create(value: PDFObject): PDFObject
  hide(reference: PDFObject): void
}

export class Notes {
  constructor(private readonly change: NoteWriter) {}

  /** Returns the stored object; undefined if there is none. */
  of(about: string): PDFObject | undefined {
    const number = this.change.document.notes.get(about)
    return number === undefined ? undefined : this.change.pdf.newIndirect(number)
  }

  /** Stores an object and returns the object that contains it from now on. */
  put(about: string, note: PDFObject): PDFObject {
    const { change } = this
    note.put(ownKeys.note, change.pdf.newString(about))
    const made = change.create(note)
    change.hide(made)
    change.document.notes.set(about, made.asIndirect())
    return made
  }
}
