// Finishes a merge of objects in the open document: removes members of lists whose owner the other side removed, and
// redraws appearances that depend on entries of both sides.
import type { PDFObject } from 'mupdf'
import { AnnotatedPage } from '../annotations/annotated-page.js'
import { drawAnnotation } from '../annotations/draw-annotation.js'
import { findWriting } from '../annotations/load-subtypes.js'
import { touchAnnots } from '../annotations/promote-inline.js'
import { dropFields } from '../assembly/drop-fields.js'
import type { Change } from '../change/change.js'
import { isNamed } from '../fields/field-names.js'
import { isWidget } from '../fields/field-tree.js'
import { bodyOf } from '../file/section/object-body.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isDictionary, nameOf, numbersOfElements, objectNumberOf } from '../objects/values.js'
import { dropDetachedFields } from './detached-fields.js'
import type { FinishContext } from './finish-context.js'
import { type DocumentLists, listsOf, objectsOfPage } from './lists-of-document.js'
import { parseBody } from './parse-body.js'
import { redrawFields } from './redraw-fields.js'
import { isSameObject, type Sides } from './sides.js'
import { isDictionary as isValueDictionary } from './value.js'

/** Maximum number of rounds of removals: each may leave another object without a place. */
const roundsMax = 16

export function finishMerge(context: FinishContext): void {
  reportRemoved(context)
  dropDetachedFields(context)
  for (let round = 0; round < roundsMax && removeDangling(context); round++);
  redrawFields(context)
  redrawAnnotations(context)
}

/** Reports objects that one side removed from its lists and the other changed. */
function reportRemoved({ sides, conflicts, before, documents, changedByOurs }: FinishContext): void {
  const { base, theirs, ours } = before
  const members = new Set([...base.onPages, ...base.inForm])
  for (const number of members) {
    const isIn = (side: DocumentLists): boolean => side.onPages.has(number) || side.inForm.has(number)
    if (!isIn(theirs) && isIn(ours) && changedByOurs.has(number)) conflicts.removed(number, 'version')
    if (!isIn(ours) && isIn(theirs) && sides.isChangedByTheirs(number)) conflicts.removed(number, 'layer')
  }
  for (const page of documents.base.pages) {
    const objects = objectsOfPage(documents.base, page)
    if (!documents.theirs.hasPage(page) && objects.some((number) => changedByOurs.has(number))) {
      conflicts.removed(page, 'version')
    }
    if (!documents.ours.hasPage(page) && objects.some((number) => sides.isChangedByTheirs(number))) {
      conflicts.removed(page, 'layer')
    }
  }
}

/**
 * Removes widgets whose page list lost them, fields and annotations whose owner is gone, and references to them.
 * Returns true if something was removed.
 */
function removeDangling(context: FinishContext): boolean {
  const { change, before, pages, protectedNumbers } = context
  const now = listsOf(change.document, pages)
  const wasInForm = (number: number): boolean => before.theirs.inForm.has(number) || before.ours.inForm.has(number)
  const wasOnPage = (number: number): boolean => before.theirs.onPages.has(number) || before.ours.onPages.has(number)
  const offPage = [...now.inForm].filter(
    (number) => wasOnPage(number) && !now.onPages.has(number) && !protectedNumbers.has(number),
  )
  const removed = offPage.map((number) => change.pdf.newIndirect(number)).filter(isWidget)
  const widgets = [...removed, ...removed.flatMap((widget) => withFormerField(context, widget))]
  const leaving = new Set(widgets.map((widget) => widget.asIndirect()))
  const strays = [...now.onPages].filter(
    (number) => leaving.has(number) || (wasInForm(number) && !now.inForm.has(number)),
  )
  for (const number of strays) report(context, number)
  for (const widget of widgets) {
    report(context, widget.asIndirect())
    for (const above of ancestorsOf(widget)) if (isOfBoth(context, above)) report(context, above)
  }
  if (widgets.length > 0) {
    dropFields(change, widgets)
    change.hide(...widgets)
    change.effects.document('forms')
    change.cache.evict('form')
  }
  const gone = new Set([...strays, ...orphanPopups(change, now)])
  const unlisted = takeOffPages(context, gone)
  const replies = detachReplies(context, now)
  return widgets.length > 0 || unlisted || replies
}

/**
 * Returns the other widgets of a field whose former single object was removed. The other side had split that object
 * into field and widget to add a widget, so that removing it removes the field.
 */
function withFormerField({ sides }: FinishContext, widget: PDFObject): readonly PDFObject[] {
  const field = entry(widget, 'Parent')
  const number = objectNumberOf(field)
  const before = sides.objectOf('base', widget.asIndirect())?.value
  const wasField = isValueDictionary(before) && before.has('/T') && !isNamed(widget)
  if (number === undefined || !wasField || sides.objectOf('base', number) !== undefined) return []
  const kids = [...elementsOf(entry(field, 'Kids'), readingLimits.fieldNodesMax)]
  return kids.filter((kid) => isWidget(kid) && ![undefined, widget.asIndirect()].includes(objectNumberOf(kid)))
}

function report({ conflicts, before, sides, changedByOurs }: FinishContext, number: number): void {
  const isOfTheirs = before.theirs.onPages.has(number) || before.theirs.inForm.has(number)
  const isOfOurs = before.ours.onPages.has(number) || before.ours.inForm.has(number)
  // An object that both sides have is removed together with its field, which one of them removed.
  if (isOfTheirs && !isOfOurs) conflicts.removed(number, 'layer')
  else if (isOfOurs && !isOfTheirs) conflicts.removed(number, 'version')
  else if (sides.isChangedByTheirs(number) && changedByOurs.has(number)) conflicts.removed(number, 'layer')
}

function isOfBoth({ before }: FinishContext, number: number): boolean {
  return before.theirs.inForm.has(number) !== before.ours.inForm.has(number)
}

function ancestorsOf(widget: PDFObject): readonly number[] {
  const found: number[] = []
  let above = entry(widget, 'Parent')
  while (isDictionary(above) && found.length < readingLimits.ancestorsMax) {
    const number = objectNumberOf(above)
    if (number === undefined || found.includes(number)) break
    found.push(number)
    above = entry(above, 'Parent')
  }
  return found
}

/** Returns popups whose annotation is no longer on a page. */
function orphanPopups(change: Change, now: DocumentLists): readonly number[] {
  return [...now.onPages].filter((number) => {
    const annotation = change.pdf.newIndirect(number)
    if (nameOf(entry(annotation, 'Subtype')) !== 'Popup') return false
    const parent = objectNumberOf(entry(annotation, 'Parent'))
    return parent !== undefined && !now.onPages.has(parent)
  })
}

function takeOffPages({ change, pages }: FinishContext, gone: ReadonlySet<number>): boolean {
  if (gone.size === 0) return false
  for (const page of pages) {
    if (!change.document.hasPage(page)) continue
    const numbers = numbersOn(change, page)
    if (!numbers.some((number) => gone.has(number))) continue
    const annots = touchAnnots(change, page)
    for (let place = numbers.length - 1; place >= 0; place--) {
      const number = numbers[place] ?? 0
      if (!gone.has(number)) continue
      annots.delete(place)
      const annotation = change.pdf.newIndirect(number)
      change.hide(annotation)
      change.effects.page(page, isWidget(annotation) ? 'widgets' : 'annotations')
    }
  }
  return true
}

/** Makes replies to a removed annotation annotations of their own. Returns true if it changed any. */
function detachReplies({ change, pages, before, conflicts }: FinishContext, now: DocumentLists): boolean {
  let isFreed = false
  for (const page of pages) {
    if (!change.document.hasPage(page)) continue
    for (const number of numbersOn(change, page)) {
      if (number === 0) continue
      const annotation = change.pdf.newIndirect(number)
      for (const [key, others] of [
        ['IRT', ['RT']],
        ['Popup', []],
      ] as const) {
        const target = objectNumberOf(entry(annotation, key)) ?? 0
        const wasThere = Object.values(before).some(({ onPages }) => onPages.has(target))
        if (!wasThere || now.onPages.has(target)) continue
        const isReplyOfBase = ['base', 'theirs', 'ours'].every((side) =>
          before[side as keyof typeof before].onPages.has(number),
        )
        change.touch(annotation)
        for (const one of [key, ...others]) annotation.delete(one)
        change.cache.evict('annotations', page)
        change.effects.page(page, 'annotations')
        isFreed = true
        if (key === 'IRT' && !isReplyOfBase) {
          conflicts.removed(target, before.theirs.onPages.has(target) ? 'layer' : 'version')
        }
      }
    }
  }
  return isFreed
}

/** Redraws annotations whose entries come from both sides. */
function redrawAnnotations({ change, sides, pages, protectedNumbers, changedByOurs }: FinishContext): void {
  for (const page of pages) {
    if (!change.document.hasPage(page)) continue
    const both = numbersOn(change, page).filter((number) => {
      if (number === 0 || protectedNumbers.has(number)) return false
      const drawing = objectNumberOf(entry(change.pdf.newIndirect(number), 'AP', 'N')) ?? 0
      return (
        [number, drawing].some((one) => changedByOurs.has(one)) &&
        [number, drawing].some((one) => sides.isChangedByTheirs(one)) &&
        // Both sides made the same change.
        ![number, drawing].every((one) => one === 0 || isAsInVersion(change, sides, one))
      )
    })
    if (both.length > 0) redrawOn(new AnnotatedPage(change, page), both)
  }
}

function isAsInVersion({ document, pdf }: Change, sides: Sides, number: number): boolean {
  return isSameObject(parseBody(bodyOf(document, pdf.newIndirect(number))), sides.objectOf('theirs', number))
}

function redrawOn(page: AnnotatedPage, numbers: readonly number[]): void {
  for (const number of numbers) {
    const found = page.siblings.numbered(number)
    if (found === undefined || isWidget(found.object)) continue
    const state = page.read(found)
    const writing = findWriting(state.subtype)
    if (writing === undefined) continue
    page.change.touch(found.object)
    drawAnnotation({ page, object: found.object, state, writing })
    page.changed(found.object)
  }
}

const numbersOn = (change: Change, page: number): readonly number[] =>
  numbersOfElements(entry(change.document.pageObject(page), 'Annots'), readingLimits.annotsLengthMax)
