// The audit log says what each change did: which ops, how many annotations, and whose they are; nothing of their content.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { change, outcomes, titled } from './support/changing.js'

const server = await runServer(t)
const { api } = server
const docId = await server.upload(onePage('0 0 100 100 re f'))
const page = { kind: 'objectNumber', objectNumber: 3 }

const writer = async (userId: string) =>
  api.as(await server.documentToken(docId, ['*'], { sub: `${userId}@example`, identity: { userId } }))
const [ada, bob] = [await writer('ada'), await writer('bob')]

let made = 0
async function apply(client: Client, more: { readonly ops: readonly object[] } | { readonly undoOf: string }) {
  const answer = await change(client, { docId }, { opId: `op-${++made}`, ...more })
  t.strictSame(outcomes(answer), ['applied'], answer.text)
  return answer
}

const square = (contents: string) => ({
  type: 'annotations.create',
  page,
  data: { subtype: 'square', rect: { x: 10, y: 10, width: 20, height: 20 }, contents },
})

interface Entry {
  readonly sub: string
  readonly facts: unknown
}

async function newest(): Promise<Entry> {
  const { text } = await api.get(`/v1/tenants/acme/documents/${docId}/audit?limit=1`).then(done)
  const { entries } = JSON.parse(text) as { readonly entries: readonly [Entry] }
  return entries[0]
}

t.test('new annotations, and one that somebody else changes, removes and restores', async (t) => {
  const created = await apply(ada, { ops: [square('first secret'), square('second secret'), titled('x')] })
  t.match(await newest(), {
    sub: 'ada@example',
    facts: {
      ops: [
        { type: 'annotations.create', count: 2 },
        { type: 'metadata.update', count: 1 },
      ],
      pages: [1],
      annotations: [{ effect: 'created', count: 2, authors: { length: 0 } }],
    },
  })
  const ref = created.at('/changes/0/result/items/0/annotation/ref')
  const changed = [{ effect: 'changed', count: 1, authors: ['ada'] }]
  await apply(bob, { ops: [{ type: 'annotations.update', ref, patch: { contents: 'third secret' } }] })
  t.match(await newest(), { sub: 'bob@example', facts: { annotations: changed } })
  await apply(ada, { ops: [{ type: 'annotations.update', ref, patch: { contents: 'fourth secret' } }] })
  t.match(
    await newest(),
    { facts: { annotations: [{ effect: 'changed', count: 1, authors: { length: 0 } }] } },
    'her own',
  )
  await apply(bob, { ops: [{ type: 'annotations.delete', ref }] })
  t.match(await newest(), {
    facts: {
      ops: [{ type: 'annotations.delete', count: 1 }],
      annotations: [{ effect: 'removed', count: 1, authors: ['ada'] }],
    },
  })
  await apply(bob, { undoOf: `op-${made}` })
  t.match(await newest(), { facts: { annotations: [{ effect: 'restored', count: 1, authors: ['ada'] }] } })
})

t.test('a page that is removed takes the annotations of people along', async (t) => {
  const inserted = await api.post(`/v1/docs/${docId}/layers/default/pages/insert-blank`, {
    size: { width: 100, height: 100 },
  })
  t.equal(inserted.status, 200, inserted.text)
  await api.post(`/v1/docs/${docId}/layers/default/pages/delete`, { pages: [page] }).then(done)
  t.match(await newest(), {
    facts: {
      ops: [{ type: 'pages.delete', count: 1 }],
      annotations: [{ effect: 'removed', count: 2, authors: ['ada'] }],
    },
  })
})

t.test('nothing of the content is among the facts, and the export has them', async (t) => {
  const path = `/v1/tenants/acme/documents/${docId}/audit`
  t.notMatch((await api.get(path).then(done)).text, 'secret')
  const { text } = await api.get(`${path}/export?format=ndjson`).then(done)
  t.notMatch(text, 'secret')
  const lines = text.trimEnd().split('\n')
  t.match(JSON.parse(lines[0] ?? ''), { id: 1, facts: { annotations: [{ effect: 'created', count: 2 }] } })
  t.match(
    (await api.get(`${path}/export?format=csv`).then(done)).text,
    /"\{""ops"":\[\{""type"":""annotations\.create""/,
  )
})
