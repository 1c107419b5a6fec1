// Authority of changes: capabilities per op, and collaboration scopes by the stored owner of each annotation.
import t from 'tap'
import { auditKindOf, changeKind } from '../../../server/changes/audit-kinds.js'
import { capabilities, withImplied } from '../../../workers/contract/capabilities.js'
import { opContracts } from '../../../workers/contract/ops/index.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Answer, Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { change, layerPath, outcomes, titled } from './support/changing.js'

const server = await runServer(t)
const { api } = server
const page = { kind: 'objectNumber', objectNumber: 3 }
// One of the annotations is inline in its page.
const pdf = onePage('0 0 100 100 re f', {
  page: '/Annots[5 0 R<</Type/Annot/Subtype/Square/Rect[60 60 90 90]>>]',
  further: { 5: '<</Type/Annot/Subtype/Square/Rect[10 10 50 50]/T(Somebody)>>' },
})
const docId = await server.upload(pdf)
const layer = { docId }

interface Session {
  readonly scope: readonly string[]
  readonly userId?: string
  readonly groupId?: string
  readonly groups?: readonly string[]
}

async function session({ scope, ...identity }: Session): Promise<Client> {
  const sub = identity.userId ?? 'nobody'
  const token = await server.documentToken(docId, scope, { sub, identity: { displayName: `Dr. ${sub}`, ...identity } })
  return api.as(token)
}

let made = 0
const send = (client: Client, ...ops: readonly object[]): Promise<Answer> =>
  change(client, layer, { opId: `op-${++made}`, ops })
const outcome = async (client: Client, ...ops: readonly object[]) => outcomes(await send(client, ...ops))[0]

const note = (more: object = {}) => ({
  type: 'annotations.create',
  page,
  data: { subtype: 'square', rect: { x: 10, y: 10, width: 20, height: 20 }, ...more },
})
const patched = (ref: unknown, patch: object) => ({ type: 'annotations.update', ref, patch })
const deleted = (ref: unknown) => ({ type: 'annotations.delete', ref })
const create = async (client: Client, more: object = {}) =>
  (await send(client, note(more))).at('/changes/0/result/items/0/annotation/ref')

t.test('every write with its own route has its own kind in the audit log', async (t) => {
  for (const { type, route } of opContracts) t.equal(auditKindOf({ type }) === changeKind, route === undefined, type)
})

t.test('an op is applied with exactly the capabilities it needs, and refused with all others', async (t) => {
  const ops: Readonly<Record<string, object>> = {
    'doc.metadata.modify': titled('x'),
    'doc.annotate.modify': note(),
    'doc.forms.fill': { type: 'forms.reset', fields: [] },
    'doc.forms.modify': { type: 'forms.create', draft: { family: 'text', name: 'made' } },
  }
  for (const [needed, op] of Object.entries(ops)) {
    const others = capabilities.filter((current) => ![...withImplied([current])].some((implied) => implied === needed))
    const lacking = await session({ scope: others })
    t.same(
      outcomes(await change(lacking, layer, { opId: `lacking ${needed}`.replace(' ', '-'), ops: [op] })),
      ['Forbidden'],
      needed,
    )
    t.not(await outcome(await session({ scope: [needed] }), op), 'Forbidden', needed)
  }
  const described = await session({ scope: ['doc.metadata.modify'] })
  const mixed = await change(
    described,
    layer,
    { opId: 'mixed', ops: [titled('mixed'), note()] },
    { opId: 'alone', ops: [titled('alone')] },
  )
  t.equal(mixed.status, 200, 'the request as a whole succeeds')
  t.same(outcomes(mixed), ['Forbidden', 'applied'])
  t.match(
    mixed.at('/changes/0/error/message'),
    /: annotations\.create needs doc\.annotate\.modify$/,
    'the refusal names the missing capability',
  )
  t.same(mixed.at('/changes/0/error/details'), { op: 'annotations.create' })
})

t.test('a collaboration scope that mentions the action decides instead of the capability', async (t) => {
  const ada = await session({ scope: ['annotations:*:self'], userId: 'ada' })
  const bob = await session({ scope: ['annotations:create:all', 'annotations:update:createdBy=ada'], userId: 'bob' })
  const eve = await session({ scope: ['doc.annotate.modify', 'annotations:update:self'], userId: 'eve' })
  const hers = await create(ada)
  const his = await create(bob)
  t.equal(await outcome(ada, patched(hers, { contents: 'mine' })), 'applied')
  t.equal(await outcome(ada, patched(his, { contents: 'not mine' })), 'Forbidden')
  t.equal(await outcome(bob, patched(hers, { contents: 'reviewed' })), 'applied')
  t.equal(await outcome(bob, patched(his, { contents: 'of bob' })), 'Forbidden')
  t.equal(await outcome(eve, patched(hers, { contents: 'eve' })), 'Forbidden', 'despite the capability')
  t.equal(await outcome(eve, deleted(his)), 'applied', 'for an action no scope mentions, the capability decides')
  t.equal(await outcome(ada, { type: 'annotations.reorder', page, refs: [hers], position: 'start' }), 'applied')
  t.equal(await outcome(bob, deleted(hers)), 'Forbidden')
  t.equal(await outcome(ada, deleted(hers)), 'applied')
})

t.test('authors stated in the file grant no rights', async (t) => {
  const listed = await api.get(`${layerPath(layer)}/annotations/items`)
  const refs = Object(listed.at('/annotations'))
  const [fromFile] = [...refs].map(({ ref }) => ref)
  const self = await session({
    scope: ['annotations:update:self', 'annotations:update:createdBy=Somebody'],
    userId: 'Somebody',
  })
  t.equal(await outcome(self, patched(fromFile, { contents: 'x' })), 'Forbidden')
  t.equal(await outcome(self, patched({ kind: 'baseIndex', page, baseIndex: 1 }, { contents: 'x' })), 'Forbidden')
  const all = await session({ scope: ['annotations:update:all'], userId: 'ada' })
  const inline = { kind: 'baseIndex', page, baseIndex: 1 }
  t.equal(await outcome(all, patched(inline, { contents: 'promoted' })), 'applied')
  t.equal(
    await outcome(self, patched(inline, { contents: 'x' })),
    'Forbidden',
    'a change does not make the caller the owner',
  )
})

t.test('a write records its author, in the response and in every list', async (t) => {
  const ada = await session({ scope: ['doc.annotate.modify'], userId: 'ada', groupId: 'team' })
  const answer = done(await send(ada, note({ createdBy: 'forged', userId: 'forged', author: 'forged' })))
  const at = '/changes/0/result/items/0/annotation'
  const own = { author: 'Dr. ada', userId: 'ada', createdBy: 'ada', modifiedBy: 'ada', groupId: 'team' }
  t.match(answer.at(at), own)
  const ref = answer.at(`${at}/ref`)
  const bob = await session({ scope: ['doc.annotate.modify'], userId: 'bob' })
  t.match((await send(bob, patched(ref, { contents: 'b' }))).at(at), { ...own, modifiedBy: 'bob' })
  const listed: readonly unknown[] = Object((await api.get(`${layerPath(layer)}/annotations/items`)).at('/annotations'))
  t.match(
    listed.find((one) => JSON.stringify(Object(one).ref) === JSON.stringify(ref)),
    { ...own, modifiedBy: 'bob', contents: 'b' },
  )
})

t.test('the API token may set author and dates of an annotation', async (t) => {
  const brought = {
    author: 'Grace',
    userId: 'grace',
    createdBy: 'grace',
    modifiedBy: 'lin',
    groupId: 'reviewers',
    createdAt: '2020-01-02T03:04:05Z',
    modifiedAt: '2020-02-03T04:05:06Z',
  }
  const answer = done(await send(api, note(brought)))
  t.match(answer.at('/changes/0/result/items/0/annotation'), brought)
  const listed = await api.get(`${layerPath(layer)}/annotations/items`).then(done)
  t.match(Object(listed.at('/annotations')).at(-1), brought)
  const grace = await session({ scope: ['annotations:update:self'], userId: 'grace' })
  const ref = answer.at('/changes/0/result/items/0/annotation/ref')
  t.equal(
    await outcome(grace, patched(ref, { contents: 'mine' })),
    'applied',
    'the annotation belongs to the stated author',
  )
  const bob = await session({ scope: ['doc.annotate.modify'], userId: 'bob' })
  t.match((await send(bob, note({ ...brought, groupId: null }))).at('/changes/0/result/items/0/annotation'), {
    author: 'Dr. bob',
    createdBy: 'bob',
    createdAt: /^20[3-9]|^202[1-9]/,
  })
  t.equal(await outcome(api, note({ createdAt: 'long ago' })), 'InvalidArg')
})

t.test('a write without effect records no author and changes no list', async (t) => {
  const ada = await session({ scope: ['doc.annotate.modify'], userId: 'ada' })
  const ref = await create(ada)
  const items = () => api.get(`${layerPath(layer)}/annotations/items`).then(done)
  const before = await items()
  const bob = await session({ scope: ['doc.annotate.modify'], userId: 'bob' })
  server.clock.advance(5000)
  const same = done(await send(bob, patched(ref, { rect: note().data.rect, groupId: null })))
  t.equal(same.at('/changes/0/result/meta/cacheDelta'), null)
  t.equal(same.at('/changes/0/result/items/0/annotation/modifiedBy'), 'ada')
  t.same((await items()).at('/annotations'), before.at('/annotations'))
})

t.test('setting the group of an annotation needs its own right', async (t) => {
  const ada = await session({ scope: ['doc.annotate.modify'], userId: 'ada', groupId: 'team' })
  t.equal(await outcome(ada, note({ groupId: 'team' })), 'applied', "the caller's own group needs no right")
  t.equal(await outcome(ada, note({ groupId: 'others' })), 'Forbidden')
  const ref = await create(ada)
  t.equal(await outcome(ada, patched(ref, { groupId: 'others' })), 'Forbidden')
  t.equal(await outcome(ada, patched(ref, { groupId: null })), 'Forbidden')
  t.equal(await outcome(ada, patched(ref, { groupId: 'team' })), 'applied', 'the group does not change')
  const mover = await session({
    scope: ['doc.annotate.modify', 'annotations:set-group:group=others', 'annotations:set-group:group=team'],
    userId: 'mover',
  })
  const moved = await change(mover, layer, { opId: 'moved', ops: [patched(ref, { groupId: 'others' })] })
  t.same(outcomes(moved), ['applied'])
  t.equal(moved.at('/changes/0/result/items/0/annotation/groupId'), 'others')
  t.equal(Object(moved.at('/changes/0/result/meta/cacheDelta/pages')).length, 1, 'lists of the page change')
  t.match(moved.at('/changes/0/result/items/0/meta'), { affectedPages: [page], changed: [ref] })
  const member = await session({ scope: ['annotations:update:group=others'], userId: 'm', groups: ['others'] })
  const stranger = await session({ scope: ['annotations:update:group=others'], userId: 's', groups: ['team'] })
  t.equal(await outcome(member, patched(ref, { contents: 'm' })), 'applied')
  t.equal(await outcome(stranger, patched(ref, { contents: 's' })), 'Forbidden')
  const expecting = { ...patched(ref, { contents: 'e' }), expect: { groupId: 'team' } }
  const conflict = await send(mover, expecting)
  t.match(conflict.at('/changes/0/error'), { code: 'ChangeConflict', details: { opIndex: 0, fields: ['groupId'] } })
  const undone = await change(mover, layer, { opId: 'unmoved', undoOf: 'moved' })
  t.same(outcomes(undone), ['applied'], undone.text)
  t.match(undone.at('/changes/0/result/items'), [
    { type: 'annotations.update', annotation: { ref, groupId: 'team', contents: 'm' }, meta: { changed: [ref] } },
  ])
  const groupOf = async () => {
    const listed: readonly unknown[] = Object(
      (await api.get(`${layerPath(layer)}/annotations/items`)).at('/annotations'),
    )
    return Object(listed.find((one) => JSON.stringify(Object(one).ref) === JSON.stringify(ref))).groupId
  }
  t.equal(await groupOf(), 'team')
  await change(mover, layer, { opId: 'again', undoOf: 'unmoved' })
  t.equal(await groupOf(), 'others')
})

t.test('an undo needs the rights of the change, checked against current owners', async (t) => {
  const wide = await session({ scope: ['annotations:*:all', 'doc.metadata.modify'], userId: 'w' })
  const others = await create(api)
  await change(wide, layer, { opId: 'theirs', ops: [patched(others, { contents: 'w' })] })
  await change(wide, layer, { opId: 'own', ops: [note()] })
  const narrow = await session({ scope: ['annotations:*:self'], userId: 'w' })
  const undo = await change(narrow, layer, { opId: 'u1', undoOf: 'theirs' }, { opId: 'u2', undoOf: 'own' })
  t.same(outcomes(undo), ['Forbidden', 'applied'])
})

t.test('a token with collaboration scopes only is accepted by annotation routes, and no others', async (t) => {
  const ada = await session({ scope: ['annotations:create:self', 'annotations:delete:self'], userId: 'ada' })
  const items = `${layerPath(layer)}/annotations/pages/obj:3/items`
  const created = await ada.post(items, note().data)
  t.equal(created.status, 200, created.text)
  const key = `obj:${created.at('/annotation/ref/objectNumber')}`
  t.equal((await ada.patch(`${items}/${key}`, { contents: 'x' })).code, 'Forbidden')
  t.equal((await ada.delete(`${items}/${key}`)).status, 200)
  const bob = await session({ scope: ['annotations:delete:self'], userId: 'bob' })
  t.equal((await bob.post(items, note().data)).code, 'Forbidden')
})
