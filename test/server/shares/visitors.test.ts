// Visitors of a share, and holders of tokens with one subject, are persons of their own: with a name, with the right to
// what they wrote themselves, and with undo and object numbers that nobody else has.
import t from 'tap'
import { scopesOf } from '../../../server/auth/scope-presets.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const origin = 'https://app.example.com'
const page = { kind: 'objectNumber', objectNumber: 3 }
const secret = (name: string) => name.repeat(32).slice(0, 32)

const shareOf = async (docId: string, ...presets: readonly string[]) =>
  (await api.post('/v1/tenants/acme/shares', { docId, scope: scopesOf(presets) }).then(done)).word('/share/id')
const visit = async (shareToken: string, more: object = {}): Promise<Client> =>
  api.as((await api.post('/v1/share-sessions', { shareToken, ...more }, { origin }).then(done)).word('/token'))

const note = (contents: string, more: object = {}) => ({
  type: 'annotations.create',
  page,
  data: { subtype: 'text', rect: { x: 10, y: 10, width: 20, height: 20 }, contents, ...more },
})
let opIds = 0
const apply = async (client: Client, docId: string, ...ops: readonly object[]) => {
  const opId = `op-${++opIds}`
  const answer = await change(client, { docId }, { opId, ops })
  return { opId, outcome: outcomes(answer)[0], ref: answer.at('/changes/0/result/items/0/annotation/ref') }
}
const undo = async (client: Client, docId: string, undoOf: string) =>
  outcomes(await change(client, { docId }, { opId: `undo-${++opIds}`, undoOf }))[0]
const listed = async (docId: string) =>
  Object((await api.get(`${layerPath({ docId })}/annotations/items`).then(done)).at('/annotations')) as readonly {
    readonly author: string | null
    readonly userId: string | null
    readonly contents: string
  }[]

t.test('who may comment changes and removes their own comments, and those of nobody else', async (t) => {
  const docId = await server.upload(onePage('% comments'))
  const share = await shareOf(docId, 'comment')
  const [ada, bob] = [await visit(share, { displayName: 'Ada' }), await visit(share, { displayName: 'Bob' })]
  const made = await apply(ada, docId, note('by Ada'))
  t.equal(made.outcome, 'applied')
  const answered = await apply(bob, docId, note('by Bob', { reply: { to: made.ref, type: 'reply' } }))
  t.equal(answered.outcome, 'applied')
  const edit = (ref: unknown) => ({ type: 'annotations.update', ref, patch: { contents: 'changed' } })
  const remove = (ref: unknown) => ({ type: 'annotations.delete', ref })
  for (const op of [edit(made.ref), remove(made.ref)]) t.equal((await apply(bob, docId, op)).outcome, 'Forbidden')
  t.equal((await apply(ada, docId, remove(made.ref))).outcome, 'Forbidden', 'with the answer of another')
  t.equal((await apply(ada, docId, edit(made.ref))).outcome, 'applied')
  t.equal((await apply(bob, docId, remove(answered.ref))).outcome, 'applied')
  t.equal((await apply(ada, docId, remove(made.ref))).outcome, 'applied')
  t.equal((await apply(ada, docId, { type: 'metadata.update', patch: { title: 'mine' } })).outcome, 'Forbidden')
  const moderator = await visit(await shareOf(docId, 'moderate'))
  const again = await apply(ada, docId, note('again'))
  t.equal((await apply(moderator, docId, remove(again.ref))).outcome, 'applied', 'a choice of its own')
})

t.test('who may comment marks nothing for redaction, and links to pages of the web alone', async (t) => {
  const docId = await server.upload(onePage('BT /F1 20 Tf 20 150 Td (kept) Tj ET', { resources: helvetica }))
  const guest = await visit(await shareOf(docId, 'comment'), { displayName: 'Ada' })
  const of = (more: readonly string[]) =>
    server.documentToken(docId, ['doc.annotate.modify', 'doc.text.search', ...more], { sub: `with ${more.join()}` })
  const [editor, redactor] = [api.as(await of([])), api.as(await of(['doc.redact', 'doc.pages.modify']))]
  const rect = { x: 0, y: 0, width: 300, height: 200 }
  const mark = (more: object = {}) => ({ type: 'annotations.create', page, data: { subtype: 'redact', rect, ...more } })
  const link = (uri: string) => ({
    type: 'annotations.create',
    page,
    data: { subtype: 'link', rect, target: { kind: 'uri', uri } },
  })
  const xfdf = (element: string) => `<xfdf><annots>${element}</annots></xfdf>`
  const imported = async (client: Client, element: string) => {
    const body = new FormData()
    body.set('body', JSON.stringify({ resources: { source: 'file' } }))
    body.set('resource:file', new Blob([xfdf(element)]), 'a.xfdf')
    const path = `${layerPath({ docId })}/annotations/import`
    return (await client.send(path, { method: 'POST', body, headers: { 'idempotency-key': `i-${++opIds}` } })).json()
  }
  const marks = '<redact page="0" rect="0,0,300,200"/>'
  for (const client of [guest, editor]) {
    for (const op of [mark(), mark({ hidden: true }), { type: 'annotations.mark', text: 'kept' }])
      t.equal((await apply(client, docId, op)).outcome, 'Forbidden')
    t.match(await imported(client, marks), { created: { length: 0 }, skipped: [{ reason: 'not-allowed' }] })
  }
  const made = await apply(redactor, docId, mark({ hidden: true }))
  t.equal(made.outcome, 'applied')
  const shown = { type: 'annotations.update', ref: made.ref, patch: { hidden: false } }
  t.equal((await apply(editor, docId, shown)).outcome, 'Forbidden', 'a mark of another is not shown, moved or enlarged')
  const apply0 = () => redactor.post(`${layerPath({ docId })}/redactions/apply`)
  t.match((await apply0().then(done)).json(), { results: [{ status: 'unchanged' }] }, 'hidden ones are not applied')
  t.equal((await apply(redactor, docId, shown)).outcome, 'applied')

  const refused = [
    'file:///etc/passwd',
    'launch:x',
    'javascript:1',
    'java\nscript:1',
    'smb://a/b',
    'a.exe',
    '//a/b',
    '',
  ]
  for (const client of [guest, redactor, api]) {
    for (const uri of refused) {
      t.equal((await apply(client, docId, link(uri))).outcome, 'InvalidArg', uri)
      const action = `<OnActivation><Action Trigger="U"><URI Name="${uri.replace('\n', '&#10;')}"/></Action></OnActivation>`
      const answer = await imported(client, `<link page="0" rect="1,1,9,9" name="l">${action}</link>`)
      t.match(answer, { created: { length: 0 }, skipped: [{ reason: 'invalid' }] }, uri)
    }
  }
  for (const uri of ['https://example.com', 'HTTP://example.com', 'mailto:a@example.com', 'tel:+123'])
    t.equal((await apply(guest, docId, link(uri))).outcome, 'applied', uri)
  const action = (of: string) => onePage('', { page: `/Annots[<</Type/Annot/Subtype/Link/Rect[1 1 9 9]/A<<${of}>>>>]` })
  const assembler = api.as(await server.documentToken(docId, ['doc.pages.assemble', 'doc.annotate.read'], {}))
  const before = (await listed(docId)).length
  for (const entries of ['/S/Launch/F(a.exe)', '/S/URI/URI(file:///a)', '/S/JavaScript/JS(1)', '/S/URI/URI(https://b)'])
    await assembler.sendFile(`${layerPath({ docId })}/pages/insert`, action(entries)).then(done)
  t.match(
    (await listed(docId)).slice(before),
    [{ target: null }, { target: null }, { target: null }, { target: { uri: 'https://b' } }],
    'pages bring no others either',
  )
})

t.test('visitors have the name they gave, and are told apart with the same one', async (t) => {
  const docId = await server.upload(onePage('% names'))
  const share = await shareOf(docId, 'comment')
  for (const displayName of ['Ada', 'Ada', undefined])
    await apply(await visit(share, { displayName }), docId, note('by'))
  const list = await listed(docId)
  t.same(
    list.map(({ author }) => author),
    ['Ada', 'Ada', null],
  )
  t.equal(new Set(list.map(({ userId }) => userId)).size, 3)
  for (const displayName of [
    '',
    'a\0b',
    'x'.repeat(257),
    'Bob\n\nAda',
    '\u202eadA',
    'Ada\u200b',
    ' \u00a0',
    '\u3164',
    '\u2800',
  ]) {
    const answer = await api.post('/v1/share-sessions', { shareToken: share, displayName }, { origin })
    t.equal(answer.status, 400, JSON.stringify(displayName.slice(0, 4)))
  }
  t.equal((await api.post('/v1/share-sessions', { shareToken: share, visitor: 'short' }, { origin })).status, 400)
})

t.test('a share that has a name gives it to all of its sessions', async (t) => {
  const docId = await server.upload(onePage('% recipient'))
  const request = { docId, scope: scopesOf(['comment']), displayName: 'Ann' }
  const made = await api.post('/v1/tenants/acme/shares', request).then(done)
  t.equal(made.at('/share/displayName'), 'Ann')
  const body = { shareToken: made.word('/share/id'), displayName: 'Somebody else' }
  const session = await api.post('/v1/share-sessions', body, { origin }).then(done)
  t.equal(session.at('/displayName'), 'Ann')
  await apply(api.as(session.word('/token')), docId, note('by'))
  t.match(await listed(docId), [{ author: 'Ann' }])
})

t.test('a visitor who comes again is the same one, in this share alone, and by the secret alone', async (t) => {
  const docId = await server.upload(onePage('% again'))
  const [share, other] = [await shareOf(docId, 'comment'), await shareOf(docId, 'comment')]
  const visitor = secret('ada')
  const made = await apply(await visit(share, { visitor }), docId, note('first'))
  const strangers = {
    'without the secret': await visit(share),
    'with another': await visit(share, { visitor: secret('bob') }),
    'with the id that all see': await visit(share, {
      visitor: String((await listed(docId))[0]?.userId).padEnd(32, '-'),
    }),
    'of another share': await visit(other, { visitor }),
  }
  for (const [title, client] of Object.entries(strangers)) {
    t.equal(await undo(client, docId, made.opId), 'NotFound', title)
    const patch = { type: 'annotations.update', ref: made.ref, patch: { contents: 'not mine' } }
    t.equal((await apply(client, docId, patch)).outcome, 'Forbidden', title)
  }
  t.equal(await undo(await visit(share, { visitor, displayName: 'Ada' }), docId, made.opId), 'applied')
})

t.test('tokens of one subject are told apart by userId, or else by name, and from a tenant token', async (t) => {
  const docId = await server.upload(onePage('% subjects'))
  const of = async (more: object) => api.as(await server.documentToken(docId, ['*'], { sub: 'link', ...more }))
  const people = [
    await of({}),
    await of({ displayName: 'Ada' }),
    await of({ displayName: 'Bob' }),
    await of({ userId: 'ada', displayName: 'Ada' }),
    await of({ userId: 'bob', displayName: 'Ada' }),
  ]
  const ranges = new Set<string>()
  for (const [index, person] of people.entries()) {
    const made = await apply(person, docId, note(`by ${index}`))
    for (const [other, client] of people.entries()) {
      if (other !== index) t.equal(await undo(client, docId, made.opId), 'NotFound', `${other} of ${index}`)
    }
    t.equal(await undo(person, docId, made.opId), 'applied')
    const numbers = await person.post(`${layerPath({ docId })}/object-numbers`, { count: 1 }).then(done)
    ranges.add(JSON.stringify(numbers.at('/objectNumbers')))
  }
  t.equal(ranges.size, people.length)
})
