// Annotation writes over HTTP: exact responses, required capabilities, and idempotency keys.
import t from 'tap'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const inline = '<</Type/Annot/Subtype/Text/Rect[30 480 50 500]/Contents(born inline)>>'

async function newItems(): Promise<{ readonly docId: string; readonly items: string }> {
  const docId = await server.upload(annotatedPdf({ inline }))
  return { docId, items: `/v1/docs/${docId}/layers/default/annotations/pages/obj:3/items` }
}

const box = { x: 20, y: 30, width: 60, height: 40 }
const square = { subtype: 'square', box }
const keysOf = (value: unknown): readonly string[] => Object.keys(Object(value)).sort()
const metaKeys = ['affectedPages', 'cacheDelta', 'changed', 'opId', 'undoable']
const numberIn = (answer: Answer): number => Number(answer.at('/annotation/ref/objectNumber'))

t.test('doc.annotations.create takes the draft itself and answers { annotation, meta }', async (t) => {
  const { items } = await newItems()
  const answer = await api.post(items, { ...square, color: '#00ff00' }).then(done)
  t.same(keysOf(answer.json()), ['annotation', 'meta'])
  t.same(keysOf(answer.at('/meta')), metaKeys)
  t.match(answer.json(), { annotation: { subtype: 'square', box, rect: box, color: '#00ff00', hasAppearance: true } })
  t.same(answer.at('/meta/changed'), [answer.at('/annotation/ref')])
  const list = await api.get(items).then(done)
  t.same(list.at('/annotations/1'), answer.at('/annotation'))
})

t.test('doc.annotations.update accepts { patch } and a bare patch, and keeps refs of inline annotations', async (t) => {
  const { items } = await newItems()
  const wrapped = await api.patch(`${items}/base:0`, { patch: { contents: 'one' } }).then(done)
  t.same(keysOf(wrapped.json()), ['annotation', 'appearance', 'meta'])
  t.same(wrapped.at('/appearance'), { action: 'preserved', changed: false })
  t.match(wrapped.json(), { annotation: { ref: { kind: 'baseIndex', baseIndex: 0 }, contents: 'one' } })
  const bare = await api.patch(`${items}/base:0`, { contents: null, color: '#ff0000' }).then(done)
  t.match(bare.json(), { annotation: { contents: null, color: '#ff0000' }, appearance: { action: 'regenerated' } })
  t.match((await api.get(items)).at('/annotations/0'), { ref: { kind: 'baseIndex', baseIndex: 0 }, color: '#ff0000' })
})

t.test('doc.annotations.delete answers { meta } with all removed annotations', async (t) => {
  const { items } = await newItems()
  const parent = await api.post(items, square).then(done)
  const ref = parent.at('/annotation/ref')
  const reply = await api.post(items, { subtype: 'text', rect: box, reply: { to: ref } }).then(done)
  const answer = await api.delete(`${items}/obj:${numberIn(parent)}`).then(done)
  t.equal(answer.status, 200)
  t.same(keysOf(answer.json()), ['meta'])
  t.same(answer.at('/meta/changed'), [ref, reply.at('/annotation/ref')])
  t.equal((await api.delete(`${items}/obj:${numberIn(parent)}`)).status, 404)
})

t.test('doc.annotations.reorder answers { order, meta } and is strict', async (t) => {
  const { items } = await newItems()
  const { json } = await api.post(items, square).then(done)
  const { ref } = Object(json()).annotation
  const inlineRef = { ...ref, kind: 'baseIndex', baseIndex: 0 }
  delete inlineRef.objectNumber
  const answer = await api.post(`${items}/reorder`, { refs: [ref], position: 'start' }).then(done)
  t.same(keysOf(answer.json()), ['meta', 'order'])
  t.same(answer.at('/order'), [ref, inlineRef])
  t.equal((await api.post(`${items}/reorder`, { refs: [ref], position: 'start', more: 1 })).status, 400)
  t.equal((await api.post(`${items}/reorder`, { refs: [], position: 'start' })).status, 400)
})

t.test('files are sent as multipart parts beside the body, which refers to them by role', async (t) => {
  const { items } = await newItems()
  const body = new FormData()
  body.set('body', JSON.stringify({ subtype: 'stamp', rect: box, resources: { appearance: 'art' } }))
  const pdf = onePage('1 0 0 rg 0 0 9 9 re f', { size: [9, 9] })
  body.set('resource:art', new Blob([Buffer.from(pdf)], { type: 'application/pdf' }), 'art.pdf')
  const stamp = await api.send(items, { method: 'POST', body }).then(done)
  t.match(stamp.json(), { annotation: { subtype: 'stamp', hasAppearance: true, fit: 'contain' } })
  const drawing = await api.get(`${items}/obj:${numberIn(stamp)}/resources/appearance`).then(done)
  t.equal(drawing.bytes.subarray(0, 5).toString(), '%PDF-')
  body.set('body', JSON.stringify({ subtype: 'file-attachment', rect: box, resources: { file: 'art' } }))
  const attached = await api.send(items, { method: 'POST', body }).then(done)
  t.match(attached.json(), { annotation: { file: { name: 'art.pdf', size: pdf.length } } })
  const place = `${items}/obj:${numberIn(attached)}`
  const sentBack = await api.patch(place, { patch: attached.at('/annotation') }).then(done)
  t.equal(sentBack.at('/meta/cacheDelta'), null, 'sending back a read changes nothing')
})

t.test('a refusal names the wrong member; a reserved object number is refused', async (t) => {
  const { items } = await newItems()
  const missing = await api.post(items, { subtype: 'highlight' })
  t.same([missing.status, missing.code], [400, 'InvalidArg'])
  t.match(missing.text, /quadPoints/)
  const colour = await api.post(items, { ...square, color: 'red' })
  t.same([colour.status, colour.code], [400, 'InvalidArg'])
  const numbered = await api.post(`${items}?objectNumber=500`, square)
  t.same([numbered.status, numbered.code], [409, 'ObjectNumberUnavailable'])
  t.match(numbered.at('/error/details'), { objectNumber: 500, reason: 'not-held' })
  t.equal((await api.post(items.replace('obj:3', 'obj:4'), square)).status, 404)
})

t.test('a write with an Idempotency-Key is executed once', async (t) => {
  const { items } = await newItems()
  const key = { 'idempotency-key': 'once' }
  const first = await api.post(items, square, key).then(done)
  const again = await api.post(items, square, key).then(done)
  t.equal(again.text, first.text)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.equal(first.at('/meta/opId'), 'once')
  t.equal((await api.post(items, { ...square, color: '#123456' }, key)).code, 'IdempotencyKeyReused')
})

t.test('writes need doc.annotate.modify, or a collaboration scope that allows this annotation (auth 5)', async (t) => {
  const { docId, items } = await newItems()
  const as = async (scope: readonly string[], userId: string) =>
    api.as(await server.documentToken(docId, scope, { userId, displayName: userId }))
  const reader = await as(['doc.open', 'doc.annotate.read'], 'rita')
  t.equal((await reader.post(items, square)).status, 403)
  const ada = await as(['annotations:create:self', 'annotations:update:self'], 'ada')
  const own = await ada.post(items, square).then(done)
  t.match(own.at('/annotation'), { author: 'ada', userId: 'ada', createdBy: 'ada' })
  const place = `${items}/obj:${numberIn(own)}`
  t.equal((await ada.patch(place, { contents: 'mine' })).status, 200)
  t.equal((await ada.delete(place)).status, 403)
  const bob = await as(['annotations:*:self'], 'bob')
  t.equal((await bob.patch(place, { contents: 'not mine' })).status, 403)
  const editor = await as(['doc.annotate.modify'], 'eve')
  t.match((await editor.patch(place, { contents: 'edited' })).at('/annotation'), {
    createdBy: 'ada',
    modifiedBy: 'eve',
  })
})
