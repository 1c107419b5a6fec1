// The same undo sent twice, by one client or two: the second changes nothing. For every op, the file after the second undo
// equals the file after the first (document service 4.2 rule 3).
import t from 'tap'
import type { UndoStep } from '../../../workers/change/unfinished-item.js'
import { openFile } from '../../../workers/document/open-file.js'
import { imageBody } from '../../../workers/objects/object-image.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import type { Reads } from '../../support/pdf/reads.js'
import { samples } from './samples.js'

t.setTimeout(580_000)

/** Returns every object of the downloaded file by number. */
function sentOf(layer: ChangingLayer): ReadonlyMap<number, string> {
  const document = openFile({ path: layer.sent() })
  try {
    const objects = new Map<number, string>()
    for (let number = 1; number < document.pdf.countObjects(); number++) {
      const object = document.pdf.newIndirect(number)
      if (!object.resolve().isNull()) objects.set(number, Buffer.from(imageBody(object)).toString('latin1'))
    }
    return objects
  } finally {
    document.destroy()
  }
}

/** The modification date of an annotation is not part of the change. */
const undated = (objects: ReadonlyMap<number, string>) =>
  [...objects].map(([number, text]) => [number, text.replace(/\/M\([^)]*\)/g, '')])

const hasSkipped = (item: object): boolean =>
  ('type' in item && item.type === 'skipped') ||
  ('skipped' in item && Array.isArray(item.skipped) && item.skipped.length > 0)

/** Appearances generated when the engine first writes a form are not undone. */
const withoutLooks = (form: ReturnType<Reads['form']>) => ({
  ...form,
  needsAppearances: null,
  widgets: form.widgets.map((widget) => ({ ...widget, hasAppearance: null })),
})

for (const [index, { pdf, op, before, resources = {} }] of samples.entries()) {
  t.test(
    `4.2 rule 3: ${op.type}, example ${index + 1}: a second undo, and a second redo, changes nothing`,
    async (t) => {
      const layer = layerOf(t, pdf())
      if (before !== undefined) await layer.change({ ops: before, resources })
      const base = layer.reads(t)
      const { form, annotations } = { form: base.form(), annotations: base.annotations() }
      const done = await layer.change({ ops: [op], resources })
      if (done.undo === null) return
      const twice = async (steps: readonly UndoStep[] | null, title: string) => {
        layer.cold()
        const first = await layer.undo(steps)
        const left = undated(sentOf(layer))
        layer.cold()
        const { items } = await layer.undo(steps)
        t.same(undated(sentOf(layer)), left, title)
        t.ok(items.every(hasSkipped), `${title}: the second undo is reported as skipped`)
        return first
      }
      const undone = await twice(done.undo, 'undone')
      const reads = layer.reads(t)
      t.same(withoutLooks(reads.form()), withoutLooks(form), 'the form is as it was')
      t.equal(reads.annotations().annotations.length, annotations.annotations.length)
      const redone = await twice(undone.undo, 'done again')
      const again = await twice(redone.undo, 'undone again')
      await twice(again.undo, 'done once more')
    },
  )
}
