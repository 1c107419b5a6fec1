// Ids of windows in events and in the audit log: who sent one finds it again, and nobody else learns it.
import t, { type Test } from 'tap'
import { scratchFolder } from '../../cli/scratch.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, titled } from '../changes/support/changing.js'
import { EventReader } from '../support/events.js'
import { done, type Running, runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'

const pdf = onePage('0 0 100 100 re f')
const window = 'window:5d6b4a0e-6c0e-4a63-8d5e-5b0d2f2f6f5e'
const headers = { 'x-engine-session-id': window }

const make = ({ api }: Running, docId: string, opId: string, more: Record<string, string> = headers) =>
  api.post(`${layerPath({ docId })}/changes`, { changes: [{ opId, ops: [titled(opId)] }] }, more).then(done)

/** Returns the ids in the events from the first on, as a reader with these headers gets them. */
async function inEvents(t: Test, { api }: Running, docId: string, count: number, more: Record<string, string> = {}) {
  const path = `${layerPath({ docId })}/events`
  const reader = await EventReader.open(api, path, { 'last-event-id': '0', ...more })
  t.teardown(() => reader.close())
  return (await reader.take(count)).map(({ data }) => data['originSessionId'])
}

async function inAudit({ api }: Running, docId: string): Promise<readonly unknown[]> {
  const { entries } = (await api.get(`/v1/tenants/acme/documents/${docId}/audit`).then(done)).json() as {
    readonly entries: readonly { readonly originSessionId: string | null }[]
  }
  return entries.map(({ originSessionId }) => originSessionId).toReversed()
}

t.test('others get a fingerprint, another one for each document', async (t) => {
  const server = await runServer(t)
  const [docId, otherId] = [await server.upload(pdf), await server.upload(pdf)]
  const first = await make(server, docId, 'one')
  await make(server, docId, 'two')
  await change(server.api, { docId }, { opId: 'three', ops: [titled('three')] }).then(done)
  await make(server, otherId, 'one')
  t.notMatch(first.text, window)
  t.same(await inEvents(t, server, docId, 3, headers), [window, window, null], 'its own id')
  const others = await inEvents(t, server, docId, 3)
  t.match(others[0], /^[0-9a-f]{64}$/)
  t.same(others, [others[0], others[0], null])
  t.same(await inEvents(t, server, docId, 3, { 'x-engine-session-id': 'another' }), others)
  t.same(await inAudit(server, docId), others)
  t.not((await inAudit(server, otherId))[0], others[0], 'documents cannot be connected')
})

t.test('ids that an earlier release recorded are not published either', async (t) => {
  const folder = scratchFolder(t, 'data')
  const before = await runServer(t, { folder })
  const docId = await before.upload(pdf)
  await make(before, docId, 'one')
  await make(before, docId, 'two')
  const recorded = await inAudit(before, docId)
  await before.close()
  const { store, tables, close } = await openScene(folder)
  for await (const { key, row } of tables.audits.range([])) {
    if (row.opId !== 'one') continue
    const slot = tables.audits.at(key)
    const earlier = { key: slot.key, value: slot.encode({ ...row, originSessionId: window }) }
    await store.commit({ expect: [], put: [earlier], delete: [] })
  }
  await close()
  const server = await runServer(t, { folder })
  t.same(await inAudit(server, docId), recorded)
  t.same(await inEvents(t, server, docId, 2), recorded)
  t.same(await inEvents(t, server, docId, 2, headers), [window, window])
})
