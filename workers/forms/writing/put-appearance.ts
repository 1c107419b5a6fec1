// Writes an appearance into a widget. Appearances of the file are never overwritten, because other widgets may share
// them and an undo restores them; those drawn by this program belong to one widget and are overwritten,
// unless the file is signed.

import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { ownKeys } from '../../objects/own-keys.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { entriesOf, entry, integerOf, isDictionary, isMissing, isStream, objectNumberOf } from '../../objects/values.js'
import { objectsOfEmbedded } from '../../text/embedded-subset.js'
import type { WidgetFrame } from '../drawing/widget-frame.js'

/** Key in appearances that show something other than the value of the field. */
const otherMark = 'STWD_Other'

export interface Appearance {
  readonly frame: WidgetFrame
  /** Content in Latin-1. */
  readonly content: string
  /** Resource dictionary of fonts; undefined without text. */
  readonly fonts: PDFObject | undefined
}

/** Writes the appearance of a widget without states. */
export function putAppearance(change: Change, widget: PDFObject, appearance: Appearance): void {
  const old = entry(widget, 'AP', 'N')
  if (isOwn(widget, old) && !change.isSigned(old)) rewrite(change, old, appearance)
  else putNormal(change, widget, makeAppearance(change, widget, appearance))
}

/**
 * Writes an appearance other than that of the value, in addition to the current one, so that an undo can restore
 * that.
 */
export function putOtherAppearance(change: Change, widget: PDFObject, appearance: Appearance): void {
  const drawing = makeAppearance(change, widget, appearance)
  drawing.delete(ownKeys.widget)
  drawing.put(otherMark, true)
  putNormal(change, widget, drawing)
}

export const showsOther = (widget: PDFObject): boolean => !isMissing(entry(widget, 'AP', 'N', otherMark))

/** Writes appearances by state name. */
export function putStates(change: Change, widget: PDFObject, states: Readonly<Record<string, Appearance>>): void {
  hideOwnDrawings(change, widget)
  const dictionary = change.pdf.newDictionary()
  for (const [state, appearance] of Object.entries(states)) {
    dictionary.put(state, makeAppearance(change, widget, appearance))
  }
  putNormal(change, widget, dictionary)
}

export function putNormal(change: Change, widget: PDFObject, normal: PDFObject): void {
  setAside(change, widget)
  const dictionary = change.pdf.newDictionary()
  dictionary.put('N', normal)
  widget.put('AP', dictionary)
}

const about = (widget: PDFObject): string => `appearance ${objectNumberOf(widget) ?? 0}`

/** Stores appearances other than the one replaced (states, pressed buttons) so that an undo finds them. */
function setAside(change: Change, widget: PDFObject): void {
  const appearance = entry(widget, 'AP')
  const normal = entry(appearance, 'N')
  const isPlain = objectNumberOf(appearance) === undefined && entriesOf(appearance, 2).length < 2 && isStream(normal)
  if (isMissing(appearance) || isPlain || isOwn(widget, normal) || hasOwnStates(widget)) return
  const known = change.undoData.of(about(widget))
  const note =
    known === undefined ? change.undoData.put(about(widget), change.pdf.newDictionary()) : change.touch(known)
  note.put('AP', appearance)
}

/** True if this program drew the state appearances. */
export const hasOwnStates = (widget: PDFObject): boolean => {
  const normal = entry(widget, 'AP', 'N')
  if (isStream(normal)) return false
  return entriesOf(normal, readingLimits.appearanceStatesMax).some(([, drawing]) => isOwn(widget, drawing))
}

export interface FormerAppearance {
  readonly appearance: ReturnType<typeof appearanceName>
  /** True if this program drew the state appearances. */
  readonly ownStates?: boolean
}

/**
 * Restores the former appearance of a widget that is tracked already; returns false if it was generated here and must
 * be redrawn.
 */
export function restoreAppearance(
  change: Change,
  widget: PDFObject,
  { appearance, ownStates }: FormerAppearance,
): boolean {
  if (appearance === null) {
    dropAppearance(change, widget)
    return true
  }
  if (appearance === 'own' || ownStates === true) return false
  const noted = entry(change.undoData.of(about(widget)) ?? change.pdf.newNull(), 'AP')
  const notedNumber = objectNumberOf(entry(noted, 'N'))
  if (appearance === 'states') {
    const isThere = !isStream(entry(widget, 'AP', 'N')) && !hasOwnStates(widget)
    if (isThere || isMissing(noted) || isStream(entry(noted, 'N'))) return isThere
    hideOwnDrawings(change, widget)
    widget.put('AP', noted)
    return true
  }
  const drawing = change.pdf.newIndirect(appearance)
  if (!isStream(drawing)) return false
  if (objectNumberOf(entry(widget, 'AP', 'N')) === appearance) return true
  hideOwnDrawings(change, widget)
  change.show(drawing)
  if (notedNumber === appearance) widget.put('AP', noted)
  else putNormal(change, widget, drawing)
  return true
}

/** Removes the appearance of a widget that shows nothing. */
export function dropAppearance(change: Change, widget: PDFObject): void {
  hideOwnDrawings(change, widget)
  widget.delete('AP')
}

/**
 * Returns the object number of an appearance of the file, which an undo can restore. `own`: drawn by this program, to
 * be redrawn; `states`: one per state, which stay unchanged; null: none.
 */
export function appearanceName(widget: PDFObject): number | 'own' | 'states' | null {
  const normal = entry(widget, 'AP', 'N')
  if (isOwn(widget, normal)) return 'own'
  if (isDictionary(normal) && !isStream(normal)) return 'states'
  return isStream(normal) ? (objectNumberOf(normal) ?? null) : null
}

export const isOwn = (widget: PDFObject, drawing: PDFObject): boolean =>
  isStream(drawing) && integerOf(entry(drawing, ownKeys.widget)) === objectNumberOf(widget)

/** Hides the drawings of this program that belong to the widget alone. */
export function hideOwnDrawings(change: Change, widget: PDFObject): void {
  const normal = entry(widget, 'AP', 'N')
  const drawings = isStream(normal)
    ? [normal]
    : entriesOf(normal, readingLimits.appearanceStatesMax).map(([, drawing]) => drawing)
  for (const drawing of drawings.filter((one) => isOwn(widget, one) && !change.isSigned(one))) {
    change.hide(drawing, ...embeddedIn(drawing))
  }
}

function rewrite(change: Change, drawing: PDFObject, appearance: Appearance): void {
  change.touch(drawing)
  change.hide(...embeddedIn(drawing))
  putFrame(change, drawing, appearance)
  drawing.writeStream(Buffer.from(appearance.content, 'latin1'))
}

function makeAppearance(change: Change, widget: PDFObject, appearance: Appearance): PDFObject {
  const dictionary = change.pdf.newDictionary()
  dictionary.put('Type', change.pdf.newName('XObject'))
  dictionary.put('Subtype', change.pdf.newName('Form'))
  const owner = objectNumberOf(widget)
  if (owner !== undefined) dictionary.put(ownKeys.widget, owner)
  putFrame(change, dictionary, appearance)
  return change.pdf.addStream(Buffer.from(appearance.content, 'latin1'), dictionary)
}

function putFrame({ pdf }: Change, dictionary: PDFObject, { frame, fonts }: Appearance): void {
  dictionary.put('BBox', [0, 0, frame.width, frame.height])
  dictionary.put('Matrix', [...frame.matrix])
  const resources = pdf.newDictionary()
  if (fonts !== undefined) resources.put('Font', fonts)
  dictionary.put('Resources', resources)
}

function embeddedIn(drawing: PDFObject): readonly PDFObject[] {
  const fonts = entry(drawing, 'Resources', 'Font')
  if (!isDictionary(fonts)) return []
  return entriesOf(fonts, readingLimits.appearanceStatesMax).flatMap(([, font]) => objectsOfEmbedded(font))
}
