// Writes of the metadata by routes of their own, whose body is the patch.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'
import { change, layerPath, outcomes } from './support/changing.js'

const server = await runServer(t)
const { api } = server

t.test('a patch is one change, by POST as by PATCH, and is answered with what it made', async (t) => {
  const docId = await server.upload(onePage(''))
  const path = `${layerPath({ docId })}/metadata`
  const key = { 'idempotency-key': 'title' }
  const titled = await api.post(path, { title: 'Report', author: 'Ada' }, key).then(done)
  t.match(titled.json(), { metadata: { title: 'Report', author: 'Ada' }, meta: { opId: 'title', undoable: true } })
  t.equal(titled.at('/type'), undefined)
  const again = await api.post(path, { title: 'Report', author: 'Ada' }, key).then(done)
  t.ok(again.headers.has('idempotency-replayed'))
  t.match((await api.patch(path, { author: null }).then(done)).json(), { metadata: { title: 'Report', author: null } })
  t.match((await api.get(path).then(done)).json(), { title: 'Report', author: null })
  const custom = await api.post(`${path}/custom`, { Project: 'X-1', Draft: 'yes' }).then(done)
  t.match(custom.json(), { custom: { Project: 'X-1', Draft: 'yes' }, meta: { undoable: true } })
  await api.patch(`${path}/custom`, { Draft: null }).then(done)
  t.same((await api.get(`${path}/custom`).then(done)).json(), { Project: 'X-1' })
  t.same(outcomes(await change(api, { docId }, { opId: 'undo', undoOf: 'title' })), ['applied'])
  t.match((await api.get(path).then(done)).json(), { title: null })
})

t.test('what is no patch is refused, and so are those without the right', async (t) => {
  const docId = await server.upload(onePage(''))
  const path = `${layerPath({ docId })}/metadata`
  for (const [route, body] of [
    [path, { headline: 'x' }],
    [path, { patch: { title: 'x' } }],
    [path, { title: 1 }],
    [`${path}/custom`, { Project: 1 }],
    [`${path}/custom`, { Title: 'x' }],
  ] as const) {
    const refused = await api.post(route, body)
    t.same([refused.status, refused.code], [400, 'InvalidArg'], JSON.stringify(body))
  }
  const reader = api.as(await server.documentToken(docId, ['doc.open']))
  t.equal((await reader.post(path, { title: 'x' })).code, 'Forbidden')
})
