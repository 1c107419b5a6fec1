// Settles what a merge object by object leaves open: members of lists that one side removed and the other added to,
// appearances that follow from entries of both sides, and metadata.
import type { PDFObject } from 'mupdf'
import { AnnotatedPage } from '../annotations/annotated-page.js'
import { drawAnnotation } from '../annotations/draw-annotation.js'
import { findWriting } from '../annotations/load-subtypes.js'
import { touchAnnots } from '../annotations/promote-inline.js'
import { dropFields } from '../assembly/drop-fields.js'
import type { Change } from '../change/change.js'
import type { OpenDocument } from '../document/open-document.js'
import { isNamed } from '../fields/field-names.js'
import { isWidget } from '../fields/field-tree.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isDictionary, nameOf, numbersOfElements, objectNumberOf } from '../objects/values.js'
import type { Conflicts } from './conflicts.js'
import { dropDetachedFields } from './detached-fields.js'
import { type DocumentLists, listsOf, objectsOfPage } from './lists-of-document.js'
import { redrawFields } from './redraw-fields.js'
import type { Sides } from './sides.js'
import { isDictionary as isValueDictionary } from './value.js'

export interface Settling {
  readonly change: Change
  readonly sides: Sides
  readonly conflicts: Conflicts
  readonly pages: ReadonlySet<number>
  readonly before: Readonly<Record<'base' | 'theirs' | 'ours', DocumentLists>>
  readonly documents: Readonly<Record<'base' | 'theirs' | 'ours', OpenDocument>>
  readonly protectedNumbers: ReadonlySet<number>
  /** Object numbers that the layer changed or created. */
  readonly changedByOurs: ReadonlySet<number>
}

/** Maximum number of rounds of removals: each one may leave something else without a place. */
const roundsMax = 16

export function settle(settling: Settling): void {
  reportRemoved(settling)
  dropDetachedFields(settling)
  for (let round = 0; round < roundsMax && removeDangling(settling); round++);
  redrawFields(settling)
  redrawAnnotations(settling)
}

/** Reports objects that one side took out of its lists and the other changed. */
function reportRemoved({ sides, conflicts, before, documents, changedByOurs }: Settling): void {
  const { base, theirs, ours } = before
  const members = new Set([...base.onPages, ...base.inForm])
  for (const number of members) {
    const isIn = (side: DocumentLists): boolean => side.onPages.has(number) || side.inForm.has(number)
    if (!isIn(theirs) && changedByOurs.has(number)) conflicts.removed(number, 'version')
    if (!isIn(ours) && sides.isChangedByTheirs(number)) conflicts.removed(number, 'layer')
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

/** Removes what the other side left without a place. Returns true if something was removed. */
function removeDangling(settling: Settling): boolean {
  const { change, before, pages } = settling
  const now = listsOf(change.document, pages)
  const wasInForm = (number: number): boolean => before.theirs.inForm.has(number) || before.ours.inForm.has(number)
  const wasOnPage = (number: number): boolean => before.theirs.onPages.has(number) || before.ours.onPages.has(number)
  const homeless = [...now.inForm].filter((number) => wasOnPage(number) && !now.onPages.has(number))
  const removed = homeless.map((number) => change.pdf.newIndirect(number)).filter(isWidget)
  const widgets = [...removed, ...removed.flatMap((widget) => withFormerField(settling, widget))]
  const leaving = new Set(widgets.map((widget) => widget.asIndirect()))
  const strays = [...now.onPages].filter(
    (number) => leaving.has(number) || (wasInForm(number) && !now.inForm.has(number)),
  )
  for (const number of strays) report(settling, number)
  for (const widget of widgets) {
    report(settling, widget.asIndirect())
    for (const above of ancestorsOf(widget)) if (isOfBoth(settling, above)) report(settling, above)
  }
  if (widgets.length > 0) {
    dropFields(change, widgets)
    change.hide(...widgets)
    change.effects.document('forms')
    change.cache.evict('form')
  }
  const gone = new Set([...strays, ...orphanPopups(change, now)])
  const unlisted = takeOffPages(settling, gone)
  const replies = freeReplies(settling, now)
  return widgets.length > 0 || unlisted || replies
}

/**
 * A field that was one object with its widget got a number of its own when the other side added a widget: whoever
 * removed the former object removed the field. Returns the other widgets.
 */
function withFormerField({ sides }: Settling, widget: PDFObject): readonly PDFObject[] {
  const field = entry(widget, 'Parent')
  const number = objectNumberOf(field)
  const before = sides.objectOf('base', widget.asIndirect())?.value
  const wasField = isValueDictionary(before) && before.has('/T') && !isNamed(widget)
  if (number === undefined || !wasField || sides.objectOf('base', number) !== undefined) return []
  const kids = [...elementsOf(entry(field, 'Kids'), readingLimits.fieldNodesMax)]
  return kids.filter((kid) => isWidget(kid) && ![undefined, widget.asIndirect()].includes(objectNumberOf(kid)))
}

function report({ conflicts, before, sides, changedByOurs }: Settling, number: number): void {
  const isOfTheirs = before.theirs.onPages.has(number) || before.theirs.inForm.has(number)
  const isOfOurs = before.ours.onPages.has(number) || before.ours.inForm.has(number)
  // What both sides have goes because of the field above it, which one of them removed.
  if (isOfTheirs && !isOfOurs) conflicts.removed(number, 'layer')
  else if (isOfOurs && !isOfTheirs) conflicts.removed(number, 'version')
  else if (sides.isChangedByTheirs(number) && changedByOurs.has(number)) conflicts.removed(number, 'layer')
}

function isOfBoth({ before }: Settling, number: number): boolean {
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

/** Popups whose annotation is on no page any more. */
function orphanPopups(change: Change, now: DocumentLists): readonly number[] {
  return [...now.onPages].filter((number) => {
    const annotation = change.pdf.newIndirect(number)
    if (nameOf(entry(annotation, 'Subtype')) !== 'Popup') return false
    const parent = objectNumberOf(entry(annotation, 'Parent'))
    return parent !== undefined && !now.onPages.has(parent)
  })
}

function takeOffPages({ change, pages }: Settling, gone: ReadonlySet<number>): boolean {
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

/** Replies to an annotation that was removed become annotations of their own. */
function freeReplies({ change, pages, before, conflicts }: Settling, now: DocumentLists): boolean {
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

/** Draws annotations again whose entries come from both sides. */
function redrawAnnotations({ change, sides, pages, protectedNumbers, changedByOurs }: Settling): void {
  for (const page of pages) {
    if (!change.document.hasPage(page)) continue
    const both = numbersOn(change, page).filter((number) => {
      if (number === 0 || protectedNumbers.has(number)) return false
      const drawing = objectNumberOf(entry(change.pdf.newIndirect(number), 'AP', 'N')) ?? 0
      return (
        [number, drawing].some((one) => changedByOurs.has(one)) &&
        [number, drawing].some((one) => sides.isChangedByTheirs(one))
      )
    })
    if (both.length > 0) redrawOn(new AnnotatedPage(change, page), both)
  }
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
