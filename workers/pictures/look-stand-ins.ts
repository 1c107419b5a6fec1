// Stand-ins for single looks of annotations, with what is known about them; like other stand-ins they exist only in copies
// that pictures are drawn from.
import type { PDFObject } from 'mupdf'
import type { AnnotationRef } from '../contract/annotation-ref.js'
import type { AppearanceMode } from '../contract/appearance-batch.js'
import { pageRef } from '../contract/page-ref.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { shownName } from '../engine/names.js'
import { emptyRect, rectangleOf } from '../objects/rectangles.js'
import { booleanOf, elementsOf, entry, integerOf, nameOf, numberOf, textOf } from '../objects/values.js'
import { standInKeys } from './stand-ins.js'

export type LookOwner = 'annotations' | 'widgets'

/** Keys of a page: arrays of the looks of its annotations and of its widgets. */
export const lookListKeys: Readonly<Record<LookOwner, string>> = {
  annotations: 'STWD_Looks',
  widgets: 'STWD_FieldLooks',
}

/** One look of one annotation. */
export interface Look {
  readonly ref: AnnotationRef
  readonly mode: AppearanceMode
  /** Name of the state; null if the mode has a single drawing. */
  readonly state: string | null
  /** Rectangle of the annotation in user space. */
  readonly rect: PdfRect
  /** Box that the drawing fills before it is turned clockwise about its middle; undefined = it is drawn as it is. */
  readonly turned: { readonly box: PdfRect; readonly degrees: number } | undefined
  /** True: it stands upright, whatever the rotation of the page. */
  readonly isUpright: boolean
}

export interface NewLook extends Look {
  readonly drawing: PDFObject
  /** Optional content that it belongs to. */
  readonly layer: PDFObject | undefined
}

const keys = {
  number: 'STWD_Number',
  baseIndex: 'STWD_BaseIndex',
  mode: 'STWD_Mode',
  state: 'STWD_State',
  turn: 'STWD_Turn',
  box: 'STWD_Box',
} as const

export function putLook(list: PDFObject, look: NewLook): void {
  const pdf = list._doc
  const standIn = pdf.newDictionary()
  standIn.put('Type', pdf.newName('Annot'))
  // The engine never regenerates the appearance of this subtype.
  standIn.put('Subtype', pdf.newName('Stamp'))
  standIn.put('Rect', arrayOf(look.rect))
  standIn.put('AP', { N: look.drawing })
  if (look.layer !== undefined) standIn.put('OC', look.layer)
  if (look.isUpright) standIn.put(standInKeys.upright, true)
  if (look.ref.kind === 'objectNumber') standIn.put(keys.number, look.ref.objectNumber)
  else standIn.put(keys.baseIndex, look.ref.baseIndex)
  standIn.put(keys.mode, pdf.newName(look.mode))
  if (look.state !== null) standIn.put(keys.state, pdf.newString(shownName(look.state)))
  if (look.turned !== undefined) {
    standIn.put(keys.turn, look.turned.degrees)
    standIn.put(keys.box, arrayOf(look.turned.box))
  }
  list.push(pdf.addObject(standIn))
}

const arrayOf = ({ left, bottom, right, top }: PdfRect): number[] => [left, bottom, right, top]

export interface StandInLook extends Look {
  readonly standIn: PDFObject
}

/** Reads the looks of a page. `modes`: those that are wanted. */
export function readLooks(list: PDFObject, page: number, modes: readonly AppearanceMode[]): readonly StandInLook[] {
  return [...elementsOf(list, list.length)].flatMap((standIn) => {
    const mode = modes.find((one) => one === nameOf(entry(standIn, keys.mode)))
    return mode === undefined ? [] : [{ standIn, mode, ...lookOf(standIn, page) }]
  })
}

function lookOf(standIn: PDFObject, page: number): Omit<Look, 'mode'> {
  const number = integerOf(entry(standIn, keys.number))
  const degrees = numberOf(entry(standIn, keys.turn))
  const box = rectangleOf(entry(standIn, keys.box))
  return {
    ref:
      number === undefined
        ? { kind: 'baseIndex', page: pageRef(page), baseIndex: integerOf(entry(standIn, keys.baseIndex)) ?? 0 }
        : { kind: 'objectNumber', page: pageRef(page), objectNumber: number },
    state: textOf(entry(standIn, keys.state)) ?? null,
    rect: rectangleOf(entry(standIn, 'Rect')) ?? emptyRect,
    turned: degrees === undefined || box === undefined ? undefined : { box, degrees },
    isUpright: booleanOf(entry(standIn, standInKeys.upright)) === true,
  }
}
