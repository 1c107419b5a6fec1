// The drawing a widget had before it was drawn anew for a value it did not have itself: one that came back to a field
// whose value is another by now. With its own value it shows its own drawing again.
import { isDeepStrictEqual } from 'node:util'
import type { PDFObject } from 'mupdf'
import { booleanOf, entry, isMissing, objectNumberOf, textOf } from '../../pdf/values.js'
import type { Change } from '../change.js'
import type { StoredValue } from './stored-value.js'

const about = (widget: PDFObject): string => `drawing ${objectNumberOf(widget) ?? 0}`

/** `value`: what the drawing it has now is of. */
export function rememberDrawing(change: Change, widget: PDFObject, value: StoredValue): void {
  const known = change.notes.of(about(widget))
  if (known !== undefined && booleanOf(entry(known, 'Is')) === true) return
  const note = known === undefined ? change.notes.put(about(widget), change.pdf.newDictionary()) : change.touch(known)
  const drawing = entry(widget, 'AP')
  note.put('Is', true)
  note.put('V', change.pdf.newString(JSON.stringify(value)))
  if (isMissing(drawing)) note.delete('AP')
  else note.put('AP', drawing)
}

/** False = it has no other for this value. */
export function putFormerDrawing(change: Change, widget: PDFObject, value: StoredValue): boolean {
  const note = change.notes.of(about(widget))
  if (note === undefined || booleanOf(entry(note, 'Is')) !== true) return false
  const known: unknown = JSON.parse(textOf(entry(note, 'V')) ?? 'null')
  if (!isDeepStrictEqual(known, value)) return false
  const drawing = entry(note, 'AP')
  change.touch(widget)
  if (isMissing(drawing)) widget.delete('AP')
  else widget.put('AP', drawing)
  change.touch(note).put('Is', false)
  return true
}
