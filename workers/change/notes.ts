// What a layer remembers for later undos, in objects that are in no file that is sent.
import type { PDFDocument, PDFObject } from 'mupdf'
import { ownKeys } from '../objects/own-keys.js'

/** The change that writes the notes. */
interface NoteWriter {
  readonly pdf: PDFDocument
  readonly document: { readonly notes: Map<string, number> }
  create(value: PDFObject): PDFObject
  hide(reference: PDFObject): void
}

export class Notes {
  constructor(private readonly change: NoteWriter) {}

  /** Undefined = nothing was remembered. */
  of(about: string): PDFObject | undefined {
    const number = this.change.document.notes.get(about)
    return number === undefined ? undefined : this.change.pdf.newIndirect(number)
  }

  /** Returns the object that stores the note from now on. */
  put(about: string, note: PDFObject): PDFObject {
    const { change } = this
    note.put(ownKeys.note, change.pdf.newString(about))
    const made = change.create(note)
    change.hide(made)
    change.document.notes.set(about, made.asIndirect())
    return made
  }
}
