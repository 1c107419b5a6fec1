// After all of any sequence of undoable changes were undone, the document has the same pixels and the same lists as the
// base. From the last to the first, every undo is complete; in any other order, undos that a later change made incomplete
// are repeated. Sequences with calculated fields are undone from the last only, because any change recalculates them.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { UndoStep } from '../../../workers/change/unfinished-item.js'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import { openFile } from '../../../workers/document/open-file.js'
import { pageBoxes } from '../../../workers/document/page-boxes.js'
import { drawPage } from '../../../workers/pictures/draw.js'
import { planPicture } from '../../../workers/pictures/picture-plan.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { type Edit, edit, opOf, unform } from '../../support/pdf/random-edits.js'
import { everyAnnotation, everyField } from '../../support/pdf/rich-pdf.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 300_000)

type Pictures = readonly { readonly page: number; readonly pixels: Uint8Array }[]

function look(layer: ChangingLayer, pages: readonly number[]): Pictures {
  const document = openFile({ path: layer.sent() })
  try {
    return pages.map((page) => {
      const { crop } = pageBoxes(document.pageObject(page))
      const view = { viewport: { kind: 'scale' as const, scale: 1 }, target: undefined, rotation: 0 as const }
      const plan = planPicture(crop, view, 10_000_000)
      const options = { plan, crop, family: 'all', isTransparent: false } as const
      const pixmap = document.withPage(page, (loaded) => drawPage(loaded, options))
      const pixels = Uint8Array.from(pixmap.getPixels())
      pixmap.destroy()
      return { page, pixels }
    })
  } finally {
    document.destroy()
  }
}

function lists(t: Test, layer: ChangingLayer) {
  const reads = layer.reads(t)
  // An undo is a change itself, so the modification date of an annotation is not restored.
  const annotations = reads.annotations().annotations.map((one) => ({ ...one, modifiedAt: undefined }))
  const pages = reads.layout().pages.map(({ ref }) => ref)
  return { pages, annotations, form: reads.form(), metadata: reads.metadata(), custom: reads.customMetadata() }
}

/** Applies the edits and returns the undo of each. Edits that do not apply to the document are skipped. */
async function apply(t: Test, layer: ChangingLayer, edits: readonly Edit[]): Promise<(readonly UndoStep[])[]> {
  const made: (readonly UndoStep[])[] = []
  for (const [index, edit] of edits.entries()) {
    const { pages, annotations, form } = lists(t, layer)
    const op = opOf(edit, { pages, annotations, fields: form.fields }, `#${index}`)
    if (op === undefined) continue
    try {
      const { undo, images } = await layer.apply(op)
      if (undo === null) throw new Error(`${op.type} cannot be undone`)
      if (images.length > 0) made.push(undo)
    } catch (error) {
      if (!(error instanceof JobRefusal)) throw error
    }
  }
  return made
}

/** Returns the undos that were incomplete, and whether any of them changed something. */
async function undo(layer: ChangingLayer, changes: readonly (readonly UndoStep[])[]) {
  const left: (readonly UndoStep[])[] = []
  let hasMoved = false
  for (const steps of changes) {
    // Undo data is stored with the layer, so the open copy may be discarded.
    layer.cold()
    const { items, images } = await layer.undo(steps)
    if (items.some(hasSkipped)) left.push(steps)
    if (images.length > 0) hasMoved = true
  }
  return { left, hasMoved }
}

const hasSkipped = (item: object): boolean =>
  ('type' in item && item.type === 'skipped') ||
  ('skipped' in item && Array.isArray(item.skipped) && item.skipped.length > 0)

const bases = { everyAnnotation, everyField, formPdf, groups: formPdf }
const order = fc.array(fc.nat(), { minLength: 24, maxLength: 24 })
const script = fc.record({
  base: fc.constantFrom('everyAnnotation', 'everyField', 'formPdf'),
  edits: fc.array(edit, { minLength: 6, maxLength: isLong ? 24 : 12, size: 'max' }),
  /** Order of the undos; undefined = from the last to the first. */
  order: fc.option(order, { nil: undefined }),
})
/** Edits without values, so that no field is calculated. */
const structural = fc.record({
  base: fc.constant('groups'),
  edits: fc.array(unform, { minLength: 4, maxLength: isLong ? 16 : 8, size: 'max' }),
  order: fc.option(order, { nil: undefined }),
})

let [attempted, applied] = [0, 0]

const scripts = [
  ...fc.sample(script, { seed, numRuns: isLong ? 300 : 8 }),
  ...fc.sample(structural, { seed, numRuns: isLong ? 300 : 8 }),
]

for (const { base, edits, order: anyOrder } of scripts) {
  const order = base === 'formPdf' ? undefined : anyOrder
  const title = `${base}, ${edits.length} edits, undone ${order ? 'in any order' : 'from the last'}: pixels and lists equal the base`
  t.test(title, async (t) => {
    const layer = layerOf(t, bases[base]())
    const before = lists(t, layer)
    const pages = before.pages.map(({ objectNumber }) => objectNumber)
    const pictures = look(layer, pages)
    const made = await apply(t, layer, edits)
    attempted += edits.length
    applied += made.length
    const keyed = made.map((steps, index) => ({ steps, key: order?.[index] ?? -index }))
    const ordered = keyed.toSorted((a, b) => a.key - b.key).map(({ steps }) => steps)
    let { left, hasMoved } = await undo(layer, ordered)
    if (!order) t.equal(left.length, 0, 'undos from the last to the first are complete')
    while (left.length > 0 && hasMoved) {
      const again = made.toReversed().filter((steps) => left.includes(steps))
      ;({ left, hasMoved } = await undo(layer, again))
    }
    const after = lists(t, layer)
    t.same(after, before)
    for (const [index, { page, pixels }] of look(layer, pages).entries()) {
      t.ok(Buffer.from(pixels).equals(pictures[index]?.pixels ?? new Uint8Array()), `page ${page} looks like the base`)
    }
  })
}

t.test('enough of the random edits were applied', async (t) => {
  t.ok(applied > attempted / 2, `${applied} of ${attempted} edits were applied`)
})
