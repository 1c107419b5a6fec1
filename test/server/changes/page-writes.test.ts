// Page writes and flattens over HTTP: bodies and responses of each route, required capabilities, and reads afterwards.
import t from 'tap'
import { opRoutes } from '../../../server/api/op-routes.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage, rawPdf } from '../../support/pdf/raw-pdf.js'
import { everyField, everyPage } from '../../support/pdf/rich-pdf.js'
import { strictly } from '../../support/pdf/strictly.js'
import { Workshop } from '../../support/pdf/workshop.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const layerOf = (docId: string): string => `/v1/docs/${docId}/layers/default`
const order = (answer: Answer): readonly number[] =>
  Object(answer.at('/layout/pages')).map(
    ({ ref }: { readonly ref: { readonly objectNumber: number } }) => ref.objectNumber,
  )

/** Checks that a response has exactly the members of the schema of its operation. */
function answered(name: string, answer: Answer): Answer {
  const found = opRoutes.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`There is no operation ${name}`)
  const validator = strictly(found.answer)()
  if (!validator.Check(done(answer).json())) {
    throw new Error(`${name}: ${JSON.stringify(validator.Errors(answer.json()).slice(0, 3))}`)
  }
  return answer
}

const withPart = (name: string, bytes: Uint8Array, body?: object): FormData => {
  const form = new FormData()
  if (body !== undefined) form.set('body', JSON.stringify(body))
  form.set(name, new Blob([Buffer.from(bytes)], { type: 'application/pdf' }), 'source.pdf')
  return form
}

t.test(
  'pages can be rotated, moved, named, added and deleted, and the download contains the result',
  needs('qpdf', 'pdfinfo'),
  async (t) => {
    const layer = layerOf(await server.upload(everyPage()))
    const post = (path: string, body: object) => api.post(`${layer}/pages/${path}`, body)
    answered('doc.pages.rotate', await post('rotate', { pages: [pageRef(4)], rotation: 180 }))
    const moved = answered('doc.pages.reorder', await post('reorder', { pages: [pageRef(5)], position: 'start' }))
    t.same(order(moved), [5, 3, 4])
    t.match(moved.at('/meta'), {
      undoable: false,
      cacheDelta: { layoutVersion: moved.at('/meta/cacheDelta/docVersion') },
    })
    answered('doc.pages.setName', await post('names', { name: 'First', page: pageRef(3) }))
    answered('doc.pages.removeName', await post('names/delete', { name: 'Plan' }))
    const blank = { size: { width: 100, height: 50 }, count: 2, position: { after: pageRef(5) } }
    const added = answered('doc.pages.insertBlank', await post('insert-blank', blank))
    const [, inserted = 0, retained] = order(added)
    const manifest = await api.get(`${layer}/manifest`)
    const pinned: readonly unknown[] = Object(added.at('/meta/cacheDelta/pages'))
    t.same(pinned, Object(manifest.at('/pages')).slice(1, 3), 'with the versions their reads are asked for by')
    const left = answered('doc.pages.delete', await post('delete', { pages: [pageRef(inserted)] }))
    t.same(order(left), [5, retained, 3, 4])
    t.same((await api.get(`${layer}/layout`)).json(), left.at('/layout'))
    const path = Workshop.of(t).source((await api.get(`${layer}/download`)).bytes).path
    judged('qpdf', ['--check', path])
    t.match(judged('pdfinfo', ['-l', '9', path]).toString(), /Pages:\s+4[\s\S]*Page\s+2 size:\s+100 x 50/)
  },
)

t.test(
  'if pages are deleted or moved, exactly the pages whose links change their target get a new version',
  async (t) => {
    const leaf = (annotation: string) => `<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Annots[${annotation}]>>`
    const link = (target: string) => `<</Type/Annot/Subtype/Link/Rect[1 1 5 5]/Dest[${target}/Fit]>>`
    const linked = rawPdf({
      1: '<</Type/Catalog/Pages 2 0 R>>',
      2: '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3>>',
      3: leaf('10 0 R'),
      4: leaf('11 0 R'),
      5: leaf(''),
      10: link('5 0 R'),
      // A link by page index, as some programs write it.
      11: link('0'),
    })
    const layer = layerOf(await server.upload(linked))
    const pinOf = async (page: number): Promise<unknown> => {
      const pages: readonly { page: { objectNumber: number }; cache: { annotationVersion: number } }[] = Object(
        (await api.get(`${layer}/manifest`)).at('/pages'),
      )
      return pages.find((one) => one.page.objectNumber === page)?.cache.annotationVersion
    }
    const itemsOf = (page: number, pin: unknown) =>
      api.get(`${layer}/annotations/pages/obj:${page}/items@annotationVersion=${pin}`)
    const [reference, place] = [await pinOf(3), await pinOf(4)]
    t.same((await itemsOf(4, place)).at('/annotations/0/target/destination/page'), pageRef(3))
    done(await api.post(`${layer}/pages/reorder`, { pages: [pageRef(3)], position: 'end' }))
    t.same(await pinOf(3), reference, 'a page that moves is called what it was')
    t.equal((await itemsOf(4, place)).status, 404)
    t.same((await itemsOf(4, await pinOf(4))).at('/annotations/0/target/destination/page'), pageRef(4))
    const moved = await pinOf(4)
    done(await api.post(`${layer}/pages/delete`, { pages: [pageRef(5)] }))
    t.equal((await itemsOf(3, reference)).status, 404)
    t.same((await itemsOf(3, await pinOf(3))).at('/annotations/0/target'), { kind: 'unsupported' })
    t.same(await pinOf(4), moved)
  },
)

t.test('a PDF is inserted at the position in the body, and without a body at the end', async (t) => {
  const layer = layerOf(await server.upload(everyPage()))
  const body = { position: 'start', resources: { source: 'a' } }
  const send = (form: FormData) => api.send(`${layer}/pages/insert`, { method: 'POST', body: form })
  const first = answered('doc.pages.insert', await send(withPart('resource:a', onePage(''), body)))
  t.same(order(first).slice(1), [3, 4, 5])
  const last = answered('doc.pages.insert', await send(withPart('file', everyField())))
  t.same(order(last).slice(0, 4), order(first))
  t.same(last.at('/insertedPages'), order(last).slice(4).map(pageRef))
  t.equal((await send(withPart('resource:a', Buffer.from('no PDF'), body))).code, 'InvalidArg')
  t.equal((await send(withPart('resource:b', onePage(''), body))).code, 'InvalidArg')
  t.equal((await api.post(`${layer}/pages/insert`, body)).code, 'InvalidArg')
})

t.test('a scale is set with PUT and POST, and there is no DELETE', async (t) => {
  const layer = layerOf(await server.upload(onePage('')))
  const page = `${layer}/pages/obj:3`
  const measure = { subtype: 'rectilinear', x: [{ unit: 'm', conversion: 2 }], distance: [], area: [] }
  answered('doc.pages.setScale', await api.send(`${page}/scale`, { method: 'PUT', json: { measure } }))
  t.match((await api.get(`${page}/viewports`)).json(), { viewports: [{ measure, owned: true }] })
  t.match(done(await api.get(`${layer}/download`)).bytes.toString('latin1'), '/Measure<</Type/Measure/Subtype/RL')
  answered('doc.pages.setScale', await api.post(`${page}/scale`, {}))
  t.same((await api.get(`${page}/viewports`)).json(), { viewports: [] })
})

t.test('flattens report the result of each page or annotation, and end the undo history', async (t) => {
  const layer = layerOf(await server.upload(everyField()))
  const change = { opId: 'fill', ops: [{ type: 'metadata.update', patch: { title: 'T' } }] }
  done(await api.post(`${layer}/changes`, { changes: [change] }))
  const flattened = answered('doc.pages.flatten', await api.send(`${layer}/pages/flatten`, { method: 'POST' }))
  t.match(flattened.json(), {
    usage: 'display',
    results: [
      { page: pageRef(3), status: 'applied' },
      { page: pageRef(4), status: 'unchanged' },
    ],
  })
  const undone = await api.post(`${layer}/changes`, { changes: [{ opId: 'undo', undoOf: 'fill' }] })
  t.match(undone.at('/changes/0'), {
    status: 'refused',
    error: { code: 'UndoUnavailable', details: { reason: 'final-change' } },
  })
  const refs = [{ kind: 'objectNumber', page: pageRef(3), objectNumber: 99 }]
  const gone = await api.post(`${layer}/annotations/pages/obj:3/items/flatten`, { refs, usage: 'print' })
  t.equal(gone.code, 'NotFound')
})

t.test('unknown members of bodies are refused, and an idempotency key makes a write happen once', async (t) => {
  const layer = layerOf(await server.upload(everyPage()))
  const all = [3, 4, 5].map(pageRef)
  const refused: readonly (readonly [string, object])[] = [
    ['delete', { pages: all }],
    ['reorder', { pages: [], position: 'start' }],
    ['reorder', { pages: all, position: { before: pageRef(3), after: pageRef(4) } }],
    ['reorder', { pages: all, position: 'start', other: 1 }],
    ['rotate', { pages: all, rotation: 45 }],
    ['insert-blank', { size: { width: 0, height: 9 } }],
    ['insert-blank', { size: { width: 9, height: 9 }, count: 101 }],
    ['names', { name: '', page: pageRef(3) }],
    ['names', { name: 'Plan', page: pageRef(3) }],
  ]
  for (const [path, body] of refused) {
    t.equal((await api.post(`${layer}/pages/${path}`, body)).code, 'InvalidArg', `${path} ${JSON.stringify(body)}`)
  }
  const blank = { size: { width: 9, height: 9 } }
  const key = { 'idempotency-key': 'once' }
  const first = done(await api.post(`${layer}/pages/insert-blank`, blank, key))
  const again = done(await api.post(`${layer}/pages/insert-blank`, blank, key))
  t.same(again.json(), first.json())
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.equal(order(done(await api.post(`${layer}/pages/rotate`, { pages: [], rotation: 0 }))).length, 4)
})

t.test('each route needs its own capability', async (t) => {
  const docId = await server.upload(everyPage())
  const layer = layerOf(docId)
  const reader = api.as(await server.documentToken(docId, ['doc.open', 'doc.pages.modify']))
  t.equal((await reader.post(`${layer}/pages/delete`, { pages: [] })).status, 403)
  t.equal((await reader.post(`${layer}/pages/flatten`, {})).status, 403)
  t.equal((await reader.post(`${layer}/pages/obj:3/scale`, {})).status, 200)
  const assembler = api.as(await server.documentToken(docId, ['doc.open', 'doc.pages.assemble']))
  t.equal((await assembler.post(`${layer}/pages/delete`, { pages: [] })).status, 200)
  t.equal((await assembler.post(`${layer}/pages/obj:3/scale`, {})).status, 403)
})
