// Price of each distributed engine, alone and all together: a server on it and one on the embedded engine do the same work in
// turn. Ratios, without targets: they share the processor with the engines.
//
//   node --import ./scripts/typescript.mjs bench/stores.mjs [--rounds N]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createBucket, documentsAddress } from '../test/cluster/cluster.ts'
import { Client } from '../test/server/support/client.ts'
import { PostgresServer } from '../test/support/engines/postgres.ts'
import { startRedis } from '../test/support/engines/redis.ts'
import { startSwift } from '../test/support/engines/swift.ts'
import { onePage } from '../test/support/pdf/raw-pdf.ts'
import { startDocumentServer, uploadFile } from './document-server.mjs'
import { largePdf } from './pdfs.mjs'
import { Report } from './report.mjs'
import { changed, send, uploaded } from './requests.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'dist/agents.js')
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const rounds = Number(values.rounds)
const scratch = mkdtempSync(join(tmpdir(), 'stores-bench-'))
const report = new Report()
const cleanings = [() => rmSync(scratch, { recursive: true, force: true })]

try {
  const path = join(scratch, '1-mb.pdf')
  await largePdf(path, 1_000_000)
  const t = { teardown: (clean) => cleanings.unshift(clean) }
  const [postgres, redis, swift] = [
    await PostgresServer.start(t, { fsync: true }),
    await startRedis(t),
    await startSwift(t),
  ]
  await createBucket(swift)
  const store = (schema) => ['--store', postgres.address(schema)]
  const leases = ['--redis', redis.address]
  const blobs = ['--blobs', documentsAddress(swift)]
  const embedded = await serverOn('embedded', [], path)
  for (const [name, options] of [
    ['PostgreSQL', store('alone')],
    ['Redis', leases],
    ['an object store', blobs],
    ['all of them', [...store('together'), ...leases, ...blobs]],
  ]) {
    const other = await serverOn(name, options, path)
    await compare(`cached page images a second on ${name}`, { embedded, other, atOnce: 8, requests: 800 }, picture)
    await compare(`changes a second of one document on ${name}`, { embedded, other, atOnce: 8, requests: 80 }, change)
    await compare(`changes one after the other on ${name}`, { embedded, other, atOnce: 1, requests: 30 }, change)
    await compare(`uploads a second on ${name}`, { embedded, other, atOnce: 4, requests: 40 }, upload)
    await compare(`downloads a second on ${name}`, { embedded, other, atOnce: 4, requests: 80 }, download)
    await other.server.stop()
  }
} finally {
  for (const clean of cleanings) await clean()
}
report.print()

/** Starts a server with one document whose first page has been drawn once, and the tenant that uploads go to. */
async function serverOn(name, options, path) {
  const folder = join(scratch, name)
  const server = await startDocumentServer({ program, folder, threads: 1, options })
  cleanings.unshift(() => server.stop())
  const api = new Client(server.url, server.apiToken)
  await send(api, '/v1/tenants', { id: 'acme' })
  const id = await uploadFile(path, { program, folder })
  const { pages } = await server.json(`/v1/docs/${id}/layers/default/manifest`)
  const [picturePath] = await server.pictures(id)
  return { server, api, id, page: pages[0].page, picturePath }
}

function picture({ server, picturePath }) {
  return server.get(picturePath)
}

function change({ api, id, page }) {
  return changed(api, `/v1/docs/${id}/layers/default`, page)
}

function upload({ api }) {
  return uploaded(api, onePage('0 0 99 99 re f'))
}

function download({ server, id }) {
  return server.drain(`/v1/tenants/default/documents/${id}/download`)
}

/** Reports the median ratio of rounds, in each of which both servers do the same number of requests. */
async function compare(name, { embedded, other, atOnce, requests }, work) {
  const ratios = []
  for (let round = 0; round <= rounds; round++) {
    const [embeddedRate, otherRate] = [
      await rateOf(requests, atOnce, () => work(embedded)),
      await rateOf(requests, atOnce, () => work(other)),
    ]
    // The first round warms both up.
    if (round > 0) ratios.push(otherRate / embeddedRate)
    if (process.env.BENCH_SHOWS_TIMES) console.log({ name, embeddedRate, otherRate })
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]
  report.row(`${name}, against the embedded engines`, median)
}

/** Returns requests a second. */
async function rateOf(requests, atOnce, send) {
  let sent = 0
  const startedMs = performance.now()
  const sender = async () => {
    while (sent < requests) {
      sent += 1
      await send()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
  return (1000 * requests) / (performance.now() - startedMs)
}
