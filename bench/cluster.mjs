// `npm run bench -- cluster`: what more processes give, as ratios to one: processes of one server on the embedded store, and servers
// behind nginx on PostgreSQL, Redis and an object store. They cannot give more than this machine has cores, and the client uses
// one of them. What each engine costs is measured by `stores.mjs`.
//
//   node --import ./scripts/typescript.mjs bench/cluster.mjs [--rounds N]
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startCluster } from '../test/cluster/cluster.ts'
import { startNginx } from '../test/cluster/processes.ts'
import { Client } from '../test/server/support/client.ts'
import { freePort } from '../test/support/free-port.ts'
import { onePage } from '../test/support/pdf/raw-pdf.ts'
import { startDocumentServer } from './document-server.mjs'
import { Report } from './report.mjs'
import { changed, get, send, uploaded } from './requests.mjs'

const program = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/agents.js')
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } })
const rounds = Number(values.rounds)
const scratch = mkdtempSync(join(tmpdir(), 'cluster-bench-'))
const endings = [() => rmSync(scratch, { recursive: true, force: true })]
const report = new Report()
const documents = 12
const atOnce = 16

const works = {
  'cached page images a second': {
    requests: 600,
    run: ({ api, pictures }, index) => get(api, pictures[index % documents]),
  },
  'changes a second': {
    requests: 120,
    run: ({ api, ids, page }, index) => changed(api, `/v1/docs/${ids[index % documents]}/layers/default`, page),
  },
  'uploads a second': { requests: 60, run: ({ api }) => uploaded(api, onePage('0 0 99 99 re f')) },
}

try {
  console.log(`${availableParallelism()} cores, ${rounds} rounds`)
  await compare((count) => `with --processes ${count}, against 1`, await processesOfOneServer())
  await compare((count) => `of ${count} servers behind nginx, against 1`, await serversBehindNginx())
} finally {
  for (const end of endings) await end()
}
report.print()

/** Returns a server for each number of processes. */
async function processesOfOneServer() {
  const variants = new Map()
  for (const count of [1, 2, 4]) {
    const folder = join(scratch, `processes-${count}`)
    const options = ['--processes', String(count)]
    const server = await startDocumentServer({ program, folder, threads: 4, options })
    endings.unshift(() => server.stop())
    const api = new Client(server.url, server.apiToken)
    await send(api, '/v1/tenants', { id: 'acme' })
    variants.set(count, await prepared(api))
  }
  return variants
}

/** Returns a balancer for each number of servers; all are servers of one deployment. */
async function serversBehindNginx() {
  const cluster = await startCluster({ teardown: (end) => endings.unshift(end) }, { folder: scratch, processes: 3 })
  await send(new Client(cluster.url, cluster.apiToken), '/v1/tenants', { id: 'acme' })
  const variants = new Map()
  for (const count of [1, 2, 3]) {
    const port = await freePort()
    const nginx = await startNginx(join(scratch, `nginx-${count}`), port, cluster.servers.slice(0, count))
    endings.unshift(() => nginx.kill('SIGTERM'))
    variants.set(count, await prepared(new Client(`http://127.0.0.1:${port}`, cluster.apiToken)))
  }
  return variants
}

async function prepared(api) {
  const ids = []
  for (let index = 0; index < documents; index++) ids.push(await uploaded(api, onePage('0 0 99 99 re f')))
  const [{ page }] = (await get(api, `/v1/docs/${ids[0]}/layers/default/manifest`)).json().pages
  const pictures = ids.map((id) => `/v1/docs/${id}/layers/default/render/pages/obj:${page.objectNumber}/data`)
  return { api, ids, page, pictures }
}

/** Reports the median ratio of rounds, in each of which every variant does the same number of requests. */
async function compare(title, variants) {
  for (const [name, work] of Object.entries(works)) {
    const ratios = new Map([...variants.keys()].map((count) => [count, []]))
    for (let round = 0; round <= rounds; round++) {
      const rates = new Map()
      for (const [count, variant] of variants) rates.set(count, await rateOf(work, variant))
      // The first round warms all up.
      if (round > 0) for (const [count, rate] of rates) ratios.get(count).push(rate / rates.get(1))
      if (process.env.BENCH_SHOWS_TIMES) console.log(name, Object.fromEntries(rates))
    }
    for (const [count, found] of ratios) {
      if (count > 1) report.row(`${name} ${title(count)}`, medianOf(found))
    }
  }
}

function medianOf(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

/** Returns requests a second. */
async function rateOf({ requests, run }, variant) {
  let sent = 0
  const startedMs = performance.now()
  const sender = async () => {
    while (sent < requests) await run(variant, sent++)
  }
  await Promise.all(Array.from({ length: atOnce }, sender))
  return (1000 * requests) / (performance.now() - startedMs)
}
