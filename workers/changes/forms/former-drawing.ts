// The drawing of a widget for a value its field does not have just now. A widget that comes back to a field whose value is
// another by now is drawn anew, and one that is away while a value is taken back was not drawn at all; with the value it
// belongs to, each shows the drawing it had.
import { isDeepStrictEqual } from 'node:util'
import type { PDFObject } from 'mupdf'
import { booleanOf, entry, isMissing, objectNumberOf, textOf } from '../../pdf/values.js'
import type { Change } from '../change.js'
import type { StoredValue } from './stored-value.js'

const about = (number: number): string => `drawing ${number}`
const shownKeys = ['AP', 'AS'] as const

/** What a widget shows. */
export type Shown = Readonly<Partial<Record<(typeof shownKeys)[number], PDFObject>>>

/** Of the value its field had; the first that is remembered holds. */
export function rememberDrawing(change: Change, widget: PDFObject, value: StoredValue): void {
  const number = objectNumberOf(widget) ?? 0
  const known = change.notes.of(about(number))
  if (known !== undefined && booleanOf(entry(known, 'Is')) === true) return
  noteDrawing(change, number, value, { AP: entry(widget, 'AP'), AS: entry(widget, 'AS') })
}

/** Whatever was remembered before. */
export function noteDrawing(change: Change, number: number, value: StoredValue, shown: Shown): void {
  const known = change.notes.of(about(number))
  const note = known === undefined ? change.notes.put(about(number), change.pdf.newDictionary()) : change.touch(known)
  note.put('Is', true)
  note.put('V', change.pdf.newString(JSON.stringify(value)))
  for (const key of shownKeys) putOrDrop(note, key, shown[key])
}

/** False = none is remembered for this value. */
export function putFormerDrawing(change: Change, widget: PDFObject, value: StoredValue): boolean {
  const note = change.notes.of(about(objectNumberOf(widget) ?? 0))
  if (note === undefined || booleanOf(entry(note, 'Is')) !== true) return false
  const known: unknown = JSON.parse(textOf(entry(note, 'V')) ?? 'null')
  if (!isDeepStrictEqual(known, value)) return false
  change.touch(widget)
  for (const key of shownKeys) putOrDrop(widget, key, entry(note, key))
  change.touch(note).put('Is', false)
  return true
}

function putOrDrop(object: PDFObject, key: string, value: PDFObject | undefined): void {
  if (value === undefined || isMissing(value)) object.delete(key)
  else object.put(key, value)
}
