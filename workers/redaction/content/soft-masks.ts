// Detects soft masks (ISO 32000-2, 11.6.5.2) with content in the region. The group of such a mask is drawn without what is
// under marks; what shows through a mask whose group is unknown is removed whole.
import type { Matrix, PDFDocument, PDFObject } from 'mupdf'
import { boundsOf, cornersOf } from '../../annotations/drawing/geometry.js'
import type { Change } from '../../change/change.js'
import { matrixOf } from '../../content/placement.js'
import { mupdf } from '../../engine/library.js'
import { inlineCopy } from '../../objects/inline-copy.js'
import { rectangleOf } from '../../objects/rectangles.js'
import { entriesOf, entry, isDictionary, isStream } from '../../objects/values.js'
import { type Region, transformed } from '../region.js'

const entriesMax = 1_000

/** Returns whether `state`, a graphics state set under the matrix `ctm`, has such a mask. */
export function isMasking(state: PDFObject, ctm: Matrix, region: Region): boolean {
  const mask = entry(state, 'SMask')
  if (!isDictionary(mask)) return false
  const group = entry(mask, 'G')
  const box = rectangleOf(entry(group, 'BBox'))
  if (box === undefined) return true
  const place = mupdf.Matrix.concat([...matrixOf(entry(group, 'Matrix'))], ctm)
  const bounds = boundsOf(cornersOf(box).map((corner) => transformed(corner, place)))
  return bounds === undefined || region.meets(bounds)
}

/** Returns the group of the mask of a state; undefined if it is unknown where it draws. */
export function groupOf(state: PDFObject): PDFObject | undefined {
  const group = entry(state, 'SMask', 'G')
  return isStream(group) && rectangleOf(entry(group, 'BBox')) !== undefined ? group : undefined
}

/** Returns the state with another group of its mask. */
export function withGroup({ pdf }: Change, state: PDFObject, group: PDFObject): PDFObject {
  const [copy, mask] = [copyWithout(pdf, state, 'SMask'), copyWithout(pdf, entry(state, 'SMask'), 'G')]
  mask.put('G', group)
  copy.put('SMask', mask)
  return copy
}

function copyWithout(pdf: PDFDocument, dictionary: PDFObject, left: string): PDFObject {
  const copy = pdf.newDictionary()
  for (const [key, value] of entriesOf(dictionary, entriesMax)) if (key !== left) copy.put(key, inlineCopy(value))
  return copy
}

/** Returns the state with a mask through which nothing is visible. */
export function shutMask({ pdf }: Change, state: PDFObject): PDFObject {
  const copy = copyWithout(pdf, state, 'SMask')
  const group = pdf.newDictionary()
  group.put('S', pdf.newName('Transparency'))
  const empty = pdf.addStream('', {})
  empty.put('Type', pdf.newName('XObject'))
  empty.put('Subtype', pdf.newName('Form'))
  empty.put('BBox', [0, 0, 0, 0])
  empty.put('Group', group)
  const mask = pdf.newDictionary()
  mask.put('S', pdf.newName('Alpha'))
  mask.put('G', empty)
  copy.put('SMask', mask)
  return copy
}
