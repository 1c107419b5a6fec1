// Data that a layer stores for later undos, in objects that are omitted from files that are sent.
import type { PDFDocument, PDFObject } from 'mupdf'
import { ownKeys } from '../objects/own-keys.js'

/** The change that stores the data. */
interface UndoDataWriter {
  readonly pdf: PDFDocument
  readonly document: { readonly undoData: Map<string, number> }
  create(value: PDFObject): PDFObject
  hide(reference: PDFObject): void
}

export class UndoData {
  constructor(private readonly change: UndoDataWriter) {}

  /** Returns the stored object; undefined if there is none. */
  of(about: string): PDFObject | undefined {
    const number = this.change.document.undoData.get(about)
    return number === undefined ? undefined : this.change.pdf.newIndirect(number)
  }

  /** Stores an object and returns the object that contains it from now on. */
  put(about: string, note: PDFObject): PDFObject {
    const { change } = this
    note.put(ownKeys.note, change.pdf.newString(about))
    const made = change.create(note)
    change.hide(made)
    change.document.undoData.set(about, made.asIndirect())
    return made
  }
}
