// Stores the appearance of a widget for a value that its field does not have at the moment. A widget restored to a
// field with another value is redrawn, and a removed widget is not drawn when a value is undone; once the field has the
// stored value again, the widget gets its stored appearance back.
import { isDeepStrictEqual } from 'node:util'
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { booleanOf, entry, isMissing, objectNumberOf, textOf } from '../../objects/values.js'
import type { StoredValue } from './stored-value.js'

const about = (number: number): string => `drawing ${number}`
const shownKeys = ['AP', 'AS'] as const

/** Entries of a widget that determine what it shows. */
export type ShownEntries = Readonly<Partial<Record<(typeof shownKeys)[number], PDFObject>>>

/** Stores the appearance for the field's former value; the first one stored is retained. */
export function rememberDrawing(change: Change, widget: PDFObject, value: StoredValue): void {
  const number = objectNumberOf(widget) ?? 0
  const known = change.undoData.of(about(number))
  if (known !== undefined && booleanOf(entry(known, 'Is')) === true) return
  noteDrawing(change, number, value, { AP: entry(widget, 'AP'), AS: entry(widget, 'AS') })
}

/** Stores the appearance and replaces an earlier one. */
export function noteDrawing(change: Change, number: number, value: StoredValue, shown: ShownEntries): void {
  const known = change.undoData.of(about(number))
  const note =
    known === undefined ? change.undoData.put(about(number), change.pdf.newDictionary()) : change.touch(known)
  note.put('Is', true)
  note.put('V', change.pdf.newString(JSON.stringify(value)))
  for (const key of shownKeys) putOrDrop(note, key, shown[key])
}

/** Returns false if no appearance is stored for this value. */
export function putFormerDrawing(change: Change, widget: PDFObject, value: StoredValue): boolean {
  const note = change.undoData.of(about(objectNumberOf(widget) ?? 0))
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
