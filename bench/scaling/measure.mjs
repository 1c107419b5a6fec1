// Measures what one request costs each part of a deployment on PostgreSQL, Redis and an object store, and writes the figures
// that the simulation reads (`figures.json`). Costs are processor time and bytes, which hardly depend on other load.
//
//   node --import ./scripts/typescript.mjs bench/scaling/measure.mjs
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCluster } from '../../test/cluster/cluster.ts'
import { Client } from '../../test/server/support/client.ts'
import { largePdf } from '../pdfs.mjs'
import { changed, get, send, uploaded } from '../requests.mjs'
import { descendants, processorMs } from './processor-time.mjs'

const folder = dirname(fileURLToPath(import.meta.url))
const scratch = mkdtempSync(join(tmpdir(), 'scaling-bench-'))
const endings = [() => rmSync(scratch, { recursive: true, force: true })]
const documents = 24

try {
  const path = join(scratch, 'document.pdf')
  await largePdf(path, 1_000_000)
  const figures = await measure(readFileSync(path))
  writeFileSync(join(folder, 'figures.json'), `${JSON.stringify(figures, undefined, 2)}\n`)
  console.log(figures)
} finally {
  for (const end of endings) await end()
}

async function measure(bytes) {
  const cluster = await startCluster({ teardown: (end) => endings.unshift(end) }, { folder: scratch, processes: 1 })
  const [server] = cluster.servers
  const api = new Client(server.url, cluster.apiToken)
  await send(api, '/v1/tenants', { id: 'acme' })
  const ids = []
  const upload = async () => void ids.push(await uploaded(api, bytes))
  await upload()
  const costOf = (times, work) => cost({ cluster, times, work })
  const uploads = await costOf(documents, upload)
  const layer = (id) => `/v1/docs/${id}/layers/default`
  const page = (await get(api, `${layer(ids[0])}/manifest`)).json().pages[0].page
  const picture = (id, width) =>
    get(api, `${layer(id)}/render/pages/obj:${page.objectNumber}/data?viewport.kind=width&viewport.width=${width}`)
  await picture(ids[0], 800)
  const cachedPicture = await costOf(2000, () => picture(ids[0], 800))
  const drawnPicture = await costOf(100, (index) => picture(ids[0], 801 + index / 1000))
  const pictureBytes = (await picture(ids[0], 800)).bytes.length
  const change = await costOf(300, (index) => changed(api, layer(ids[index % documents]), page))
  // A process that has just started has neither open documents nor local copies.
  await server.end('SIGTERM')
  await server.start()
  await picture(ids[0], 900)
  const openedDocument = await costOf(documents, (index) => picture(ids[index + 1], 900))
  return {
    measuredOn: `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}`,
    documentBytes: bytes.length,
    pictureBytes,
    ...{ cachedPicture, drawnPicture, openedDocument, change, upload: uploads },
  }
}

/** Returns the mean cost of one call of `work`: processor time of each part in milliseconds, bytes of the log of PostgreSQL. */
async function cost({ cluster, times, work }) {
  const before = await used(cluster)
  for (let index = 0; index < times; index++) await work(index)
  const after = await used(cluster)
  return Object.fromEntries(Object.keys(before).map((name) => [name, round((after[name] - before[name]) / times)]))
}

async function used({ servers: [server], postgres }) {
  const [{ lsn }] = await postgres.sql("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as lsn")
  return {
    serverMs: processorMs([server.pid]),
    databaseMs: processorMs(descendants('postgres')),
    redisMs: processorMs(descendants('redis-server')),
    databaseLogBytes: lsn,
  }
}

function round(value) {
  return Number(value.toPrecision(3))
}
