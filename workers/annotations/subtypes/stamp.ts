// Pictures placed in the box of a stamp.
import type { PDFObject } from 'mupdf'
import { Stamp, type StampAnnotation } from '../../contract/annotations/stamp.js'
import type { PageSpace } from '../../document/page-space.js'
import { lookUp } from '../../objects/look-up.js'
import { ownKeys } from '../../objects/own-keys.js'
import { entry, nameOf } from '../../objects/values.js'
import { numbers } from '../../text/content-operands.js'
import { cornersOf, middleOf } from '../drawing/geometry.js'
import type { Sheet } from '../drawing/sheet.js'
import { putName, wordFor } from '../entries.js'
import { naturalBounds, naturalSize, pictureName } from '../pictures.js'
import { boxOf } from '../reading/turns.js'
import { subtypeWork } from '../subtype-work.js'
import { group } from '../writing/member-group.js'
import { rotationGroup } from '../writing/shared-members.js'

type Fit = NonNullable<StampAnnotation['fit']>

const fits: Readonly<Record<string, Fit>> = {
  Contain: 'contain',
  Cover: 'cover',
  Fill: 'fill',
}

/** Scale factors from the natural size, by the kind of fit. */
const scales: Readonly<Record<Fit, (across: number, up: number) => readonly [number, number]>> = {
  contain: (across, up) => [Math.min(across, up), Math.min(across, up)],
  cover: (across, up) => [Math.max(across, up), Math.max(across, up)],
  fill: (across, up) => [across, up],
}

export const work = subtypeWork(Stamp, {
  shape: 'box',
  standard: { rotation: null, name: null, fit: 'contain' },
  resource: 'appearance',
  read: (source, common) => ({
    subtype: 'stamp',
    ...common,
    ...boxOf(source),
    name: source.reading.name(source.object, 'Name') ?? null,
    fit: lookUp(fits, nameOf(entry(source.object, ownKeys.fit))) ?? null,
  }),
  groups: [
    rotationGroup,
    group(['name'], ({ name }, written) => putName(written, 'Name', name)),
    group(['fit'], ({ fit }, written) => putName(written, ownKeys.fit, fit === null ? null : wordFor(fits, fit))),
  ],
  invisible: ['name'],
  draw(sheet, state, { space, picture }) {
    if (picture !== undefined) drawStamp(sheet, state, space, picture)
  },
})

function drawStamp(sheet: Sheet, { box, rotation, fit }: StampAnnotation, space: PageSpace, picture: PDFObject): void {
  const target = space.toUserRect(box)
  const middle = middleOf(target)
  sheet.turned(middle, rotation, () => {
    sheet.cover(cornersOf(target))
    const size = naturalSize(picture)
    const bounds = naturalBounds(picture)
    const [across, up] = scales[fit ?? 'fill'](box.width / size.width, box.height / size.height)
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
