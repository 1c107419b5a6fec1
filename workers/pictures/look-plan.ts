// Computes where looks stand on the page and the size of their pictures: they have the scale of a picture of the page, unless
// all of them together would have too many pixels.
import type { Matrix } from 'mupdf'
import type { PageBox } from '../contract/page-box.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import { PageSpace } from '../document/page-space.js'
import { mupdf } from '../engine/library.js'
import { limits } from '../limits.js'
import type { Look } from './look-stand-ins.js'
import { type PicturePlan, planPicture, type View } from './picture-plan.js'

export interface LookPlan {
  readonly picture: PicturePlan
  /** Place on the page. */
  readonly rect: PageBox
  /** Rotation of the drawing in user space before it is drawn; undefined = none. */
  readonly turn: Matrix | undefined
}

export interface LookView {
  /** Visible box of the page in user space. */
  readonly crop: PdfRect
  readonly view: Omit<View, 'target'>
  readonly pixelsMax: number
}

/** Throws `InvalidArg` if a picture of the whole page would be too large. */
export function planLooks(looks: readonly Look[], { crop, view, pixelsMax }: LookView): readonly LookPlan[] {
  const { scale } = planPicture(crop, { ...view, target: undefined }, pixelsMax)
  const placed = looks.map((look) => placeOf(look, view))
  const areas = placed.map(({ box }) => (box.right - box.left) * (box.top - box.bottom) * scale ** 2)
  const areaMax = Math.min(pixelsMax, fairShare(areas, limits.looksPixelsMax))
  const space = new PageSpace(crop)
  return placed.map(({ box, turn }, index) => {
    const longSide = Math.max(box.right - box.left, box.top - box.bottom) * scale
    const factor = Math.min(1, Math.sqrt(areaMax / Math.max(1, areas[index] ?? 0)), limits.sideMax / longSide)
    const rect = space.toPageBox(box)
    const viewport = { kind: 'scale', scale: scale * factor } as const
    // The limit may be exceeded by rounding.
    return { picture: planPicture(crop, { ...view, viewport, target: rect }, 2 * pixelsMax), rect, turn }
  })
}

function placeOf({ rect, turned, isUpright }: Look, { rotation }: LookView['view']) {
  if (turned !== undefined && !isUpright) {
    const { box, degrees } = turned
    return { box, turn: turnAbout((box.left + box.right) / 2, (box.bottom + box.top) / 2, degrees) }
  }
  if (!isUpright || rotation === 0) return { box: rect, turn: undefined }
  const turn = turnAbout(rect.left, rect.top, rotation)
  const [left, bottom, right, top] = mupdf.Rect.transform([rect.left, rect.bottom, rect.right, rect.top], turn)
  return { box: { left, bottom, right, top }, turn }
}

/** Counterclockwise rotation about a point in user space. */
function turnAbout(x: number, y: number, degrees: number): Matrix {
  const { concat, rotate, translate } = mupdf.Matrix
  return concat(concat(translate(-x, -y), rotate(degrees)), translate(x, y))
}

/** Returns the largest size that each may have so that all together stay within the total. */
function fairShare(sizes: readonly number[], total: number): number {
  let left = total
  const sorted = sizes.toSorted((one, other) => one - other)
  for (const [index, size] of sorted.entries()) {
    const share = left / (sorted.length - index)
    if (size > share) return share
    left -= size
  }
  return Number.POSITIVE_INFINITY
}
