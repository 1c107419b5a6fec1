// Changes members of an annotation, and says how that is taken back.
import type { PDFObject } from 'mupdf'
import type { AnnotationEntry } from '../../pdf/annotations/page-annotations.js'
import { entriesOf, entry, numbersOf, objectNumberOf } from '../../pdf/values.js'
import type { Annotation } from '../../shapes/annotations/annotation.js'
import { isWritableName } from '../../shapes/annotations/writable.js'
import type { AppearanceOutcome } from '../../shapes/changes/appearance-outcome.js'
import { JobRefusal } from '../../task.js'
import type { AnnotatedPage } from './annotated-page.js'
import { Appearance } from './appearance.js'
import { dateOf } from './dates.js'
import { drawAnnotation, pictureOf } from './draw-annotation.js'
import { putNumbers } from './entries.js'
import type { Members } from './members.js'
import { changedMembers, stateOf } from './state.js'
import { type SubtypeWriting, subtypes } from './subtypes.js'
import { membersOf, writeMembers } from './write-members.js'

/** An object before and after; null = none. */
export interface Replaced {
  readonly before: number | null
  readonly after: number | null
}

export interface UpdateStep {
  readonly type: 'annotations.update'
  readonly page: number
  readonly number: number
  readonly before: Members
  readonly after: Members
  /** The drawing, where another took its place. */
  readonly drawing?: Replaced
  /** Where the former drawing lay. */
  readonly frame?: Frame
  /** There was none: readers drew what they thought of it. Entries that came beside the drawing, as text. */
  readonly bare?: Readonly<Record<string, string>>
  /** The picture of a stamp, and the file that is attached. */
  readonly picture?: Replaced
  readonly file?: Replaced
}

/** Numbers of /Rect and /RD; null = there are none. */
interface Frame {
  readonly Rect: readonly number[] | null
  readonly RD: readonly number[] | null
}

export interface Edit {
  readonly given: Members
  readonly picture?: PDFObject | undefined
  readonly file?: PDFObject | undefined
  /** Goes back in the place of what would be drawn. */
  readonly drawing?: PDFObject | undefined
  readonly frame?: Frame | undefined
  /** Nothing is left drawn, and none of these entries: to readers that draw, a default is not the same as nothing. */
  readonly bare?: readonly string[] | undefined
}

export interface Updated {
  readonly annotation: Annotation
  readonly appearance: AppearanceOutcome
  readonly isChanged: boolean
}

/** Throws `InvalidArg` for what is written elsewhere or not at all. */
export function writingOf(annotation: Annotation): SubtypeWriting {
  if (isWritableName(annotation.subtype)) return subtypes[annotation.subtype]
  refuseWidget(annotation)
  throw new JobRefusal('InvalidArg', 'Annotations of this kind can only be read')
}

export function refuseWidget({ subtype }: Annotation): void {
  if (subtype === 'widget') throw new JobRefusal('InvalidArg', 'Widgets are changed through their form')
}

export function updateAnnotation(page: AnnotatedPage, found: AnnotationEntry, edit: Edit): Updated {
  const before = page.read(found)
  const writing = writingOf(before)
  const state = stateOf({ before: { ...before }, given: edit.given, shape: writing.shape, space: page.space })
  const changed = changedMembers({ ...before }, state, membersOf(writing))
  if (changed.size === 0 && edit.picture === undefined && edit.file === undefined) {
    return { annotation: before, appearance: preserved, isChanged: false }
  }
  const object = page.change.touch(found.object)
  const facts = new Facts(page, object)
  if (edit.file !== undefined) object.put('FS', edit.file)
  writeMembers(page, { object, state, writing, changed })
  const isSeen = edit.picture !== undefined || [...changed].some((member) => isShown(member, state, writing))
  const appearance = isSeen ? drawn({ page, object, state, writing, edit }) : preserved
  object.put('M', page.change.pdf.newString(dateOf(page.change.stamp.now)))
  page.changed(object)
  const annotation = page.read(found)
  page.change.undoBy(facts.step({ before, annotation, changed }))
  return { annotation, appearance, isChanged: true }
}

/** What a caption says shows only where there is one. */
function isShown(member: string, state: Annotation, { unseen }: SubtypeWriting): boolean {
  const isOfCaption = 'captionEnabled' in state && (member === 'contents' || member === 'measure')
  return !unseen.has(member) && !(isOfCaption && state.captionEnabled !== true)
}

const preserved: AppearanceOutcome = { action: 'preserved', changed: false }

interface Drawing {
  readonly page: AnnotatedPage
  readonly object: PDFObject
  readonly state: Annotation
  readonly writing: SubtypeWriting
  readonly edit: Edit
}

function drawn({ page, object, state, writing, edit }: Drawing): AppearanceOutcome {
  const outcome = drawAnnotation({ page, object, state, writing, picture: edit.picture })
  if (edit.drawing === undefined && edit.bare === undefined) return outcome
  new Appearance(page.change, object, page).replace(edit.drawing)
  const target = page.target(object)
  if (edit.frame?.Rect) putNumbers(target, 'Rect', edit.frame.Rect)
  if (edit.frame) putNumbers(target, 'RD', edit.frame.RD)
  for (const key of edit.bare ?? []) object.delete(key)
  return { action: 'restored', changed: true }
}

/** What an annotation refers to, looked at before it is changed. */
class Facts {
  readonly #before
  readonly #frame: Frame
  readonly #entries: ReadonlyMap<string, string>

  constructor(
    private readonly page: AnnotatedPage,
    private readonly object: PDFObject,
  ) {
    this.#before = this.#now()
    this.#entries = entryTexts(object)
    const numbers = (key: string) => numbersOf(entry(object, key), 4) ?? null
    this.#frame = { Rect: numbers('Rect'), RD: numbers('RD') }
  }

  step({ before, annotation, changed }: Outcome): UpdateStep {
    const now = this.#now()
    const replaced = (name: keyof typeof now): Replaced | undefined =>
      this.#before[name] === now[name] ? undefined : { before: this.#before[name], after: now[name] }
    const [drawing, picture, file] = [replaced('drawing'), replaced('picture'), replaced('file')]
    return {
      type: 'annotations.update',
      page: this.page.page,
      number: this.object.asIndirect(),
      before: picked({ ...before }, changed),
      after: picked({ ...annotation }, changed),
      ...(drawing && { drawing, frame: this.#frame, ...(before.hasAppearance ? {} : { bare: this.#added() }) }),
      ...(picture && { picture }),
      ...(file && { file }),
    }
  }

  #added(): Readonly<Record<string, string>> {
    const now = [...entryTexts(this.object)]
    return Object.fromEntries(now.filter(([key]) => !this.#entries.has(key) && !keptElsewhere.has(key)))
  }

  #now() {
    const appearance = new Appearance(this.page.change, this.object, this.page)
    const picture = pictureOf(appearance)
    return {
      drawing: numberOf(appearance.normal),
      picture: numberOf(picture),
      file: numberOf(entry(this.object, 'FS')),
    }
  }
}

/** By the drawing and its frame; when it was changed is not taken back. */
const keptElsewhere: ReadonlySet<string> = new Set(['AP', 'AS', 'Rect', 'RD', 'M'])
/** Of one annotation: no subtype has half as many. */
const entriesMax = 100

/** The entries of a dictionary, printed. */
export const entryTexts = (object: PDFObject): ReadonlyMap<string, string> =>
  new Map(entriesOf(object, entriesMax).map(([key, value]) => [key, value.toString(true, true)]))

interface Outcome {
  readonly before: Annotation
  readonly annotation: Annotation
  readonly changed: ReadonlySet<string>
}

const numberOf = (object: PDFObject | undefined): number | null =>
  object === undefined ? null : (objectNumberOf(object) ?? null)

const picked = (members: Members, names: ReadonlySet<string>): Members =>
  Object.fromEntries([...names].map((name) => [name, members[name] ?? null]))
