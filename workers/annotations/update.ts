// Changes members of an annotation, and returns the data for undoing that.
import type { PDFObject } from 'mupdf'
import type { Annotation } from '../contract/annotations/annotation.js'
import type { AppearanceOutcome } from '../contract/appearance-outcome.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { entry, objectNumberOf } from '../objects/values.js'
import type { AnnotatedPage } from './annotated-page.js'
import { Appearance } from './appearance.js'
import { dateOf } from './dates.js'
import { drawAnnotation, pictureOf } from './draw-annotation.js'
import { isShown, rememberLook, restoreLook } from './former-look.js'
import { findWriting } from './load-subtypes.js'
import type { AnnotationEntry } from './reading/page-annotations.js'
import { changedMembers, stateOf } from './state.js'
import type { SubtypeWriting } from './subtype-work.js'
import { membersOf, writeMembers } from './write-members.js'
import type { Members } from './written-members.js'

/** An object before and after the update; null = none. */
export interface ReplacedMembers {
  readonly before: number | null
  readonly after: number | null
}

export interface UpdateStep {
  readonly type: 'annotations.update'
  readonly page: number
  readonly number: number
  readonly before: Members
  readonly after: Members
  /** Objects of the files: the picture of a stamp, and an attached file. */
  readonly picture?: ReplacedMembers
  readonly file?: ReplacedMembers
}

export interface Edit {
  readonly given: Members
  readonly picture?: PDFObject | undefined
  readonly file?: PDFObject | undefined
  /**
   * True if the update is part of an undo. If all changes of the look are then undone, the original look is restored.
   */
  readonly isUndo?: boolean
}

export interface UpdateResult {
  readonly annotation: Annotation
  readonly appearance: AppearanceOutcome
  readonly isChanged: boolean
}

/**
 * Returns the writing work of an annotation. Throws `InvalidArg` for annotations that are written elsewhere or not at
 * all.
 */
export function writingOf(annotation: Annotation): SubtypeWriting {
  const writing = findWriting(annotation.subtype)
  if (writing !== undefined) return writing
  refuseWidget(annotation)
  throw new JobRefusal('InvalidArg', 'Annotations of this subtype are read-only')
}

export function refuseWidget({ subtype }: Annotation): void {
  if (subtype === 'widget') throw new JobRefusal('InvalidArg', 'Widgets are changed through their form')
}

export function updateAnnotation(page: AnnotatedPage, found: AnnotationEntry, edit: Edit): UpdateResult {
  const before = page.read(found)
  const writing = writingOf(before)
  const state = stateOf({ before: { ...before }, given: edit.given, writing, space: page.space })
  const changed = changedMembers({ ...before }, state, membersOf(writing))
  if (changed.size === 0 && edit.picture === undefined && edit.file === undefined) {
    return { annotation: before, appearance: preserved, isChanged: false }
  }
  const object = page.change.touch(found.object)
  const facts = new Facts(page, object)
  const isSeen = edit.picture !== undefined || [...changed].some((member) => isShown(member, state, writing))
  if (isSeen) rememberLook({ page, object, state: before, writing })
  if (edit.file !== undefined) object.put('FS', edit.file)
  writeMembers(page, { object, state, writing, changed })
  const appearance = isSeen ? drawUpdate({ page, object, state, writing, edit }) : preserved
  object.put('M', page.change.pdf.newString(dateOf(page.change.stamp.now)))
  page.changed(object)
  const annotation = page.read(found)
  page.change.undoBy(facts.step({ before, annotation, changed }))
  return { annotation, appearance, isChanged: true }
}

const preserved: AppearanceOutcome = { action: 'preserved', changed: false }

interface Drawing {
  readonly page: AnnotatedPage
  readonly object: PDFObject
  readonly state: Annotation
  readonly writing: SubtypeWriting
  readonly edit: Edit
}

function drawUpdate({ page, object, state, writing, edit }: Drawing): AppearanceOutcome {
  const outcome = drawAnnotation({ page, object, state, writing, picture: edit.picture })
  const isRestored = edit.isUndo === true && restoreLook({ page, object, state, writing })
  return isRestored ? { action: 'restored', changed: true } : outcome
}

/** Objects that an annotation refers to, read before it is changed. */
class Facts {
  readonly #before

  constructor(
    private readonly page: AnnotatedPage,
    private readonly object: PDFObject,
  ) {
    this.#before = this.#now()
  }

  step({ before, annotation, changed }: Outcome): UpdateStep {
    const now = this.#now()
    const replaced = (name: keyof typeof now): ReplacedMembers | undefined =>
      this.#before[name] === now[name] ? undefined : { before: this.#before[name], after: now[name] }
    const [picture, file] = [replaced('picture'), replaced('file')]
    return {
      type: 'annotations.update',
      page: this.page.page,
      number: this.object.asIndirect(),
      before: membersNamed({ ...before }, changed),
      after: membersNamed({ ...annotation }, changed),
      ...(picture && { picture }),
      ...(file && { file }),
    }
  }

  #now() {
    const appearance = new Appearance(this.page.change, this.object, this.page)
    const picture = pictureOf(appearance)
    return {
      picture: numberOf(picture),
      file: numberOf(entry(this.object, 'FS')),
    }
  }
}

interface Outcome {
  readonly before: Annotation
  readonly annotation: Annotation
  readonly changed: ReadonlySet<string>
}

const numberOf = (object: PDFObject | undefined): number | null =>
  object === undefined ? null : (objectNumberOf(object) ?? null)

const membersNamed = (members: Members, names: ReadonlySet<string>): Members =>
  Object.fromEntries([...names].map((name) => [name, members[name] ?? null]))
