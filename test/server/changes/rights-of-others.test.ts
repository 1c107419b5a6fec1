// Changes also affect dependent annotations: replies, group members, popups, all annotations of a page. A credential with
// collaboration scopes needs the same right for each of them as for a direct change.
import t from 'tap'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'
import type { Answer, Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { change, layerPath, outcomes } from './support/changing.js'

const server = await runServer(t)
const { api } = server

/** Two pages; the second has a note of the uploaded file, with an author and a date. */
const pdf = (): Buffer =>
  rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[7 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>',
    4: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[5 0 R 6 0 R 7 0 R]>>',
    5: `<</Type/Annot/Subtype/Square/Rect[10 10 50 50]/T(Grace)/Contents(Old)/M(D:20200102030405Z)/CreationDate(D:2020)>>`,
    6: '<</Type/Annot/Subtype/Link/Rect[60 10 90 50]>>',
    7: '<</Type/Annot/Subtype/Widget/FT/Tx/T(field)/Rect[100 10 150 50]/M(D:2020)>>',
  })

interface Person {
  readonly userId?: string
  readonly groupId?: string
  readonly sub?: string
}

async function session(docId: string, scope: readonly string[], { sub = 'team', ...who }: Person): Promise<Client> {
  const identity = { displayName: who.userId ?? 'nobody', ...who }
  return api.as(await server.documentToken(docId, ['doc.open', ...scope], { sub, identity }))
}

const rect = { x: 10, y: 10, width: 20, height: 20 }
const layerOf = (docId: string): string => layerPath({ docId })
const items = (docId: string, page = 3): string => `${layerOf(docId)}/annotations/pages/obj:${page}/items`

async function make(client: Client, docId: string, more: object = {}): Promise<{ ref: unknown; path: string }> {
  const answer = done(await client.post(items(docId), { subtype: 'square', rect, ...more }))
  return {
    ref: answer.at('/annotation/ref'),
    path: `${items(docId)}/obj:${answer.at('/annotation/ref/objectNumber')}`,
  }
}

interface Listed {
  readonly [member: string]: unknown
  readonly ref: unknown
}

const list = async (docId: string): Promise<readonly Listed[]> =>
  Object(done(await api.get(`${layerOf(docId)}/annotations/items`)).at('/annotations'))

const own = ['annotations:create:self', 'annotations:update:self', 'annotations:delete:self']
const isForbidden = (answer: Answer): readonly unknown[] => [
  answer.status,
  answer.code,
  answer.at('/error/details/reason'),
]
const byOthers = [403, 'Forbidden', 'annotation-of-others']

t.test('a delete that would remove annotations of others is refused, and nothing changes', async (t) => {
  const docId = await server.upload(pdf())
  const ada = await session(docId, own, { userId: 'ada' })
  const bob = await session(docId, own, { userId: 'bob' })
  const note = await make(bob, docId)
  const reply = await make(ada, docId, { reply: { to: note.ref } })
  const nested = await make(bob, docId, { reply: { to: reply.ref } })
  const before = await list(docId)
  t.same(isForbidden(await bob.delete(note.path)), byOthers)
  const deleted = { opId: 'gone', ops: [{ type: 'annotations.delete', ref: note.ref }] }
  const refused = await change(bob, { docId }, deleted)
  t.same(outcomes(refused), ['Forbidden'])
  t.match(refused.at('/changes/0/error/details'), {
    op: 'annotations.delete',
    objectNumber: Object(reply.ref).objectNumber,
  })
  t.same(isForbidden(await ada.delete(reply.path)), byOthers, 'nor may she take along his answer')
  t.same(await list(docId), before)
  t.equal((await bob.delete(nested.path)).status, 200)
  t.equal((await ada.delete(reply.path)).status, 200)
  t.equal((await bob.delete(note.path)).status, 200, 'without dependent annotations it can be deleted')
})

t.test('dependent annotations may belong to a group, or to anybody, and an undo restores all of them', async (t) => {
  const docId = await server.upload(pdf())
  const team = ['annotations:create:self', 'annotations:delete:group=team']
  const ada = await session(docId, team, { userId: 'ada', groupId: 'team' })
  const bob = await session(docId, team, { userId: 'bob', groupId: 'team' })
  const carol = await session(docId, ['annotations:*:all'], { userId: 'carol' })
  const note = await make(ada, docId)
  await make(bob, docId, { reply: { to: note.ref, type: 'group' } })
  const before = await list(docId)
  const gone = { opId: 'gone', ops: [{ type: 'annotations.delete', ref: note.ref }] }
  t.same(outcomes(await change(bob, { docId }, gone)), ['applied'], 'both are of the team')
  t.same(outcomes(await change(bob, { docId }, { opId: 'back', undoOf: 'gone' })), ['applied'])
  t.same(await list(docId), before)
  await make(carol, docId, { subtype: 'popup', parent: note.ref })
  t.same(outcomes(await change(ada, { docId }, gone)), ['Forbidden'], 'the popup is of nobody in the team')
  t.same(outcomes(await change(carol, { docId }, gone)), ['applied'])
})

t.test('who may not change an annotation groups nothing with it, so that its author can delete it', async (t) => {
  const docId = await server.upload(pdf())
  const ada = await session(docId, own, { userId: 'ada' })
  const bob = await session(docId, own, { userId: 'bob' })
  const note = await make(ada, docId)
  const joining = { subtype: 'square', rect, reply: { to: note.ref, type: 'group' } }
  t.same(isForbidden(await bob.post(items(docId), joining)), byOthers)
  const alone = await make(bob, docId)
  const patch = { reply: joining.reply }
  t.same(isForbidden(await bob.send(alone.path, { method: 'PATCH', json: patch })), byOthers)
  await make(ada, docId, { reply: joining.reply })
  t.equal((await ada.delete(note.path)).status, 200)
})

t.test('a refusal for the sake of an annotation of others names it, whether it has replies or not', async (t) => {
  const docId = await server.upload(pdf())
  const bob = await session(docId, own, { userId: 'bob' })
  const note = await make(await session(docId, own, { userId: 'ada' }), docId)
  const refused = await bob.delete(note.path)
  t.same(isForbidden(refused), byOthers)
  t.equal(refused.at('/error/details/objectNumber'), Object(note.ref).objectNumber)
  const update = { opId: 'update', ops: [{ type: 'annotations.update', ref: note.ref, patch: { contents: 'x' } }] }
  const { reason, objectNumber } = Object(refused.at('/error/details'))
  t.match((await change(bob, { docId }, update)).at('/changes/0/error/details'), { reason, objectNumber })
  const reader = await session(docId, ['doc.annotate.read'], { userId: 'eve' })
  t.equal(isForbidden(await reader.delete(note.path))[2], undefined)
})

t.test('a popup can be added only to annotations that the caller may change', async (t) => {
  const docId = await server.upload(pdf())
  const creating = ['annotations:create:self', 'annotations:delete:self']
  const ada = await session(docId, creating, { userId: 'ada' })
  const bob = await session(docId, ['annotations:create:all'], { userId: 'bob' })
  const note = await make(ada, docId)
  const window = { subtype: 'popup', rect, parent: note.ref }
  t.same(isForbidden(await bob.post(items(docId), window)), byOthers)
  const popup = await make(ada, docId, window)
  t.equal((await ada.delete(popup.path)).status, 200, 'an own popup can be deleted')
  const field = { kind: 'objectNumber', page: pageRef(4), objectNumber: 7 }
  const onField = { subtype: 'popup', rect, parent: field }
  t.same(isForbidden(await ada.post(items(docId, 4), onField)), byOthers, "a field is nobody's in particular")
  const filling = await session(docId, ['doc.forms.fill', ...creating], { userId: 'ada' })
  const fill = { type: 'forms.setValue', field: { kind: 'objectNumber', objectNumber: 7 }, value: { value: 'x' } }
  const mixed = [fill, { type: 'annotations.create', page: pageRef(4), data: onField }]
  t.same(outcomes(await change(filling, { docId }, { opId: 'mixed', ops: mixed })), ['Forbidden'])
  t.same(outcomes(await change(filling, { docId }, { opId: 'filled', ops: [fill] })), ['applied'], 'it is of the form')
  const updating = await session(docId, ['annotations:create:self', 'annotations:update:all'], { userId: 'bob' })
  t.equal((await updating.post(items(docId), window)).status, 200)
})

t.test('a flatten removes only annotations that the caller may delete', async (t) => {
  const docId = await server.upload(pdf())
  const flattening = [...own, 'doc.annotate.modify', 'doc.pages.modify']
  const ada = await session(docId, flattening, { userId: 'ada' })
  const bob = await session(docId, flattening, { userId: 'bob' })
  const [hers, his] = [await make(ada, docId), await make(bob, docId)]
  const answer = await make(ada, docId, { reply: { to: his.ref } })
  const flatten = (client: Client, ref: unknown) =>
    client.post(`${items(docId)}/flatten`, { refs: [ref], usage: 'display' })
  const pages = (client: Client, page: number) =>
    client.post(`${layerOf(docId)}/pages/flatten`, { pages: [pageRef(page)], usage: 'display' })
  const before = await list(docId)
  t.same(isForbidden(await flatten(ada, his.ref)), byOthers)
  t.same(isForbidden(await flatten(bob, his.ref)), byOthers, 'her answer would answer nothing')
  t.same(isForbidden(await pages(ada, 3)), byOthers)
  t.same(isForbidden(await pages(ada, 4)), byOthers, 'of the file itself nothing is hers')
  t.same(await list(docId), before)
  t.equal((await ada.delete(answer.path)).status, 200)
  t.equal((await flatten(ada, hers.ref)).status, 200)
  t.equal((await pages(bob, 3)).status, 200, 'all remaining annotations are his')
  const wide = await session(docId, ['doc.annotate.modify', 'doc.pages.modify'], { userId: 'ada' })
  t.equal((await pages(wide, 4)).status, 200, 'a credential without owner restriction flattens all')
})

t.test('a redaction removes only annotations that the caller may delete', async (t) => {
  const docId = await server.upload(pdf())
  const redacting = [...own, 'doc.annotate.modify', 'doc.pages.modify', 'doc.redact']
  const ada = await session(docId, redacting, { userId: 'ada' })
  const bob = await session(docId, redacting, { userId: 'bob' })
  await make(ada, docId, { subtype: 'redact' })
  const apply = (client: Client) => client.post(`${layerOf(docId)}/redactions/apply`, { pages: [pageRef(3)] })
  const note = await make(bob, docId)
  const before = await list(docId)
  t.same(isForbidden(await apply(bob)), byOthers)
  t.same(isForbidden(await apply(ada)), byOthers, 'his note lies under her mark')
  t.same(await list(docId), before)
  t.equal((await bob.delete(note.path)).status, 200)
  t.equal((await apply(ada)).status, 200)
})

t.test('a page is deleted with annotations without an owner, not with those of others', async (t) => {
  const docId = await server.upload(pdf())
  const ada = await session(docId, own, { userId: 'ada' })
  await make(ada, docId)
  const assembling = [...own, 'doc.pages.assemble']
  const bob = await session(docId, assembling, { userId: 'bob' })
  const remove = (client: Client, page: number) =>
    client.post(`${layerOf(docId)}/pages/delete`, { pages: [pageRef(page)] })
  t.same(isForbidden(await remove(bob, 3)), byOthers)
  t.equal((await bob.post(`${layerOf(docId)}/pages/rotate`, { pages: [pageRef(3)], rotation: 90 })).status, 200)
  t.equal((await remove(bob, 4)).status, 200)
  const blank = { size: { width: 100, height: 100 } }
  t.equal((await bob.post(`${layerOf(docId)}/pages/insert-blank`, blank)).status, 200)
  const assembler = await session(docId, ['doc.pages.assemble'], { userId: 'carol' })
  t.equal(
    (await remove(assembler, 3)).status,
    200,
    'a credential without collaboration scopes has no owner restriction',
  )
})

t.test('users who share a sub can undo only their own changes', async (t) => {
  const docId = await server.upload(pdf())
  const ada = await session(docId, own, { userId: 'ada' })
  const bob = await session(docId, own, { userId: 'bob' })
  const nobody = await session(docId, ['annotations:create:all'], {})
  const create = {
    opId: 'one',
    ops: [{ type: 'annotations.create', page: pageRef(3), data: { subtype: 'square', rect } }],
  }
  const made = done(await change(ada, { docId }, create))
  t.same(outcomes(await change(bob, { docId }, { opId: 'undo', undoOf: 'one' })), ['NotFound'])
  const his = done(await change(bob, { docId }, create))
  t.equal(his.at('/changes/0/result/items/0/annotation/userId'), 'bob', 'opIds of different users are independent')
  t.not(his.headers.get('idempotency-replayed'), 'true')
  t.same(outcomes(await change(nobody, { docId }, { opId: 'undo', undoOf: 'one' })), ['NotFound'])
  t.same(outcomes(await change(bob, { docId }, { opId: 'undo', undoOf: 'one' })), ['NotFound'], 'a refusal is kept')
  t.same(outcomes(await change(bob, { docId }, { opId: 'undo-2', undoOf: 'one' })), ['applied'])
  const ref = made.at('/changes/0/result/items/0/annotation/ref')
  t.match(
    (await list(docId)).filter(({ userId }) => userId !== null),
    [{ ref, userId: 'ada' }],
  )
})

t.test('the right to create includes the undo of own creations, and no more', async (t) => {
  const docId = await server.upload(pdf())
  const ada = await session(docId, ['annotations:create:self'], { userId: 'ada' })
  const wide = await session(docId, ['annotations:*:all'], { userId: 'bob' })
  const create = (opId: string) => ({
    opId,
    ops: [{ type: 'annotations.create', page: pageRef(3), data: { subtype: 'square', rect } }],
  })
  const made = done(await change(ada, { docId }, create('a'), create('b')))
  const ref = made.at('/changes/0/result/items/0/annotation/ref')
  await make(wide, docId, { subtype: 'popup', parent: ref })
  const undone = await change(ada, { docId }, { opId: 'ua', undoOf: 'a' }, { opId: 'ub', undoOf: 'b' })
  t.same(outcomes(undone), ['Forbidden', 'applied'], 'his popup would go with it')
  t.same(outcomes(await change(ada, { docId }, { opId: 'rb', undoOf: 'ub' })), ['applied'])
  t.same(outcomes(await change(ada, { docId }, { opId: 'urb', undoOf: 'rb' })), ['applied'])
  t.same(outcomes(await change(ada, { docId }, { opId: 'rurb', undoOf: 'urb' })), ['applied'])
  t.match(
    (await list(docId)).filter(({ userId }) => userId !== null).map(({ userId }) => userId),
    ['ada', 'ada', 'bob'],
  )
})

t.test('inserted pages keep authors and dates only for callers with the right to import them', async (t) => {
  const docId = await server.upload(pdf())
  const inserted = async (client: Client): Promise<readonly Listed[]> => {
    const before = new Set((await list(docId)).map(({ ref }) => JSON.stringify(ref)))
    const form = new FormData()
    form.set('file', new Blob([pdf()], { type: 'application/pdf' }), 'source.pdf')
    done(await client.send(`${layerOf(docId)}/pages/insert`, { method: 'POST', body: form }))
    return (await list(docId)).filter(({ ref }) => !before.has(JSON.stringify(ref)))
  }
  const brought = { author: 'Grace', createdAt: '2020-01-01T00:00:00Z', modifiedAt: '2020-01-02T03:04:05Z' }
  const now = /^20(2[1-9]|[3-9])/
  const ada = await session(docId, ['doc.pages.assemble'], { userId: 'ada' })
  const [hers, link, widget] = await inserted(ada)
  t.match(hers, { contents: 'Old', author: 'ada', userId: null, createdAt: now, modifiedAt: now })
  t.match(link, { subtype: 'link', author: null, createdAt: null, modifiedAt: null }, 'what says nothing is left alone')
  t.match(widget, { subtype: 'widget', author: null, modifiedAt: now })
  const nameless = api.as(await server.documentToken(docId, ['doc.open', 'doc.pages.assemble']))
  t.match((await inserted(nameless))[0], { author: null, createdAt: now, modifiedAt: now })
  const importing = await session(docId, ['doc.pages.assemble', 'doc.annotate.import'], { userId: 'ada' })
  t.match((await inserted(importing))[0], { ...brought, userId: null })
  t.match((await inserted(await session(docId, ['*'], { userId: 'ada' })))[0], brought)
  t.match((await inserted(api))[0], brought)
})
