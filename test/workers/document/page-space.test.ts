import fc from 'fast-check'
import t from 'tap'
import { PageSpace } from '../../../workers/document/page-space.js'
import { seed } from '../../support/sample.js'

const thousandth = fc.integer({ min: -20_000_000, max: 20_000_000 }).map((value) => value / 1000)
const side = fc.integer({ min: 0, max: 20_000_000 }).map((value) => value / 1000)
const rect = fc.tuple(thousandth, thousandth, side, side).map(([left, bottom, width, height]) => ({
  left,
  bottom,
  right: Math.round((left + width) * 1000) / 1000,
  top: Math.round((bottom + height) * 1000) / 1000,
}))

t.test('the origin of page space is the top left corner of the crop box, and y points down (shapes 2)', async (t) => {
  const space = new PageSpace({ left: 10, bottom: 20, right: 110, top: 220 })
  t.same(space.toPagePoint(10, 220), { x: 0, y: 0 })
  t.same(space.toPagePoint(110, 20), { x: 100, y: 200 })
  t.same(space.toPageBox({ left: 20, bottom: 30, right: 50, top: 70 }), { x: 10, y: 150, width: 30, height: 40 })
})

t.test('userX = left + x and userY = top - y, as PageLayout.pdfCropBox promises (shapes 2)', async (t) => {
  const property = fc.property(rect, thousandth, thousandth, (crop, x, y) => {
    const point = new PageSpace(crop).toUserPoint({ x, y })
    return Math.abs(point.x - (crop.left + x)) < 1e-6 && Math.abs(point.y - (crop.top - y)) < 1e-6
  })
  t.doesNotThrow(() => fc.assert(property, { seed }))
})

t.test('conversion of points between user space and page space is reversible', async (t) => {
  const property = fc.property(rect, thousandth, thousandth, (crop, x, y) => {
    const space = new PageSpace(crop)
    const there = space.toPagePoint(x, y)
    const user = space.toUserPoint(there)
    const back = space.toPagePoint(user.x, user.y)
    return user.x === x && user.y === y && back.x === there.x && back.y === there.y
  })
  t.doesNotThrow(() => fc.assert(property, { seed }))
})

t.test('conversion of boxes between user space and page space is reversible', async (t) => {
  const sides = ['left', 'bottom', 'right', 'top'] as const
  const property = fc.property(rect, rect, (crop, box) => {
    const space = new PageSpace(crop)
    const back = space.toUserRect(space.toPageBox(box))
    return sides.every((name) => Math.abs(back[name] - box[name]) < 2e-6)
  })
  t.doesNotThrow(() => fc.assert(property, { seed }))
})

t.test('subtraction leaves no rounding errors and no minus zero', async (t) => {
  const space = new PageSpace({ left: 0, bottom: 0, right: 612, top: 792 })
  t.equal(space.toPagePoint(0, 719.9).y, 72.1)
  t.ok(Object.is(new PageSpace({ left: 5, bottom: 0, right: 9, top: -0 }).toPagePoint(5, 0).y, 0))
})

t.test('an unpaired last number is dropped', async (t) => {
  const space = new PageSpace({ left: 0, bottom: 0, right: 10, top: 10 })
  t.same(space.toPagePoints([1, 2, 3]), [{ x: 1, y: 8 }])
})
