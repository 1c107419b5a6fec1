// `doc.changes` over HTTP: changes are independent, are applied once, and their responses are replayed.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'
import { change, changesIn, type Layer, layerPath, outcomes, titled, titleOf } from './support/changing.js'

const server = await runServer(t)
const { api } = server
const pdf = onePage('0 0 100 100 re f')
const newLayer = async (): Promise<Layer> => ({ docId: await server.upload(pdf) })
const manifestOf = async (layer: Layer) => Object((await api.get(`${layerPath(layer)}/manifest`).then(done)).json())

t.test('a change is applied, answered with completed meta, and read back', async (t) => {
  const layer = await newLayer()
  const before = await manifestOf(layer)
  const answer = await change(api, layer, { opId: 'one', ops: [titled('First')] })
  t.equal(answer.status, 200, answer.text)
  const { docVersion, metadataVersion, annotationsVersion, auditHead, layerVersion } = await manifestOf(layer)
  t.equal(docVersion, before.docVersion + 1)
  t.equal(metadataVersion, docVersion, 'a changed pin has the new docVersion')
  t.equal(annotationsVersion, before.annotationsVersion, 'other pins are unchanged')
  t.same([auditHead, layerVersion], [1, 1])
  const cacheDelta = { previousDocVersion: before.docVersion, docVersion, metadataVersion, layerVersion: 1, pages: [] }
  t.match(answer.at('/changes/0'), {
    opId: 'one',
    status: 'applied',
    result: {
      items: [{ type: 'metadata.update', metadata: { title: 'First' }, meta: { opId: 'one', cacheDelta } }],
      meta: { opId: 'one', undoable: true, affectedPages: { length: 0 }, cacheDelta },
    },
  })
  t.equal(await titleOf(api, layer), 'First')
})

t.test('the same opId with the same payload gets the stored response, whatever the order of members', async (t) => {
  const layer = await newLayer()
  const entry = { opId: 'one', ops: [{ type: 'metadata.update', patch: { title: 'First', author: 'Ada' } }] }
  const first = await change(api, layer, entry)
  await change(api, layer, { opId: 'two', ops: [titled('Second')] })
  const turned = { opId: 'one', ops: [{ patch: { author: 'Ada', title: 'First' }, type: 'metadata.update' }] }
  const again = await change(api, layer, turned)
  t.equal(again.text, first.text)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.notOk(first.headers.has('idempotency-replayed'))
  t.equal(await titleOf(api, layer), 'Second', 'the change is not applied again')
  t.equal((await manifestOf(layer)).auditHead, 2)
})

t.test('another payload with a used opId is refused and not applied', async (t) => {
  const layer = await newLayer()
  await change(api, layer, { opId: 'one', ops: [titled('First')] })
  const other = await change(api, layer, { opId: 'one', ops: [titled('Other')] }, { opId: 'one', undoOf: 'one' })
  t.same(outcomes(other), ['IdempotencyKeyReused', 'IdempotencyKeyReused'])
  t.equal(await titleOf(api, layer), 'First')
})

t.test('a stored refusal is replayed even if the change would succeed now', async (t) => {
  const layer = await newLayer()
  const believing = { opId: 'one', ops: [titled('Second', 'First')] }
  const refused = await change(api, layer, believing)
  t.same(outcomes(refused), ['ChangeConflict'])
  t.match(refused.at('/changes/0/error'), { name: 'EngineError', details: { opIndex: 0, fields: ['title'] } })
  t.same(Object.keys(Object(refused.at('/changes/0/error'))), ['name', 'code', 'message', 'details'])
  await change(api, layer, { opId: 'two', ops: [titled('First')] })
  const again = await change(api, layer, believing)
  t.equal(again.text, refused.text)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.same(outcomes(await change(api, layer, { ...believing, opId: 'three' })), ['applied'])
})

t.test('a layer with refused changes only counts as unedited', async (t) => {
  const layer = await newLayer()
  const before = await manifestOf(layer)
  await change(api, layer, { opId: 'one', ops: [titled('x', 'y')] })
  t.same(await manifestOf(layer), before)
})

t.test('changes of one request are independent, in order, and each is applied completely or not at all', async (t) => {
  const layer = await newLayer()
  const answer = await change(
    api,
    layer,
    { opId: 'a', ops: [titled('A')] },
    { opId: 'b', ops: [titled('B'), titled('C', 'nobody believes this')] },
    { opId: 'c', ops: [{ type: 'no.such.op' }] },
    { opId: 'd', ops: [{ type: 'metadata.update', patch: { title: 5 } }] },
    { opId: 'e', ops: [titled('E', 'A')] },
    { opId: 'f', ops: [] },
  )
  t.same(outcomes(answer), ['applied', 'ChangeConflict', 'InvalidArg', 'InvalidArg', 'applied', 'applied'])
  t.same(answer.at('/changes/2/error/details'), { opIndex: 0, pointer: '/type' })
  t.same(answer.at('/changes/3/error/details'), { opIndex: 0, pointer: '/patch/title' })
  t.same(answer.at('/changes/5/result'), {
    items: [],
    meta: { affectedPages: [], cacheDelta: null, opId: 'f', undoable: true },
  })
  t.equal(await titleOf(api, layer), 'E')
})

t.test('an invalid request is refused as a whole', async (t) => {
  const layer = await newLayer()
  const op = titled('x')
  const many = (count: number) => Array.from({ length: count }, (_, index) => ({ opId: `op-${index}`, ops: [] }))
  const wrong: Readonly<Record<string, unknown>> = {
    'no changes': { changes: [] },
    '65 changes': { changes: many(65) },
    'ops and undoOf': { changes: [{ opId: 'a', ops: [op], undoOf: 'b' }] },
    'neither of them': { changes: [{ opId: 'a' }] },
    'an opId with a space': { changes: [{ opId: 'a b', ops: [op] }] },
    'an unknown member': { changes: [{ opId: 'a', ops: [op], more: 1 }] },
    'an op without a type': { changes: [{ opId: 'a', ops: [{}] }] },
  }
  for (const [title, body] of Object.entries(wrong)) {
    const answer = await api.post(`${layerPath(layer)}/changes`, body)
    t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg', title)
  }
  t.equal((await api.post(`/v1/docs/nothing/layers/default/changes`, { changes: many(1) })).status, 404)
  t.same(
    outcomes(await change(api, layer, ...many(64))),
    Array.from({ length: 64 }, () => 'applied'),
  )
  const ops = Array.from({ length: 512 }, () => op)
  t.same(outcomes(await change(api, layer, { opId: 'large', ops })), ['applied'])
})

t.test('4.2 rule 7: a change of more than 512 ops is refused, and the others of its request are not', async (t) => {
  const layer = await newLayer()
  const ops = Array.from({ length: 513 }, () => titled('x'))
  const answer = await change(api, layer, { opId: 'too-many', ops }, { opId: 'fine', ops: [titled('Fine')] })
  t.same(outcomes(answer), ['PayloadTooLarge', 'applied'])
  t.match(answer.at('/changes/0/error/details'), { limit: 'opsMax', max: 512, value: 513 })
})

t.test('4.2 rule 7: a request has at most the allowed number of changes and of ops in each', async (t) => {
  const layer = await newLayer()
  const data = {
    subtype: 'square',
    box: { x: 10, y: 10, width: 20, height: 20 },
    color: '#ff0000',
    contents: 'Checked',
  }
  const op = { type: 'annotations.create', page: { kind: 'objectNumber', objectNumber: 3 }, data }
  // One op too many, so that the change is validated and not applied, which would take minutes.
  const ops = Array.from({ length: 513 }, () => op)
  const answer = await change(api, layer, ...Array.from({ length: 64 }, (_, index) => ({ opId: `${index}`, ops })))
  t.same(new Set(outcomes(answer)), new Set(['PayloadTooLarge']))
  t.equal(outcomes(answer).length, 64)
})

t.test('a change whose Idempotency-Key contains a space can be undone', async (t) => {
  const layer = await newLayer()
  const square = { subtype: 'square', box: { x: 10, y: 10, width: 20, height: 20 } }
  const items = `${layerPath(layer)}/annotations/pages/obj:3/items`
  await api.post(items, square, { 'idempotency-key': 'my key' }).then(done)
  t.same(outcomes(await change(api, layer, { opId: 'back', undoOf: 'my key' })), ['applied'])
  t.same((await api.get(items).then(done)).at('/annotations'), [])
})

t.test('a body with extreme nesting is refused without being traversed', async (t) => {
  const layer = await newLayer()
  const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`
  const body = `{"changes":[{"opId":"a","ops":[{"type":"metadata.update","patch":${deep}}]}]}`
  const headers = { 'content-type': 'application/json' }
  const answer = await api.send(`${layerPath(layer)}/changes`, { method: 'POST', headers, body })
  t.equal(`${answer.status} ${answer.code}`, '400 InvalidArg')
})

t.test('layers of a document are independent', async (t) => {
  const layer = await newLayer()
  const draft = { ...layer, layerName: 'Entwurf 2/ü' }
  const encoded = { ...draft, layerName: encodeURIComponent(draft.layerName) }
  await change(api, layer, { opId: 'one', ops: [titled('Mine')] })
  const other = await change(api, encoded, { opId: 'one', ops: [titled('Yours')] })
  t.same(outcomes(other), ['applied'], 'opIds are of one layer')
  t.equal(await titleOf(api, layer), 'Mine')
  t.equal(await titleOf(api, encoded), 'Yours')
  t.same(outcomes(await change(api, encoded, { opId: 'two', undoOf: 'one' })), ['applied'])
  t.equal(await titleOf(api, layer), 'Mine')
  t.not(await titleOf(api, encoded), 'Yours')
})

t.test('concurrent writes to one layer are all applied, and the audit log has their order', async (t) => {
  const layer = await newLayer()
  const writers = ['a', 'b', 'c', 'd']
  const turns = 8
  const write = async (writer: string) => {
    const versions: number[] = []
    for (let turn = 0; turn < turns; turn++) {
      const ops = [{ type: 'metadata.updateCustom', patch: { [`${writer}${turn}`]: 'x' } }]
      const answer = await change(api, layer, { opId: `${writer}${turn}`, ops })
      versions.push(Object(answer.at('/changes/0/result/meta/cacheDelta')).layerVersion)
    }
    return versions
  }
  const versions = await Promise.all(writers.map(write))
  const expected = Array.from({ length: writers.length * turns }, (_, index) => index + 1)
  t.same(
    versions.flat().sort((one, other) => one - other),
    expected,
    'every version was made by one change',
  )
  for (const own of versions)
    t.same(
      own,
      [...own].sort((one, other) => one - other),
    )
  const custom = Object((await api.get(`${layerPath(layer)}/metadata/custom`)).json())
  t.equal(Object.keys(custom).length, writers.length * turns)
  const { auditHead, layerVersion } = await manifestOf(layer)
  t.same([auditHead, layerVersion], [expected.length, expected.length])
})

t.test('a change sent many times concurrently is applied once', async (t) => {
  const layer = await newLayer()
  const send = () => change(api, layer, { opId: 'once', ops: [titled('Once')] })
  const answers = await Promise.all(Array.from({ length: 8 }, send))
  t.equal(new Set(answers.map(({ text }) => text)).size, 1)
  t.equal(answers.filter(({ headers }) => headers.has('idempotency-replayed')).length, 7)
  t.equal((await manifestOf(layer)).auditHead, 1)
})

t.test('callers with the same opId in the same layer have separate responses', async (t) => {
  const layer = await newLayer()
  const scope = ['doc.open', 'doc.metadata.modify']
  const ada = api.as(await server.documentToken(layer.docId, scope, { sub: 'ada' }))
  const bob = api.as(await server.documentToken(layer.docId, scope, { sub: 'bob' }))
  // A subject with the name of the API token is another caller.
  const named = api.as(await server.documentToken(layer.docId, scope, { sub: 'api' }))
  for (const client of [api, ada, bob, named]) {
    t.same(outcomes(await change(client, layer, { opId: 'one', ops: [titled('x')] })), ['applied'])
  }
  t.equal((await manifestOf(layer)).auditHead, 4)
  const [undone] = changesIn(await change(bob, layer, { opId: 'two', undoOf: 'two' }))
  t.match(undone, { status: 'refused', error: { code: 'NotFound' } })
  await change(ada, layer, { opId: 'hers', ops: [titled('y')] })
  t.same(outcomes(await change(bob, layer, { opId: 'three', undoOf: 'hers' })), ['NotFound'])
  t.same(outcomes(await change(ada, layer, { opId: 'three', undoOf: 'hers' })), ['applied'])
})

t.test('any earlier change can be undone, in any order, and undo of an undo redoes it', async (t) => {
  const layer = await newLayer()
  const author = { opId: 'author', ops: [{ type: 'metadata.update', patch: { author: 'Ada' } }] }
  await change(api, layer, author, { opId: 'title', ops: [titled('T')] })
  const undone = await change(api, layer, { opId: 'undo', undoOf: 'author' })
  t.match(undone.at('/changes/0'), { status: 'applied', result: { items: [{ type: 'metadata.update' }] } })
  const read = async () => (await api.get(`${layerPath(layer)}/metadata`)).json()
  t.match(await read(), { author: null, title: 'T' })
  await change(api, layer, { opId: 'redo', undoOf: 'undo' })
  t.match(await read(), { author: 'Ada', title: 'T' })
  const again = await change(api, layer, { opId: 'undo', undoOf: 'author' })
  t.equal(again.text, undone.text, 'the response to an undo is replayed like that of any change')
  t.match(await read(), { author: 'Ada' })
})

t.test('an undo skips members that were changed since, and names them', async (t) => {
  const layer = await newLayer()
  const both = { type: 'metadata.update', patch: { title: 'T', author: 'Ada' } }
  await change(api, layer, { opId: 'both', ops: [both] }, { opId: 'later', ops: [titled('Later')] })
  const undone = await change(api, layer, { opId: 'undo', undoOf: 'both' })
  t.match(undone.at('/changes/0/result/items/0'), { skipped: ['title'] })
  t.match((await api.get(`${layerPath(layer)}/metadata`)).json(), { title: 'Later', author: null })
})

t.test('only applied changes can be undone, and page operations cannot', async (t) => {
  const layer = await newLayer()
  await change(api, layer, { opId: 'refused', ops: [titled('x', 'y')] })
  t.same(outcomes(await change(api, layer, { opId: 'u1', undoOf: 'refused' })), ['NotFound'])
  t.same(outcomes(await change(api, layer, { opId: 'u2', undoOf: 'never' })), ['NotFound'])
  await change(api, layer, { opId: 'title', ops: [titled('T')] })
  const headers = { 'idempotency-key': 'turn' }
  const page = { kind: 'objectNumber', objectNumber: 3 }
  done(await api.post(`${layerPath(layer)}/pages/rotate`, { pages: [page], rotation: 90 }, headers))
  const undo = await change(api, layer, { opId: 'u3', undoOf: 'turn' }, { opId: 'u4', undoOf: 'title' })
  t.same(outcomes(undo), ['UndoUnavailable', 'applied'], 'what came before it can')
  t.same(undo.at('/changes/0/error/details'), { reason: 'final-change' })
})

t.test('the Idempotency-Key of a write route is its opId', async (t) => {
  const layer = await newLayer()
  const page = { kind: 'objectNumber', objectNumber: 3 }
  const turn = (rotation: number, key?: string) =>
    api.post(
      `${layerPath(layer)}/pages/rotate`,
      { pages: [page], rotation },
      key === undefined ? {} : { 'idempotency-key': key },
    )
  const first = await turn(90, 'turn')
  t.match(first.json(), { meta: { opId: 'turn', undoable: false } })
  t.notOk('type' in Object(first.json()), 'the item stands alone')
  const again = await turn(90, 'turn')
  t.equal(again.text, first.text)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  const other = await turn(180, 'turn')
  t.equal(`${other.status} ${other.code}`, '409 IdempotencyKeyReused')
  t.same(outcomes(await change(api, layer, { opId: 'turn', ops: [titled('x')] })), ['IdempotencyKeyReused'])
  const unnamed = await turn(180)
  t.match(unnamed.at('/meta/opId'), /^[0-9a-f-]{36}$/)
  const refused = await turn(90, 'é'.repeat(3))
  t.equal(`${refused.status} ${refused.code}`, '400 InvalidArg')
  t.equal((await turn(90, 'x'.repeat(256))).code, 'InvalidArg')
  const missing = { kind: 'objectNumber', objectNumber: 999 }
  const wrong = () =>
    api.post(`${layerPath(layer)}/pages/rotate`, { pages: [missing], rotation: 0 }, { 'idempotency-key': 'wrong' })
  const [one, two] = [await wrong(), await wrong()]
  t.equal(one.code, 'NotFound')
  t.equal(two.text, one.text)
  t.equal(two.headers.get('idempotency-replayed'), 'true', 'refusals are marked as replayed too')
})

t.test('a hot layer and a reopened one give the same responses', async (t) => {
  const layer = await newLayer()
  for (let index = 0; index < 5; index++) {
    await change(api, layer, { opId: `op ${index}`.replace(' ', '-'), ops: [titled(`T${index}`)] })
  }
  // More documents than a thread keeps open.
  for (let index = 0; index < 20; index++) await titleOf(api, await newLayer())
  t.equal(await titleOf(api, layer), 'T4')
  t.same(outcomes(await change(api, layer, { opId: 'expecting', ops: [titled('T5', 'T4')] })), ['applied'])
})
