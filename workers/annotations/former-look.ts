// How an annotation looked before it was first drawn here: with the drawing its file has, or with none, when readers drew
// what they thought of it. It is remembered with the layer, so that whichever undo is the last gives it back.
import { isDeepStrictEqual } from 'node:util'
import type { PDFObject } from 'mupdf'
import type { Annotation } from '../contract/annotations/annotation.js'
import { orElse } from '../engine/trap.js'
import { inlineCopy } from '../objects/inline-copy.js'
import { entriesOf, entry, isDictionary, objectNumberOf, textOf } from '../objects/values.js'
import type { AnnotatedPage } from './annotated-page.js'
import { Appearance } from './appearance.js'
import { pictureOf } from './draw-annotation.js'
import type { Members } from './members.js'
import type { SubtypeWriting } from './subtype-work.js'
import { membersOf } from './write-members.js'

export interface LookContext {
  readonly page: AnnotatedPage
  readonly object: PDFObject
  readonly state: Annotation
  readonly writing: SubtypeWriting
}

/** Maximum number of members of one annotation; no subtype has half as many. */
const entriesMax = 100
/** Entries that tell something and do not show: they are what whoever wrote them last left. */
const unseenKeys: ReadonlySet<string> = new Set(
  'Type Subtype P NM Contents Subj F IRT RT IT T M CreationDate Popup Parent StructParent OC A AA Dest FS'.split(' '),
)

const noteOn = (object: PDFObject): string => `look ${object.asIndirect()}`

/** Before it is drawn; what was drawn here already is remembered. */
export function rememberLook({ page, object, state, writing }: LookContext): void {
  const { change } = page
  if (new Appearance(change, object, page).own !== undefined || change.undoData.of(noteOn(object)) !== undefined) return
  const note = change.pdf.newDictionary()
  const was = change.pdf.newDictionary()
  for (const [key, value] of entriesOf(object, entriesMax)) if (!unseenKeys.has(key)) was.put(key, inlineCopy(value))
  note.put('Was', was)
  note.put('Seen', change.pdf.newString(JSON.stringify(seenOf(state, writing))))
  change.undoData.put(noteOn(object), note)
}

/** Gives the former look back where all that shows is as it was then. Answers whether it is. */
export function restoreLook({ page, object, state, writing }: LookContext): boolean {
  const { change } = page
  const note = change.undoData.of(noteOn(object))
  const was = note && entry(note, 'Was')
  if (note === undefined || was === undefined || !isDictionary(was)) return false
  // A file may bring what calls itself a note.
  const seen: unknown = orElse(undefined, () => JSON.parse(textOf(entry(note, 'Seen')) ?? ''))
  if (!isDeepStrictEqual(seen, seenOf(state, writing))) return false
  const appearance = new Appearance(change, object, page)
  if (writing.resource === 'appearance' && !isSame(pictureOf(appearance), entry(was, 'AP', 'N'))) return false
  if (appearance.own !== undefined) change.hide(...appearance.objects())
  for (const [key] of entriesOf(object, entriesMax)) if (!unseenKeys.has(key)) object.delete(key)
  for (const [key, value] of entriesOf(was, entriesMax)) object.put(key, inlineCopy(value))
  return true
}

const isSame = (one: PDFObject | undefined, other: PDFObject): boolean =>
  one !== undefined && objectNumberOf(one) === objectNumberOf(other)

/** Points, and what else is a number: what is less came of writing and reading it. */
const grain = 100

/** Returns the visible members; undefined ones are absent, as in JSON. */
function seenOf(state: Annotation, writing: SubtypeWriting): unknown {
  const members: Members = { ...state }
  // Around what the quads draw, whatever it was given as.
  const isFollowing = 'quadPoints' in state && state.quadPoints !== null
  const seen = membersOf(writing).filter(
    (member) => isShown(member, state, writing) && !(isFollowing && member === 'rect'),
  )
  const rounded = (_: string, value: unknown): unknown =>
    typeof value === 'number' ? Math.round(value * grain) / grain : value
  return JSON.parse(JSON.stringify(Object.fromEntries(seen.map((member) => [member, members[member]])), rounded))
}

/** True if the member can be seen: those of a caption only if there is one. */
export function isShown(member: string, state: Annotation, { unseen }: SubtypeWriting): boolean {
  const isOfCaption = 'captionEnabled' in state && (member === 'contents' || member === 'measure')
  return !unseen.has(member) && !(isOfCaption && state.captionEnabled !== true)
}
