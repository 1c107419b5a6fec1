// Remembers how an annotation looked before it was first drawn here: with the drawing of its file, or without one, so
// that readers drew their own. The look is stored with the layer, so that an undo that restores the original members
// also restores it.
import { isDeepStrictEqual } from 'node:util'
import type { PDFObject } from 'mupdf'
import type { Annotation } from '../contract/annotations/annotation.js'
import { orElse } from '../engine/trap.js'
import { inlineCopy } from '../objects/inline-copy.js'
import { entriesOf, entry, isDictionary, objectNumberOf, textOf } from '../objects/values.js'
import type { AnnotatedPage } from './annotated-page.js'
import { Appearance } from './appearance.js'
import { pictureOf } from './draw-annotation.js'
import { isRegionOfRect } from './region-of-rect.js'
import type { SubtypeWriting } from './subtype-work.js'
import { membersOf } from './write-members.js'
import type { Members } from './written-members.js'

export interface LookContext {
  readonly page: AnnotatedPage
  readonly object: PDFObject
  readonly state: Annotation
  readonly writing: SubtypeWriting
}

/** Maximum number of members of one annotation; no subtype has half as many. */
const entriesMax = 100
/** Entries that are not visible, so that their changes do not matter here. */
const invisibleKeys: ReadonlySet<string> = new Set(
  'Type Subtype P NM Contents Subj F IRT RT IT T M CreationDate Popup Parent StructParent OC A AA Dest FS'.split(' '),
)

const noteOn = (object: PDFObject): string => `look ${object.asIndirect()}`

/** Stores the look; must be called before the annotation is drawn. Does nothing if it was drawn here already. */
export function rememberLook({ page, object, state, writing }: LookContext): void {
  const { change } = page
  if (new Appearance(change, object, page).own !== undefined || change.undoData.of(noteOn(object)) !== undefined) return
  const note = change.pdf.newDictionary()
  const formerEntries = change.pdf.newDictionary()
  for (const [key, value] of entriesOf(object, entriesMax))
    if (!invisibleKeys.has(key)) formerEntries.put(key, inlineCopy(value))
  note.put('Was', formerEntries)
  note.put('Seen', change.pdf.newString(JSON.stringify(visibleMembersOf(state, writing))))
  change.undoData.put(noteOn(object), note)
}

/** Restores the former look if all visible members are as they were then. Returns whether they are. */
export function restoreLook({ page, object, state, writing }: LookContext): boolean {
  const { change } = page
  const note = change.undoData.of(noteOn(object))
  const former = note && entry(note, 'Was')
  if (note === undefined || former === undefined || !isDictionary(former)) return false
  // The stored look may be invalid, because the file may contain an object of its name.
  const seen: unknown = orElse(undefined, () => JSON.parse(textOf(entry(note, 'Seen')) ?? ''))
  if (!isDeepStrictEqual(seen, visibleMembersOf(state, writing))) return false
  const appearance = new Appearance(change, object, page)
  if (writing.resource === 'appearance' && !isSame(pictureOf(appearance), entry(former, 'AP', 'N'))) return false
  if (appearance.own !== undefined) change.hide(...appearance.objects())
  for (const [key] of entriesOf(object, entriesMax)) if (!invisibleKeys.has(key)) object.delete(key)
  for (const [key, value] of entriesOf(former, entriesMax)) object.put(key, inlineCopy(value))
  return true
}

const isSame = (one: PDFObject | undefined, other: PDFObject): boolean =>
  one !== undefined && objectNumberOf(one) === objectNumberOf(other)

/** Numbers are compared in steps of 1/100, because writing and reading loses precision. */
const stepsPerUnit = 100

/** Returns the visible members; undefined ones are absent, as in JSON. */
function visibleMembersOf(state: Annotation, writing: SubtypeWriting): unknown {
  const members: Members = { ...state }
  // The rectangle follows from quads, whatever was requested.
  const isFollowing = 'quadPoints' in state && !isRegionOfRect(state)
  const seen = membersOf(writing).filter(
    (member) => isShown(member, state, writing) && !(isFollowing && member === 'rect'),
  )
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Math.round(value * stepsPerUnit) / stepsPerUnit : value
  return JSON.parse(JSON.stringify(Object.fromEntries(seen.map((member) => [member, members[member]])), rounded))
}

/** True if the member can be seen: those of a caption only if there is one. */
export function isShown(member: string, state: Annotation, { invisible }: SubtypeWriting): boolean {
  const isOfCaption = 'captionEnabled' in state && (member === 'contents' || member === 'measure')
  return !invisible.has(member) && !(isOfCaption && state.captionEnabled !== true)
}
