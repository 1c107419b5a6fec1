// Workers report every annotation that an op changed, removed or restored, so that the server can check the rights of the
// caller. For every op and its undo, the report is compared with the pages before and after.
import t, { type Test } from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import type { OpenDocument } from '../../../workers/document/open-document.js'
import type { ChangeOutput } from '../../../workers/jobs/change.js'
import { opWorks } from '../../../workers/jobs/load-op-work.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { onePage, rawPdf } from '../../support/pdf/raw-pdf.js'
import { everyAnnotation } from '../../support/pdf/rich-pdf.js'
import { type Sample, samples } from '../ops/samples.js'

const ref = (objectNumber: number) => ({ kind: 'objectNumber', page: pageRef(3), objectNumber })
const rect = { x: 10, y: 10, width: 20, height: 20 }

/** A note (5) with a reply (6), a group member (7) and the popup of the reply (8); an unrelated note (9). */
const discussion = (): Buffer =>
  onePage('0 0 100 100 re f', {
    page: '/Annots[5 0 R 6 0 R 7 0 R 8 0 R 9 0 R]',
    further: {
      5: '<</Type/Annot/Subtype/Square/Rect[10 10 50 50]/P 3 0 R/AP<</N 10 0 R>>>>',
      6: '<</Type/Annot/Subtype/Text/Rect[10 10 50 50]/IRT 5 0 R/Popup 8 0 R>>',
      7: '<</Type/Annot/Subtype/Text/Rect[10 10 50 50]/IRT 5 0 R/RT/Group>>',
      8: '<</Type/Annot/Subtype/Popup/Rect[60 60 90 90]/Parent 6 0 R>>',
      9: '<</Type/Annot/Subtype/Text/Rect[150 150 170 170]>>',
      10: { body: '<</Type/XObject/Subtype/Form/BBox[0 0 40 40]>>', stream: '0 0 40 40 re f' },
    },
  })

/** One annotation has no /P entry, and the /P entry of another refers to the wrong page. */
const twoPages = (): Buffer =>
  rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots[5 0 R 6 0 R 7 0 R]>>',
    4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Annots 8 0 R>>',
    5: '<</Type/Annot/Subtype/Text/Rect[10 10 50 50]/P 3 0 R>>',
    6: '<</Type/Annot/Subtype/Text/Rect[10 10 50 50]>>',
    7: '<</Type/Annot/Subtype/Text/Rect[10 10 50 50]/P 4 0 R>>',
    8: '[9 0 R]',
    9: '<</Type/Annot/Subtype/Text/Rect[10 10 50 50]>>',
  })

const further: readonly Sample[] = [
  { pdf: discussion, op: { type: 'annotations.delete', ref: ref(5) } },
  { pdf: discussion, op: { type: 'annotations.delete', ref: ref(8) } },
  { pdf: discussion, op: { type: 'annotations.flatten', page: pageRef(3), refs: [ref(5)], usage: 'display' } },
  { pdf: discussion, op: { type: 'pages.flatten', usage: 'display' } },
  { pdf: discussion, op: { type: 'annotations.update', ref: ref(8), patch: { parent: ref(9) } } },
  {
    pdf: discussion,
    op: { type: 'annotations.create', page: pageRef(3), data: { subtype: 'popup', rect, parent: ref(9) } },
  },
  {
    pdf: discussion,
    before: [{ type: 'annotations.create', page: pageRef(3), data: { subtype: 'redact', rect } }],
    op: { type: 'redactions.apply' },
  },
  {
    pdf: everyAnnotation,
    op: { type: 'annotations.delete', ref: { kind: 'baseIndex', page: pageRef(3), baseIndex: 0 } },
  },
  { pdf: twoPages, op: { type: 'pages.delete', pages: [pageRef(3)] } },
  { pdf: twoPages, op: { type: 'pages.delete', pages: [pageRef(4)] } },
]

type Listed = ReadonlyMap<number, string>

/** Annotations with an object number, serialised. */
function listed({ pdf }: OpenDocument): Listed {
  const found = new Map<number, string>()
  for (let index = 0; index < pdf.countPages(); index++) {
    const annots = pdf.findPage(index).get('Annots')
    for (let place = 0; annots.isArray() && place < annots.length; place++) {
      const annotation = annots.get(place)
      if (annotation.isIndirect()) found.set(annotation.asIndirect(), annotation.resolve().toString(true, true))
    }
  }
  return found
}

/** Annotations that existed before this change, including hidden ones. */
async function judged(t: Test, layer: ChangingLayer, make: () => Promise<ChangeOutput>): Promise<ChangeOutput> {
  const countBefore = await layer.open(({ pdf }) => pdf.countObjects())
  const before = await layer.open(listed)
  const changed = await make()
  const promoted = new Set(changed.promoted.map(({ objectNumber }) => objectNumber))
  const after = await layer.open(listed)
  const all = [...new Set([...before.keys(), ...after.keys()])].toSorted((one, other) => one - other)
  const expected = all.flatMap((number) => {
    const effect = !after.has(number) ? 'removed' : !before.has(number) ? 'restored' : 'changed'
    const isSame = before.get(number) === after.get(number)
    return isSame || number >= countBefore || promoted.has(number) ? [] : [`${number} ${effect}`]
  })
  const touched = changed.touchedAnnotations
    .filter(({ number }) => !promoted.has(number))
    .toSorted((one, other) => one.number - other.number)
  t.same(
    touched.map(({ number, effect }) => `${number} ${effect}`),
    expected,
  )
  return changed
}

t.test('every op has an example', async (t) => {
  const shown = new Set([...samples, ...further].map(({ op }) => op.type))
  t.same(
    [...opWorks.keys()].filter((type) => !shown.has(type)),
    [],
  )
})

for (const [index, { pdf, op, before, resources = {} }] of [...further, ...samples].entries()) {
  t.test(
    `${op.type}, example ${index + 1}: exactly the annotations that differ on the pages are reported`,
    async (t) => {
      const layer = layerOf(t, pdf())
      if (before !== undefined) await layer.change({ ops: before, resources })
      const done = await judged(t, layer, () => layer.change({ ops: [op], resources }))
      if (done.undo === null) return
      const undone = await judged(t, layer, () => layer.undo(done.undo))
      await judged(t, layer, () => layer.undo(undone.undo))
    },
  )
}

t.test('a changed inline annotation is reported under its object number', async (t) => {
  const inline = { kind: 'baseIndex', page: pageRef(3), baseIndex: 0 }
  const layer = layerOf(t, everyAnnotation())
  const made = await layer.apply({ type: 'annotations.create', page: pageRef(3), data: { subtype: 'square', rect } })
  t.same(made.touchedAnnotations, [], 'nothing is done to those that lie beside a new one')
  const [promoted] = made.promoted
  const patched = await layer.apply({ type: 'annotations.update', ref: inline, patch: { contents: 'x' } })
  t.match(patched.touchedAnnotations, [{ number: promoted?.objectNumber, effect: 'changed' }])
  const other = layerOf(t, everyAnnotation())
  const atOnce = await other.apply({ type: 'annotations.update', ref: inline, patch: { contents: 'x' } })
  t.match(atOnce.touchedAnnotations, [{ number: atOnce.promoted[0]?.objectNumber, effect: 'changed' }])
  const third = layerOf(t, everyAnnotation())
  const removed = await third.apply({ type: 'annotations.delete', ref: inline })
  t.match(removed.touchedAnnotations, [{ number: removed.promoted[0]?.objectNumber, effect: 'removed' }])
})
