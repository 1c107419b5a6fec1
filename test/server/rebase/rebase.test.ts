// Layers of a document when another one is signed, over HTTP: their edits are merged with the new version on their next use,
// and a write stores the merge that reads showed before.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { qpdfOf } from '../../support/pdf/bases.js'
import { formPdf, named } from '../../support/pdf/form-pdf.js'
import { needs, python } from '../../support/pdf/judges.js'
import { everyPage } from '../../support/pdf/rich-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import {
  complete,
  download,
  field,
  popplerVerdicts,
  prepare,
  qpdfAccepts,
  sign,
} from '../signatures/support/signing.js'
import type { Client } from '../support/client.js'
import { EventReader } from '../support/events.js'
import { done, runServer } from '../support/running-server.js'

const judges = needs('pdfsig', 'qpdf', 'openssl', 'pikepdf')
if (judges.skip) t.plan(0, judges.skip)
else await run()

async function run(): Promise<void> {
  const { api, upload, documentToken } = await runServer(t)

  t.test('edits of other layers are merged on their next use, and the layers are signed in turn', async (t) => {
    const bytes = formPdf()
    const docId = await upload(bytes)
    const layers = ['one', 'two', 'three'].map((layerName) => ({ api, docId, layerName }))
    for (const [index, layer] of layers.entries()) {
      t.same(
        outcomes(
          await change(
            api,
            layer,
            { opId: 'square', ops: [square(3, 10 + 40 * index)] },
            { opId: 'value', ops: [setValue('plain', layer.layerName)] },
          ),
        ),
        ['applied', 'applied'],
      )
    }
    const [one, two, three] = layers
    if (!one || !two || !three) throw new Error('unreachable')
    const before = manifest(await read(two, 'manifest'))
    await sign(one, field('first'))
    const unedited = { api, docId, layerName: 'unedited' }
    t.equal((await annotationsOf(unedited, 3)).length, (await annotationsOf(one, 3)).length)

    const seen = await contentOf(two)
    const moved = manifest(await read(two, 'manifest'))
    t.not(moved.baseSha, before.baseSha)
    t.ok(moved.docVersion > before.docVersion)
    t.equal(moved.layerVersion, before.layerVersion)
    t.match(moved.merge, { state: 'merged', auditId: null, conflicts: [{ path: '/V', kept: 'layer' }] })
    t.same(pinsOf(before, 3).contentVersion, pinsOf(moved, 3).contentVersion, 'no side changed the content of the page')
    t.ok(pinsOf(moved, 3).annotationVersion > pinsOf(before, 3).annotationVersion)
    t.same(boxesIn(await annotationsOf(two, 3)), [10, 50])
    await judge(t, await download(two), { signatures: 1 })

    const answer = await change(api, two, { opId: 'custom', ops: [custom('a')] })
    t.same(outcomes(answer), ['applied'])
    t.match(answer.at('/merge'), { baseSha: moved.baseSha, count: 1 })
    const stored = manifest(await read(two, 'manifest'))
    t.match(stored.merge, { state: 'merged', auditId: answer.at('/merge/auditId'), count: 1 })
    const { docVersion, metadataVersion, merge, auditHead, layerVersion, scopes, ...others } = moved
    t.match(stored, others, 'pins are those that were read before the write')
    t.same(
      (await contentOf(two)).filter((_, index) => index !== 1),
      seen.filter((_, index) => index !== 1),
      'content is what was read before the write',
    )
    t.equal((await change(api, two, { opId: 'again', ops: [custom('b')] })).at('/merge'), undefined, 'once')

    for (const undoOf of ['square', 'value']) {
      const undone = await change(api, two, { opId: `undo ${undoOf}`.replace(' ', '-'), undoOf })
      t.match(undone.at('/changes/0/error'), { code: 'UndoUnavailable', details: { reason: 'base-changed' } })
    }
    t.same(outcomes(await change(api, two, { opId: 'undo-custom', undoOf: 'custom' })), ['applied'])

    await sign(two, field('second'))
    await judge(t, await download(two), { signatures: 2 })
    await sign(three, field('third'))
    const last = await download(three)
    await judge(t, last, { signatures: 3 })
    t.same(boxesIn(await annotationsOf(three, 3)), [10, 50, 90])
    t.ok(last.subarray(0, bytes.length).equals(bytes), 'the upload is the beginning')
    t.same((await read(three, 'metadata/custom')).json(), { b: 'b' })
    const { versions } = Object((await api.get(`/v1/docs/${docId}/versions`)).json())
    t.equal(versions.length, 4)
    t.same((await download(unedited)).equals(last), true)
  })

  t.test('readers and writers go on while a version is published; equal pins mean equal content', async (t) => {
    const docId = await upload(formPdf())
    const [one, two] = ['one', 'two'].map((layerName) => ({ api, docId, layerName }))
    if (!one || !two) throw new Error('unreachable')
    for (const layer of [one, two]) done(await change(api, layer, { opId: 'a', ops: [square(3, 10)] }))
    const prepared = await prepare(one, field('first')).then(done)
    const seen = new Map<number, string>()
    let isOver = false
    const reader = async () => {
      let last = 0
      while (!isOver) {
        const before = manifest(await read(two, 'manifest')).docVersion
        const list = JSON.stringify(await annotationsOf(two, 3))
        t.ok(before >= last, 'pins never go back')
        last = before
        if (manifest(await read(two, 'manifest')).docVersion !== before) continue
        if (seen.has(before)) t.equal(list, seen.get(before), 'content of one pin')
        seen.set(before, list)
      }
    }
    const writer = async (name: string) => {
      for (const index of [1, 2, 3, 4]) {
        const answer = await change(api, two, { opId: `${name}${index}`, ops: [square(3, 20 * index)] })
        t.same(outcomes(answer), ['applied'])
      }
    }
    const readers = [reader(), reader()]
    await Promise.all([writer('x'), writer('y'), complete(one, prepared).then(done)])
    const states = await Promise.all([read(two, 'manifest'), read(two, 'manifest')])
    isOver = true
    await Promise.all(readers)
    t.ok(states.every((state) => manifest(state).baseSha === manifest(states[0] ?? state).baseSha))
    t.equal(boxesIn(await annotationsOf(two, 3)).length, 1 + 1 + 8)
    await judge(t, await download(two), { signatures: 1 })
  })

  t.test('layers of an encrypted document are merged too', async (t) => {
    const password = 'open sesame'
    const bytes = qpdfOf(formPdf(), ['--encrypt', password, 'owner', '256', '--'])
    const docId = await upload(bytes)
    const headers = { 'x-document-password': Buffer.from(password).toString('base64') }
    // qpdf renumbers the objects.
    const layout = done(await api.get(`${layerPath({ docId })}/layout`, headers))
    const page = Number(layout.at('/pages/0/ref/objectNumber'))
    for (const [index, layerName] of ['one', 'two'].entries()) {
      const changes = [{ opId: 'a', ops: [square(page, 10 + 40 * index), setValue('plain', layerName)] }]
      done(await api.post(`${layerPath({ docId, layerName })}/changes`, { changes }, headers))
    }
    await sign({ api, docId, layerName: 'one', headers }, field('first'))
    const two = { api, docId, layerName: 'two', headers }
    const path = `${layerPath(two)}/annotations/pages/obj:${page}/items`
    const seen = boxesIn(Object((await api.get(path, headers).then(done)).json()).annotations)
    t.same(seen, [10, 50])
    done(await api.post(`${layerPath(two)}/changes`, { changes: [{ opId: 'b', ops: [custom('b')] }] }, headers))
    t.same(boxesIn(Object((await api.get(path, headers).then(done)).json()).annotations), seen)
    const file = await download(two)
    qpdfAccepts(t, file, password)
    t.ok(popplerVerdicts(t, file, password).some(({ isValid }) => isValid))
  })

  t.test('the move is an event of the layer, with the pins that manifests show', async (t) => {
    const docId = await upload(annotatedPdf({ annotations: ['/Subtype/Square/Rect[30 480 90 560]/Contents(Before)'] }))
    const [one, two] = ['one', 'two'].map((layerName) => ({ api, docId, layerName }))
    if (!one || !two) throw new Error('unreachable')
    for (const layer of [one, two]) {
      const patch = { contents: layer.layerName }
      const ref = { kind: 'objectNumber', page: { kind: 'objectNumber', objectNumber: 3 }, objectNumber: 10 }
      done(await change(api, layer, { opId: 'a', ops: [{ type: 'annotations.update', ref, patch }] }))
    }
    const start = manifest(await read(two, 'manifest'))
    const token = await documentToken(docId, ['doc.open', 'doc.annotate.read'], { layerName: 'two' })
    const events = await EventReader.open(api.as(token), `${layerPath(two)}/events`)
    await sign(one, field('first'))
    t.match(await events.take(1), [{ event: 'full-refresh' }], 'another layer was signed')
    const moved = manifest(await read(two, 'manifest'))
    done(await change(api, two, { opId: 'b', ops: [custom('b')] }))
    const [event] = await events.take(1)
    t.match(event?.data, {
      kind: 'document.versioned',
      affectedPages: [3],
      payload: {
        version: { sha256: moved.baseSha },
        previous: { baseSha256: start.baseSha, editsVersion: 1 },
        count: 1,
        conflicts: [{ objectNumber: 10, path: '/Contents', kept: 'layer' }],
        meta: {
          undoable: false,
          cacheDelta: {
            previousDocVersion: start.docVersion,
            docVersion: moved.docVersion,
            pages: [{ page: { objectNumber: 3 }, cache: pinsOf(moved, 3) }],
          },
        },
      },
    })
    await events.close()
  })

  t.test('page operations on both sides leave a layer behind: read, written, and not signed', async (t) => {
    const docId = await upload(everyPage())
    const [one, two] = ['one', 'two'].map((layerName) => ({ api, docId, layerName }))
    if (!one || !two) throw new Error('unreachable')
    const page = (objectNumber: number) => ({ kind: 'objectNumber', objectNumber })
    done(await api.post(`${layerPath(one)}/pages/delete`, { pages: [page(4)] }))
    done(await api.post(`${layerPath(two)}/pages/reorder`, { pages: [page(5)], position: 'start' }))
    await sign(one, field('first'))
    const start = manifest(await read(two, 'manifest'))
    t.match(start.merge, { state: 'behind', reason: 'pages' })
    t.equal(start.pages.length, 3)
    t.same(outcomes(await change(api, two, { opId: 'b', ops: [square(5, 10)] })), ['applied'])
    t.equal((await annotationsOf(two, 5)).length, 1)
    const refused = await prepare(two, field('second'))
    t.same([refused.status, refused.code], [409, 'StaleBase'])
    t.same(outcomes(await change(api, two, { opId: 'undo', undoOf: 'b' })), ['applied'])
    qpdfAccepts(t, await download(two))
  })
}

const square = (objectNumber: number, x: number) => ({
  type: 'annotations.create',
  page: { kind: 'objectNumber', objectNumber },
  data: { subtype: 'square', box: { x, y: 20, width: 30, height: 30 } },
})
const setValue = (name: string, value: string) => ({ type: 'forms.setValue', field: named(name), value: { value } })
const custom = (key: string) => ({ type: 'metadata.updateCustom', patch: { [key]: key } })

interface Layer {
  readonly api: Client
  readonly docId: string
  readonly layerName: string
}

const read = ({ api, ...layer }: Layer, path: string) => api.get(`${layerPath(layer)}/${path}`).then(done)

interface Manifest {
  readonly docVersion: number
  readonly metadataVersion: number
  readonly baseSha: string
  readonly layerVersion: number
  readonly auditHead: number
  readonly scopes: object
  readonly merge: object | null
  readonly pages: readonly { readonly page: { readonly objectNumber: number }; readonly cache: Pins }[]
}
type Pins = Readonly<Record<'contentVersion' | 'annotationVersion' | 'widgetVersion', number>>

const manifest = (answer: { json(): unknown }): Manifest => answer.json() as Manifest

function pinsOf({ pages }: Manifest, objectNumber: number): Pins {
  const found = pages.find(({ page }) => page.objectNumber === objectNumber)
  if (found === undefined) throw new Error(`There is no page ${objectNumber}`)
  return found.cache
}

const annotationsOf = async (layer: Layer, page: number): Promise<readonly object[]> =>
  Object((await read(layer, `annotations/pages/obj:${page}/items`)).json()).annotations

const boxesIn = (annotations: readonly object[]): readonly number[] =>
  annotations.flatMap((one) => (Object(one).subtype === 'square' ? [Number(Object(one).box.x)] : []))

/** Reads the content of a layer: lists, metadata and pictures, without the audit id, which every commit increments. */
async function contentOf(layer: Layer): Promise<readonly string[]> {
  const annotations = JSON.stringify(await annotationsOf(layer, 3))
  const others = [
    'metadata/custom',
    'form',
    'render/all/pages/obj:3/data?format=png',
    'text/pages/obj:3/data',
    'geometry/pages/obj:3/data',
    'layout',
  ]
  const bytes = await Promise.all(others.map(async (path) => (await read(layer, path)).bytes.toString('base64')))
  return [annotations, ...bytes]
}

async function judge(t: Test, bytes: Buffer, { signatures }: { readonly signatures: number }): Promise<void> {
  qpdfAccepts(t, bytes)
  const verdicts = popplerVerdicts(t, bytes).filter(({ text }) => !text.includes('is not signed'))
  t.equal(verdicts.length, signatures)
  t.ok(
    verdicts.every(({ isValid }) => isValid),
    verdicts.map(({ text }) => text).join('\n'),
  )
  const script = join(import.meta.dirname, '../../workers/merge/well-formed.py')
  const { stdout } = spawnSync(python, [script, Workshop.of(t).source(bytes).path])
  t.equal(stdout.toString(), '', 'nothing is out of place')
}
