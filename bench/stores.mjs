// Price of a store on PostgreSQL: two servers, one on each store, do the same work in turn. Ratios, without targets:
// both share the processor with the database.
//
//   node --import ./scripts/typescript.mjs bench/stores.mjs [--rounds N]
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PostgresServer } from '../test/support/engines/postgres.ts'
import { startDocumentServer, uploadFile } from './document-server.mjs'
import { largePdf } from './pdfs.mjs'
import { Report } from './report.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'dist/agents.js')
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const rounds = Number(values.rounds)
const scratch = mkdtempSync(join(tmpdir(), 'stores-bench-'))
const report = new Report()
const cleanings = [() => rmSync(scratch, { recursive: true, force: true })]
let opIds = 0

try {
  const path = join(scratch, '1-mb.pdf')
  await largePdf(path, 1_000_000)
  const postgres = await PostgresServer.start({ teardown: (clean) => cleanings.unshift(clean) }, { fsync: true })
  const embedded = await serverOn('embedded', [], path)
  const database = await serverOn('database', ['--store', postgres.address()], path)
  await compare('cached page images a second', { embedded, database, atOnce: 8, requests: 800 }, picture)
  await compare('changes a second on one document', { embedded, database, atOnce: 8, requests: 80 }, change)
  await compare('changes a second, one after the other', { embedded, database, atOnce: 1, requests: 30 }, change)
  await embedded.server.stop()
  await database.server.stop()
} finally {
  for (const clean of cleanings) await clean()
}
report.print()

/** Starts a server with one document whose first page has been drawn once. */
async function serverOn(name, options, path) {
  const folder = join(scratch, name)
  const server = await startDocumentServer({ program, folder, threads: 1, options })
  const id = await uploadFile(path, { program, folder })
  const { pages } = await server.json(`/v1/docs/${id}/layers/default/manifest`)
  const [picturePath] = await server.pictures(id)
  return { server, id, page: pages[0].page, picturePath }
}

function picture({ server, picturePath }) {
  return server.get(picturePath)
}

async function change({ server, id, page }) {
  const rect = { x: 20 + (opIds % 400), y: 20, width: 60, height: 40 }
  const ops = [{ type: 'annotations.create', page, data: { subtype: 'square', rect, color: '#ff0000' } }]
  const answer = await server.post(`/v1/docs/${id}/layers/default/changes`, {
    changes: [{ opId: `bench-${opIds++}`, ops }],
  })
  if (answer.changes[0].status !== 'applied') throw new Error(JSON.stringify(answer.changes[0]))
}

/** Reports the median ratio of rounds, in each of which both servers do the same number of requests. */
async function compare(name, { embedded, database, atOnce, requests }, work) {
  const ratios = []
  for (let round = 0; round <= rounds; round++) {
    const [embeddedRate, databaseRate] = [
      await rateOf(requests, atOnce, () => work(embedded)),
      await rateOf(requests, atOnce, () => work(database)),
    ]
    // The first round warms both up.
    if (round > 0) ratios.push(databaseRate / embeddedRate)
    if (process.env.BENCH_SHOWS_TIMES) console.log({ name, embeddedRate, databaseRate })
  }
  const median = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)]
  report.row(`${name} on PostgreSQL, against the embedded store`, median)
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
