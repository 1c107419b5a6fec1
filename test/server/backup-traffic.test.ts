// Backups under load: while clients upload, import, edit, redact and delete, every backup is restored into its own folder,
// checked, served and read.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { restoreBackup } from '../../server/backup/restore.js'
import { receiveBackup } from '../../server/backup/stream.js'
import { digestHere } from '../../server/backup/verify.js'
import { checkStorage } from '../../server/check/check.js'
import { pageRef } from '../../workers/contract/page-ref.js'
import { scratchFolder } from '../cli/scratch.js'
import { helvetica, onePage } from '../support/pdf/raw-pdf.js'
import { isLong } from '../support/sample.js'
import { change, layerPath, titled } from './changes/support/changing.js'
import type { Answer, Client } from './support/client.js'
import { done, type Running, runServer } from './support/running-server.js'

const backups = isLong ? 12 : 3
const documents = '/v1/tenants/acme/documents'

const pdf = onePage('BT /F1 12 Tf 20 100 Td (Public Secretword words) Tj ET', {
  resources: helvetica,
  page: '/Annots[5 0 R]',
  further: { 5: '<</Type/Annot/Subtype/Redact/Rect[58 95 122 115]/IC[0 0 0]>>' },
})

const source = createServer((_request, response) => {
  response.writeHead(200, { 'content-length': String(pdf.length) }).end(pdf)
})
await once(source.listen(0, '127.0.0.1'), 'listening')
t.teardown(() => source.close())
const { port } = Object(source.address())

const settings = { importHttp: true, importAllow: ['127.0.0.1/32'] }
const server = await runServer(t, { settings })
const { api } = server

/** Runs one round of client requests; ids contain `round`. */
const traffic: Readonly<Record<string, (round: string) => Promise<void>>> = {
  async deletions(round) {
    const docId = await server.upload(pdf, { docId: `deleted-${round}` })
    for (let index = 0; index < 5; index++) await edit(docId, index)
    done(await api.delete(`${documents}/${docId}`))
  },
  async tenants(round) {
    await server.upload(pdf, { tenantId: `tenant-${round}`, docId: `of-tenant-${round}` })
    done(await api.delete(`/v1/tenants/tenant-${round}`))
  },
  async redactions(round) {
    const docId = await server.upload(pdf, { docId: `redacted-${round}` })
    await edit(docId, 1)
    done(await api.post(`${layerPath({ docId })}/redactions/apply`, { pages: [pageRef(3)] }))
  },
  async imports(round) {
    const from = { kind: 'url', url: `http://127.0.0.1:${port}/` }
    done(await api.post(`${documents}/import`, { source: from, docId: `imported-${round}` }))
  },
}

async function edit(docId: string, index: number): Promise<void> {
  done(await change(api, { docId }, { opId: `edit-${index}`, ops: [titled(`title ${index}`)] }))
}

t.test('each backup is complete, whatever requests run meanwhile', async (t) => {
  await server.upload(pdf, { docId: 'kept' })
  await edit('kept', 7)
  let isOver = false
  const rounds = new Map<string, number>()
  const clients = Object.entries(traffic).map(async ([name, work]) => {
    for (let round = 0; !isOver; round++) {
      await work(`${round}`)
      rounds.set(name, round + 1)
    }
  })
  try {
    for (let index = 0; index < backups; index++) await t.test(`backup ${index}`, verifyBackup)
  } finally {
    isOver = true
    await Promise.all(clients)
  }
  t.same([...rounds.keys()].sort(), Object.keys(traffic).sort(), 'all of it went on')
})

async function verifyBackup(t: Test): Promise<void> {
  const folder = scratchFolder(t)
  const gone = await deletedNow()
  const from = join(folder, 'backup')
  await receiveBackup(inOnePiece(done(await api.post('/v1/deployment/backup'))), from)
  const rows = readFileSync(join(from, 'rows.bin'))
  t.same(
    gone.filter((id) => rows.includes(`"id":"${id}"`)),
    [],
    'documents deleted before the backup are not in it',
  )
  const data = join(folder, 'data')
  await restoreBackup({ from, folder: data })
  await checkStorage({ folder: data, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
  await verifyRead(t, await runServer(t, { folder: data, settings }))
}

const deleted: string[] = []

/** Ids of documents whose deletion was acknowledged. */
async function deletedNow(): Promise<readonly string[]> {
  const round = deleted.length
  const docId = await server.upload(pdf, { docId: `watched-${round}` })
  done(await api.delete(`${documents}/${docId}`))
  deleted.push(docId)
  return [...deleted]
}

async function verifyRead(t: Test, restored: Running): Promise<void> {
  const { api } = restored
  const listed = done(await api.get(`${documents}?limit=100`)).at('/documents')
  if (!Array.isArray(listed)) throw new Error('no list')
  for (const { id, state } of listed) {
    if (state !== 'ready') continue
    const answer = await api.get(`${layerPath({ docId: id })}/download`)
    t.match([id, answer.status, answer.bytes.subarray(0, 5).toString()], [id, 200, '%PDF-'])
  }
  t.equal(await titleOf(api, 'kept'), 'title 7')
  await restored.close()
}

const titleOf = async (api: Client, docId: string): Promise<unknown> =>
  done(await api.get(`${layerPath({ docId })}/metadata`)).at('/title')

async function* inOnePiece({ bytes }: Answer): AsyncIterable<Uint8Array> {
  yield bytes
}
