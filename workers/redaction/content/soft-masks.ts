// Detects soft masks (ISO 32000-2, 11.6.5.2) with content in the region. What shows through such a mask is removed
// whole, because its shape is that of the masked content.
import type { Matrix, PDFObject } from 'mupdf'
import { boundsOf, cornersOf } from '../../annotations/drawing/geometry.js'
import type { Change } from '../../change/change.js'
import { matrixOf } from '../../content/placement.js'
import { mupdf } from '../../engine/library.js'
import { inlineCopy } from '../../objects/inline-copy.js'
import { rectangleOf } from '../../objects/rectangles.js'
import { entriesOf, entry, isDictionary } from '../../objects/values.js'
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

/** Returns the state with a mask through which nothing is visible. */
export function shutMask({ pdf }: Change, state: PDFObject): PDFObject {
  const copy = pdf.newDictionary()
  for (const [key, value] of entriesOf(state, entriesMax)) if (key !== 'SMask') copy.put(key, inlineCopy(value))
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
