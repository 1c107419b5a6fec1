// The images that a layer stores are exactly the objects that an op changed. For every op and its undo: the images are the
// objects that differ; the incremental save of the engine contains the same objects; and the layer reopened from the images
// equals the copy that the op was applied to. Examples are in `samples.ts`.
import t, { type Test } from 'tap'
import type { OpenDocument } from '../../../workers/document/open-document.js'
import { objectsOfUpdate } from '../../../workers/file/section/update-objects.js'
import type { ChangeOutput } from '../../../workers/jobs/change.js'
import { opWorks } from '../../../workers/jobs/load-op-work.js'
import { imageBody } from '../../../workers/objects/object-image.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { samples } from './samples.js'

/** Ops without images, because they rewrite the whole base. */
const rewriting: ReadonlySet<string> = new Set(['redactions.apply'])

/** Returns every object by number; number 0 is the /Info entry of the trailer. */
function contentOf({ pdf, trailer }: OpenDocument): ReadonlyMap<number, string> {
  const objects = new Map([[0, trailer.get('Info').toString(true, true)]])
  for (let number = 1; number < pdf.countObjects(); number++) {
    const object = pdf.newIndirect(number)
    if (object.resolve().isNull()) continue
    // Placeholders that only reserve an object number are not objects of the layer, nor are cross-reference streams.
    if (object.isStream() && object.get('Type').toString() === '/XRef') continue
    objects.set(number, Buffer.from(imageBody(object)).toString('latin1'))
  }
  return objects
}

function differing(before: ReadonlyMap<number, string>, after: ReadonlyMap<number, string>): readonly number[] {
  const numbers = new Set([...before.keys(), ...after.keys()])
  return [...numbers].filter((number) => before.get(number) !== after.get(number)).toSorted((a, b) => a - b)
}

const savedByEngine = ({ pdf }: OpenDocument): readonly number[] => {
  const buffer = pdf.saveToBuffer('incremental')
  const numbers = [...objectsOfUpdate(Buffer.from(buffer.asUint8Array())).keys()]
  buffer.destroy()
  return numbers
}

async function held(t: Test, layer: ChangingLayer, make: () => Promise<ChangeOutput>): Promise<ChangeOutput> {
  layer.cold()
  const before = await layer.open(contentOf)
  const hiddenBefore = new Set(layer.images.filter(({ isHidden }) => isHidden).map(({ number }) => number))
  const changed = await make()
  const after = await layer.open(contentOf)
  const truth = differing(before, after)
  const hidden = (number: number): boolean => hiddenBefore.has(number) !== isHiddenIn(changed, number)
  const imaged = changed.images.map(({ number }) => number)
  t.same(
    imaged.filter((number) => truth.includes(number) || !hidden(number)),
    truth,
    'images are the objects that differ',
  )
  const saved = await layer.open(savedByEngine)
  const foundBySave = saved.filter((number) => truth.includes(number)).toSorted((a, b) => a - b)
  t.same(
    foundBySave,
    truth.filter((number) => after.has(number) && number > 0),
    'the engine saves the same objects',
  )
  layer.cold()
  t.same([...(await layer.open(contentOf))], [...after], 'the layer opened anew is the copy that was changed')
  return changed
}

const isHiddenIn = ({ images }: ChangeOutput, number: number): boolean =>
  images.some((image) => image.number === number && image.isHidden)

t.test('every op has an example', async (t) => {
  const shown = new Set(samples.map(({ op }) => op.type))
  t.same(
    [...opWorks.keys()].filter((type) => !shown.has(type) && !rewriting.has(type)),
    [],
  )
  t.same(
    [...shown].filter((type) => !opWorks.has(type)),
    [],
  )
})

for (const [index, { pdf, op, before, resources = {} }] of samples.entries()) {
  if (rewriting.has(op.type)) continue
  t.test(
    `${op.type}, example ${index + 1}: images are exactly the changed objects, also for undo and redo`,
    async (t) => {
      const layer = layerOf(t, pdf())
      if (before !== undefined) await layer.change({ ops: before, resources })
      const done = await held(t, layer, () => layer.change({ ops: [op], resources }))
      t.ok(done.images.length > 0, 'the example changes something')
      if (done.undo === null) return
      const undone = await held(t, layer, () => layer.undo(done.undo))
      await held(t, layer, () => layer.undo(undone.undo))
    },
  )
}
