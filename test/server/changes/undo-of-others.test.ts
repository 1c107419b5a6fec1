// What somebody else did to an annotation is undone by its author, and everything by those who look after the document:
// the API token and a tenant token. An undo is recorded as theirs. Nobody else undoes what others did.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { change, layerPath, outcomes, titled, titleOf } from './support/changing.js'

const server = await runServer(t)
const { api } = server
const page = { kind: 'objectNumber', objectNumber: 3 }
const self = ['doc.open', 'annotations:*:self']
const person = async (docId: string, name: string, scope = self) =>
  api.as(await server.documentToken(docId, scope, { sub: name, userId: name, displayName: name }))

let opIds = 0
async function apply(client: Client, docId: string, op: object) {
  const opId = `op-${++opIds}`
  const answer = await change(client, { docId }, { opId, ops: [op] })
  t.same(outcomes(answer), ['applied'], answer.text)
  return { opId, ref: answer.at('/changes/0/result/items/0/annotation/ref') }
}
const undo = async (client: Client, docId: string, undoOf: string) =>
  outcomes(await change(client, { docId }, { opId: `undo-${++opIds}`, undoOf }))[0]
const note = (contents: string, to?: unknown) => ({
  type: 'annotations.create',
  page,
  data: {
    subtype: 'text',
    rect: { x: 10, y: 10, width: 20, height: 20 },
    contents,
    ...(to === undefined ? {} : { reply: { to, type: 'reply' } }),
  },
})
const said = async (docId: string) =>
  Object((await api.get(`${layerPath({ docId })}/annotations/items`).then(done)).at('/annotations'))
    .map(({ contents }: { readonly contents: string }) => contents)
    .toSorted()
const audit = async (docId: string) =>
  Object((await api.get(`/v1/tenants/acme/documents/${docId}/audit`).then(done)).at('/entries')) as readonly {
    readonly id: number
    readonly sub: string
    readonly undoOf: string | null
    readonly undoable: boolean
    readonly idempotencyKey: string
  }[]

/** A thread of three people, and a moderator. */
async function thread() {
  const docId = await server.upload(onePage('% thread'))
  const [ann, bob, cem] = [await person(docId, 'ann'), await person(docId, 'bob'), await person(docId, 'cem')]
  const moderator = await person(docId, 'mod', ['doc.open', 'annotations:*:all', 'doc.metadata.modify'])
  const { ref } = await apply(ann, docId, note('by Ann'))
  const answer = await apply(bob, docId, note('by Bob', ref))
  await apply(cem, docId, note('by Cem', answer.ref))
  return { docId, ann, bob, cem, moderator, ref, answer }
}
const all = ['by Ann', 'by Bob', 'by Cem']

t.test('an author brings back their comment, with the answers of others that went along', async () => {
  const { docId, ann, bob, cem, moderator, ref } = await thread()
  const removal = await apply(moderator, docId, { type: 'annotations.delete', ref })
  t.same(await said(docId), [])
  for (const client of [bob, cem]) t.equal(await undo(client, docId, removal.opId), 'NotFound', 'theirs went along')
  t.equal(await undo(ann, docId, removal.opId), 'applied')
  t.same(await said(docId), all)
  t.match((await audit(docId))[0], { sub: 'ann', undoOf: removal.opId })
})

t.test('an author takes back what another made of their words, and of nothing else', async () => {
  const { docId, ann, moderator, ref, answer } = await thread()
  const rewrite = (one: unknown) => ({ type: 'annotations.update', ref: one, patch: { contents: 'I agree' } })
  const [own, ofBob] = [await apply(moderator, docId, rewrite(ref)), await apply(moderator, docId, rewrite(answer.ref))]
  const title = await apply(moderator, docId, titled('Moderated'))
  const made = await apply(moderator, docId, note('by the moderator'))
  for (const { opId } of [ofBob, title, made]) t.equal(await undo(ann, docId, opId), 'NotFound')
  t.equal(await undo(ann, docId, own.opId), 'applied')
  t.same(await said(docId), ['I agree', 'by Ann', 'by Cem', 'by the moderator'])
  const reader = await person(docId, 'ann', ['doc.open', 'doc.annotate.read'])
  const again = await apply(moderator, docId, rewrite(ref))
  const refused = await change(reader, { docId }, { opId: 'of-a-reader', undoOf: again.opId })
  t.same([refused.status, refused.code], [403, 'Forbidden'], 'who may not change their comments may not here either')
})

t.test('the API token undoes what anybody did', async () => {
  const { docId, moderator, ref } = await thread()
  const title = await apply(moderator, docId, titled('Moderated'))
  const removal = await apply(moderator, docId, { type: 'annotations.delete', ref })
  for (const { opId } of [removal, title]) t.equal(await undo(api, docId, opId), 'applied')
  t.same(await said(docId), all)
  t.notOk(await titleOf(api, { docId }))
  t.match((await audit(docId))[0], { sub: 'api', undoOf: title.opId })
  t.equal(await undo(api, docId, 'op-that-nobody-sent'), 'NotFound')
  t.equal(await undo(api, await server.upload(onePage('% other')), removal.opId), 'NotFound', 'of another document')
})

t.test('a tenant token with docs.undo undoes a change of the audit log', async (t) => {
  const { docId, moderator, ref } = await thread()
  const removal = await apply(moderator, docId, { type: 'annotations.delete', ref })
  const [entry] = await audit(docId)
  t.match(entry, { idempotencyKey: removal.opId, undoable: true })
  const path = (id: string) => `/v1/tenants/acme/documents/${id}/undo`
  const body = { auditId: entry?.id }
  const others = ['docs.read', 'docs.create', 'docs.delete', 'tokens.issue-doc', 'shares.manage']
  const reader = api.as(await server.tenantToken('acme', others))
  t.equal((await reader.post(path(docId), body)).status, 403)
  const keeper = api.as(await server.tenantToken('acme', ['docs.undo'], { sub: 'keeper' }))
  await server.upload(onePage('% others'), { tenantId: 'other', docId: 'others' })
  t.equal((await keeper.post('/v1/tenants/other/documents/others/undo', body)).status, 403)
  t.equal((await keeper.post(path('others'), body)).status, 404)
  t.equal((await keeper.post(path(docId), { auditId: 999 })).status, 404)
  const undone = await keeper.post(path(docId), body).then(done)
  t.match(undone.json(), { layerName: 'default', undoOf: removal.opId })
  t.same(await said(docId), all)
  const [newest] = await audit(docId)
  t.match(newest, { sub: 'keeper', undoOf: removal.opId, idempotencyKey: undone.word('/idempotencyKey') })
  await keeper.post(path(docId), { auditId: newest?.id }).then(done)
  t.same(await said(docId), [], 'an undo is undone in turn')
  t.equal((await keeper.post(`${layerPath({ docId })}/changes`, { changes: [] })).status, 403, 'and nothing else')
  await api.post(`${layerPath({ docId })}/pages/rotate`, { pages: [page], rotation: 90 }).then(done)
  const [rotation] = await audit(docId)
  t.equal(rotation?.undoable, false)
  t.equal((await keeper.post(path(docId), { auditId: rotation?.id })).code, 'UndoUnavailable')
})
