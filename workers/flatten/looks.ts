// Every look of the annotations of a page: each mode and each state, whether it is shown at the moment or not. Each look is a
// stand-in in the copy that page pictures are drawn from, and is made once per copy.
import type { PDFObject } from 'mupdf'
import { AnnotatedPage } from '../annotations/annotated-page.js'
import type { AnnotationEntry } from '../annotations/reading/page-annotations.js'
import { boundsOfTurned } from '../annotations/reading/turns.js'
import { scratchChange } from '../change/scratch-change.js'
import { placement } from '../content/placement.js'
import type { AppearanceMode } from '../contract/appearance-batch.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import type { OpenDocument } from '../document/open-document.js'
import { isEngineError } from '../engine/trap.js'
import { isWidget } from '../fields/field-tree.js'
import { limits } from '../limits.js'
import { readingLimits } from '../objects/reading-limits.js'
import { rectangleOf } from '../objects/rectangles.js'
import { entriesOf, entry, isArray, isDictionary, isStream, nameOf, numberOf } from '../objects/values.js'
import { type Look, type LookOwner, lookListKeys, putLook } from '../pictures/look-stand-ins.js'
import { isUpright } from './drawing-placement.js'
import { Drawings } from './drawings.js'

const modeKeys: readonly (readonly [AppearanceMode, string])[] = [
  ['normal', 'N'],
  ['rollover', 'R'],
  ['down', 'D'],
]

/** Popups are windows of a viewer, and no reader draws links. */
const neverDrawn: readonly (string | undefined)[] = ['Popup', 'Link']

/**
 * Returns the stand-ins of a page, in stacking order. `document`: a copy that is used for pictures only. Throws
 * `PayloadTooLarge`, and `ShapingWanted`, after which the call can be repeated.
 */
export function looksOf(document: OpenDocument, page: number, owner: LookOwner): PDFObject {
  const pageObject = document.pageObject(page)
  const key = lookListKeys[owner]
  const known = entry(pageObject, key)
  if (isArray(known)) return known
  const list = document.pdf.newArray()
  const annotated = new AnnotatedPage(scratchChange(document), page)
  const drawings = new Drawings(annotated.change)
  for (const found of annotated.siblings.entries) {
    if (isWidget(found.object) !== (owner === 'widgets')) continue
    if (neverDrawn.includes(nameOf(entry(found.object, 'Subtype')))) continue
    unlessDamaged(() => putLooks(list, { annotated, drawings, found }))
    if (list.length > limits.looksMax) throw tooMany()
  }
  pageObject.put(key, list)
  return list
}

interface LooksToPut {
  readonly annotated: AnnotatedPage
  readonly drawings: Drawings
  readonly found: AnnotationEntry
}

function putLooks(list: PDFObject, { annotated, drawings, found }: LooksToPut): void {
  drawings.lookOf(annotated, found)
  const { object: annotation, ref } = found
  const rect = rectangleOf(entry(annotation, 'Rect'))
  if (rect === undefined) return
  const layer = entry(annotation, 'OC')
  const common = {
    ref,
    rect,
    turned: turnedBox(annotated, found, rect),
    layer: isDictionary(layer) ? layer : undefined,
    isUpright: isUpright(annotation),
  }
  for (const [mode, key] of modeKeys) {
    for (const { state, drawing } of statesOf(entry(annotation, 'AP', key))) {
      if (placement(drawing, rect) === undefined) continue
      putLook(list, { ...common, mode, state, drawing })
    }
  }
}

/** Returns the drawings of a mode: a single one, or one for each state. */
function statesOf(appearance: PDFObject): readonly { readonly state: string | null; readonly drawing: PDFObject }[] {
  if (isStream(appearance)) return [{ state: null, drawing: appearance }]
  return entriesOf(appearance, readingLimits.appearanceStatesMax).flatMap(([state, drawing]) =>
    isStream(drawing) ? [{ state, drawing }] : [],
  )
}

/**
 * Returns the box of a turned shape whose drawing does not reach beyond it: its picture is upright, and viewers turn it
 * themselves.
 */
function turnedBox(annotated: AnnotatedPage, found: AnnotationEntry, rect: PdfRect): Look['turned'] {
  if ((numberOf(entry(found.object, 'Rotate')) ?? 0) === 0) return undefined
  const state = annotated.read(found)
  const degrees = 'box' in state ? (state.rotation ?? 0) : 0
  if (!('box' in state) || degrees === 0) return undefined
  const box = annotated.space.toUserRect(state.box)
  const bounds = boundsOfTurned(box, degrees)
  const isWithin = sides.every((side) => Math.abs(bounds[side] - rect[side]) < grain)
  return isWithin ? { box, degrees } : undefined
}

const sides = ['left', 'bottom', 'right', 'top'] as const
/** Tolerance in points, for the loss of single precision. */
const grain = 0.01

/** An annotation that is too damaged to be read has no looks, and does not fail the others. */
function unlessDamaged(put: () => void): void {
  try {
    put()
  } catch (error) {
    if (!(error instanceof JobRefusal || isEngineError(error))) throw error
  }
}

const tooMany = (): JobRefusal =>
  new JobRefusal('PayloadTooLarge', `The annotations of the page have more than ${limits.looksMax} appearances`, {
    limit: 'looksMax',
    max: limits.looksMax,
  })
