// A picture laid into the box of a stamp.
import type { PDFObject } from 'mupdf'
import type { StampAnnotation } from '../../contract/annotations/stamp.js'
import type { PageSpace } from '../../document/page-space.js'
import { numbers } from '../../text/content.js'
import { naturalBounds, naturalSize } from '../pictures.js'
import { cornersOf, middleOf } from './geometry.js'
import type { Sheet } from './sheet.js'

/** The name of the picture in the resources of the drawing: there it is found again. */
export const pictureName = 'STWDPicture'

type Fit = NonNullable<StampAnnotation['fit']>

/** How much larger than by nature, across and up. */
const fits: Readonly<Record<Fit, (across: number, up: number) => readonly [number, number]>> = {
  contain: (across, up) => [Math.min(across, up), Math.min(across, up)],
  cover: (across, up) => [Math.max(across, up), Math.max(across, up)],
  fill: (across, up) => [across, up],
}

export function drawStamp(
  sheet: Sheet,
  { box, rotation, fit }: StampAnnotation,
  space: PageSpace,
  picture: PDFObject,
): void {
  const target = space.toUserRect(box)
  const middle = middleOf(target)
  sheet.turned(middle, rotation, () => {
    sheet.cover(cornersOf(target))
    const size = naturalSize(picture)
    const bounds = naturalBounds(picture)
    const [across, up] = fits[fit ?? 'fill'](box.width / size.width, box.height / size.height)
    const scaleX = (across * size.width) / Math.max(smallest, bounds.right - bounds.left)
    const scaleY = (up * size.height) / Math.max(smallest, bounds.top - bounds.bottom)
    const natural = middleOf(bounds)
    const clip = `${numbers(target.left, target.bottom, box.width, box.height)} re W n`
    const place = numbers(middle.x - natural.x * scaleX, middle.y - natural.y * scaleY)
    sheet.inside(`${clip}\n${scaleX.toFixed(6)} 0 0 ${scaleY.toFixed(6)} ${place} cm`, () =>
      sheet.picture(pictureName, picture),
    )
  })
}

const smallest = 0.001
