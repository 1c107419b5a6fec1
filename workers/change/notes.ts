// What a layer remembers for later undos, in objects that are in no file that is sent.
import type { PDFObject } from 'mupdf'
import { ownKeys } from '../objects/own-keys.js'
import type { Change } from './change.js'

export class Notes {
  constructor(private readonly change: Change) {}

  /** Undefined = nothing was remembered. */
  of(about: string): PDFObject | undefined {
    const number = this.change.document.notes.get(about)
    return number === undefined ? undefined : this.change.pdf.newIndirect(number)
  }

  /** Answers the object it stands in from now on. */
  put(about: string, note: PDFObject): PDFObject {
    const { change } = this
    note.put(ownKeys.note, change.pdf.newString(about))
    const made = change.create(note)
    change.hide(made)
    change.document.notes.set(about, made.asIndirect())
    return made
  }
}
