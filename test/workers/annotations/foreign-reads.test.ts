// Regions, attached files and notes of other programs: members that the file does not state, and reads that are sent back.
import t from 'tap'
import type { Annotation } from '../../../workers/contract/annotations/annotation.js'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { readsOf } from '../../support/pdf/reads.js'
import { annotationRef, files, page, quad } from './support/drafts.js'

const rect = '/Rect[30 480 130 560]'
const ref = annotationRef(10)

const layerWith = (...annotations: readonly string[]): ChangingLayer => layerOf(t, annotatedPdf({ annotations }))
const all = (layer: ChangingLayer): readonly Annotation[] => layer.reads(t).annotations(3).annotations
const first = (layer: ChangingLayer): Annotation => Object(all(layer)[0])
const update = (layer: ChangingLayer, patch: object) => layer.apply({ type: 'annotations.update', ref, patch })
const hasQuads = (layer: ChangingLayer): boolean =>
  judged('mutool', ['show', layer.sent(), 'pages/1/Annots/1/QuadPoints']).toString().trim() !== 'null'

t.test('a note is open if it or its popup says so', (t) => {
  const open = (note: string, popup: string) =>
    readsOf(
      t,
      annotatedPdf({
        annotations: [`/Subtype/Text${rect}${note}/Popup 11 0 R`, `/Subtype/Popup${rect}/Parent 10 0 R${popup}`],
      }),
    ).annotations().annotations[0]
  t.match(open('', ''), { open: false })
  t.match(open('/Open true', ''), { open: true })
  t.match(open('', '/Open true'), { open: true })
  t.match(open('/Open false', '/Open true'), { open: false })
  t.end()
})

for (const [name, entries] of Object.entries({
  'a region without quads': `/Subtype/Redact${rect}`,
  'a region with quads': `/Subtype/Redact${rect}/QuadPoints[30 560 90 560 30 540 90 540]`,
  'a file that is only named': `/Subtype/FileAttachment${rect}/FS(plain.txt)`,
  'no file': `/Subtype/FileAttachment${rect}`,
  'a note': `/Subtype/Text${rect}`,
})) {
  t.test(`${name}: a read that is sent back changes nothing`, async (t) => {
    const layer = layerWith(entries)
    const { images, items } = await update(layer, first(layer))
    t.same(images, [])
    t.match(items, [{ appearance: { action: 'preserved', changed: false } }])
  })
}

t.test('a region without quads stays one when it is moved, coloured or copied', needs('mutool'), async (t) => {
  const layer = layerWith(`/Subtype/Redact${rect}`)
  const before = first(layer)
  t.match(before, { quadPoints: [quad(10, 20, 100, 80)] })
  const moved = await update(layer, { rect: { x: 50, y: 60, width: 20, height: 10 } })
  t.match(first(layer), { rect: { x: 50, y: 60 }, quadPoints: [quad(50, 60, 20, 10)] })
  await update(layer, { color: '#00ff00', quadPoints: null })
  t.match(first(layer), { rect: { x: 50, y: 60, width: 20, height: 10 }, quadPoints: [quad(50, 60, 20, 10)] })
  t.notOk(hasQuads(layer))
  await layer.undo(moved.undo)
  t.match(first(layer), { rect: { x: 10, y: 20 }, quadPoints: [quad(10, 20, 100, 80)] })
  const copy = layerWith()
  await copy.apply({ type: 'annotations.create', page, data: { ...before, ref: undefined } })
  t.match(first(copy), { rect: { x: 10, y: 20, width: 100, height: 80 }, quadPoints: [quad(10, 20, 100, 80)] })
  t.notOk(hasQuads(copy))
})

t.test('a region gets quads and loses them', needs('mutool'), async (t) => {
  const layer = layerWith(`/Subtype/Redact${rect}`)
  const before = first(layer)
  const quadPoints = [quad(15, 25, 30, 10), quad(15, 45, 30, 10)]
  const { undo } = await update(layer, { quadPoints })
  t.match(first(layer), { quadPoints })
  t.ok(hasQuads(layer))
  await layer.undo(undo)
  t.match(first(layer), { rect: before.rect, quadPoints: [quad(10, 20, 100, 80)] })
  t.notOk(hasQuads(layer))
})

t.test('null in the description of a file removes the member', async (t) => {
  const layer = layerWith()
  const file = { name: 'a.txt', mimeType: 'text/plain', description: 'What' }
  const data = { subtype: 'file-attachment', rect: { x: 1, y: 1, width: 20, height: 20 }, file }
  await layer.change({
    ops: [{ type: 'annotations.create', page, data, resources: { file: 'notes' } }],
    resources: files,
  })
  t.match(first(layer), { file: { ...file, size: 17, checksum: /^[0-9a-f]{32}$/, modifiedAt: null } })
  const patch = { file: { name: 'b.txt', mimeType: null, description: null } }
  await layer.apply({ type: 'annotations.update', ref: first(layer).ref, patch })
  t.match(first(layer), { file: { ...patch.file, size: 17 } })
  const same = await layer.apply({
    type: 'annotations.update',
    ref: first(layer).ref,
    patch: { file: { name: 'b.txt' } },
  })
  t.same(same.images, [], 'null and absent are the same')
})

t.test('a note and its popup open and close together', async (t) => {
  const layer = layerWith(`/Subtype/Text${rect}/Popup 11 0 R`, `/Subtype/Popup${rect}/Parent 10 0 R`)
  const open = () => all(layer).map((one) => Object(one).open)
  t.same(open(), [false, false])
  const { undo } = await update(layer, { open: true })
  t.same(open(), [true, true])
  await layer.undo(undo)
  t.same(open(), [false, false])
  await layer.apply({ type: 'annotations.update', ref: annotationRef(11), patch: { open: true } })
  t.same(open(), [true, true])
})
