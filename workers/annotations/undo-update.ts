// Undoes an update: members with the value that the update set are restored; others were changed since and stay.
import { isDeepStrictEqual } from 'node:util'
import type { PDFObject } from 'mupdf'
import { entry, isMissing, objectNumberOf } from '../objects/values.js'
import type { AnnotatedPage } from './annotated-page.js'
import { Appearance } from './appearance.js'
import { pictureOf } from './draw-annotation.js'
import type { AnnotationEntry } from './reading/page-annotations.js'
import { type Edit, type ReplacedMembers, type UpdateResult, type UpdateStep, updateAnnotation } from './update.js'
import type { Members } from './written-members.js'

export interface UndoneUpdate extends UpdateResult {
  readonly skipped: readonly string[]
}

export function undoUpdate(page: AnnotatedPage, found: AnnotationEntry, step: UpdateStep): UndoneUpdate {
  const now: Members = { ...page.read(found) }
  const names = Object.keys(step.before)
  const isLeft = (name: string): boolean =>
    isDeepStrictEqual(now[name], step.after[name]) && canGoBack(page, name, step)
  const skipped = names.filter((name) => !isLeft(name))
  const given = Object.fromEntries(names.filter(isLeft).map((name) => [name, step.before[name]]))
  const edit: Edit = {
    given,
    picture: formerOf(page, step.picture, pictureNow(page, found)),
    file: formerOf(page, step.file, entry(found.object, 'FS')),
    isUndo: true,
  }
  if (step.file?.before === null && objectNumberOf(entry(found.object, 'FS')) === step.file.after) {
    page.change.touch(found.object).delete('FS')
  }
  return { ...updateAnnotation(page, found, edit), skipped }
}

/** True if the member can be restored. A reply reference cannot if its target was removed. */
function canGoBack(page: AnnotatedPage, name: string, { before, number }: UpdateStep): boolean {
  const reply = before[name]
  if (name !== 'reply' && name !== 'parent') return true
  if (typeof reply !== 'object' || reply === null) return true
  const to = 'to' in reply ? reply.to : reply
  return page.siblings.entries.some(
    ({ ref, object }) => isDeepStrictEqual(ref, to) && objectNumberOf(object) !== number,
  )
}

/** Returns the former object, if the one that replaced it is still current. */
function formerOf(
  page: AnnotatedPage,
  replaced: ReplacedMembers | undefined,
  now: PDFObject | undefined,
): PDFObject | undefined {
  if (replaced === undefined || replaced.before === null || now === undefined) return undefined
  if ((objectNumberOf(now) ?? null) !== replaced.after) return undefined
  const former = page.change.pdf.newIndirect(replaced.before)
  return isMissing(former.resolve()) ? undefined : former
}

const pictureNow = (page: AnnotatedPage, { object }: AnnotationEntry): PDFObject | undefined =>
  pictureOf(new Appearance(page.change, object, page))
