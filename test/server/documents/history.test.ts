// Documents by name, their edited layers and their audit log, for tokens of the tenant.
import { createHash } from 'node:crypto'
import t from 'tap'
import { pageOf } from '../../../server/http/paging.js'
import { limits } from '../../../server/limits.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, outcomes, titled } from '../changes/support/changing.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const server = await runServer(t)
const { api } = server
const pdf = onePage('0 0 100 100 re f')
const documents = '/v1/tenants/acme/documents'
const reader = api.as(await server.upload(pdf).then(() => server.tenantToken('acme', ['docs.read'])))

type Rows = readonly Readonly<Record<string, unknown>>[]
const rows = (answer: { at(pointer: string): unknown }, member: string): Rows => answer.at(`/${member}`) as Rows

async function edit(docId: string, layerName: string, ...titles: readonly string[]): Promise<void> {
  const entries = titles.map((title) => ({ opId: `set-${title}`, ops: [titled(title)] }))
  const answer = done(await change(api, { docId, layerName: encodeURIComponent(layerName) }, ...entries))
  if (outcomes(answer).some((outcome) => outcome !== 'applied')) throw new Error(answer.text)
}

async function announce(docId: string, metadata: object): Promise<void> {
  const contentSha256 = createHash('sha256').update(docId).digest('hex')
  done(await api.post(`${documents}/init`, { docId, contentLength: 5, contentSha256, metadata }))
}

/** Reads every page of a list. */
async function walk(client: Client, path: string, member: string): Promise<Rows> {
  const all: Readonly<Record<string, unknown>>[] = []
  for (let cursor: unknown = ''; cursor !== null; ) {
    const page = done(await client.get(`${path}limit=2${cursor ? `&cursor=${cursor}` : ''}`))
    all.push(...rows(page, member))
    cursor = page.at('/nextCursor')
  }
  return all
}

t.test('documents are found by a part of their file name or id, with other filters', async (t) => {
  await announce('plan-1', { fileName: 'Übersicht 2026.pdf' })
  await announce('plan-2', { fileName: 'U\u0308BERSICHT alt.pdf' })
  await announce('uebersicht', {})
  await announce('other', { fileName: 7, other: 'Übersicht' })
  const found = async (query: object) => {
    const search = new URLSearchParams({ ...query }).toString()
    return (await walk(reader, `${documents}?${search}&`, 'documents')).map(({ id }) => id)
  }
  t.same(await found({ name: 'übersicht' }), ['plan-2', 'plan-1'])
  t.same(await found({ name: '2026' }), ['plan-1'])
  t.same(await found({ name: 'PLAN-' }), ['plan-2', 'plan-1'])
  t.same(await found({ name: 'plan-', state: 'ready' }), [])
  t.same(await found({ name: '.*' }), [])
  for (const name of ['', 'x'.repeat(257)]) {
    t.equal((await reader.get(`${documents}?name=${name}`)).code, 'InvalidArg')
  }
})

t.test('a filtered list reads a bounded number of rows, and continues from there', async (t) => {
  const last = 2 * limits.listRowsReadMax + 7
  let read = 0
  const listing = {
    async *from(cursor: string | undefined) {
      for (let row = Number(cursor ?? 0) + 1; row <= last; row++) {
        read += 1
        yield row
      }
    },
    cursorOf: String,
    isWanted: (row: number) => row === last,
  }
  const items: number[] = []
  let pages = 0
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    read = 0
    const page = await pageOf(cursor === undefined ? {} : { cursor }, listing)
    t.ok(read <= limits.listRowsReadMax)
    items.push(...page.items)
    cursor = page.nextCursor
  }
  t.same([items, pages], [[last], 3])
})

t.test('the edited layers of a document are listed by name', async (t) => {
  const id = await server.upload(pdf)
  t.same((await reader.get(`${documents}/${id}/layers`)).json(), { layers: [], nextCursor: null })
  const names = ['default', 'lägal', '法'.repeat(256), '\u{1f600}']
  for (const name of names) await edit(id, name, 'one', 'two')
  const layers = await walk(reader, `${documents}/${id}/layers?`, 'layers')
  t.same(layers.map(({ layerName }) => layerName).sort(), [...names].sort())
  for (const layer of layers) {
    t.match(layer, { versionNumber: 1, layerVersion: 2, redacted: false, storageSizeBytes: Number, updatedAt: Number })
  }
})

t.test('the audit log says who changed what, newest first, by layer, subject and kind', async (t) => {
  const id = await server.upload(pdf)
  const token = await server.documentToken(id, ['*'], { sub: 'grace', layerName: 'legal' })
  await edit(id, 'default', 'one', 'two', 'three')
  const square = { subtype: 'square', rect: { x: 1, y: 1, width: 9, height: 9 } }
  done(await api.as(token).post(`/v1/docs/${id}/layers/legal/annotations/pages/obj:3/items`, square))
  const audit = async (query = '') => walk(reader, `${documents}/${id}/audit?${query}`, 'entries')
  const all = await audit()
  t.same(
    all.map((entry) => entry.id),
    [4, 3, 2, 1],
  )
  t.match(all[0], { layerName: 'legal', sub: 'grace', kind: 'annot.create', pageObjectNumber: 3, undoOf: null })
  t.match(all[3], { layerName: 'default', sub: 'api', kind: 'change', ts: Number })
  t.notOk(
    all.some((entry) => 'payload' in entry),
    'without the content of changes',
  )
  const ids = async (query: string) => (await audit(query)).map((entry) => entry.id)
  t.same(await ids('layerName=legal&'), [4])
  t.same(await ids('sub=api&'), [3, 2, 1])
  t.same(await ids('kind=annot.create&sub=grace&'), [4])
  t.same(await ids('kind=annot.create&sub=api&'), [])
})

t.test('histories of other tenants and of nothing are not found, and cursors are checked', async (t) => {
  const others = await server.upload(pdf, { tenantId: 'other' })
  const own = await server.upload(pdf)
  for (const family of ['layers', 'audit']) {
    t.equal((await reader.get(`${documents}/${others}/${family}`)).code, 'NotFound')
    t.equal((await reader.get(`${documents}/nothing/${family}`)).code, 'NotFound')
    t.equal((await reader.get(`/v1/tenants/other/documents/${others}/${family}`)).code, 'Forbidden')
    for (const cursor of ['AA', '____', Buffer.from('-1').toString('base64url'), 'x'.repeat(1024)]) {
      const { code, status } = await reader.get(`${documents}/${own}/${family}?cursor=${cursor}`)
      t.ok(status < 500, `${family} ${cursor}: ${status}`)
      if (family === 'audit') t.equal(code, 'InvalidArg')
    }
  }
})
