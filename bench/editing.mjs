import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Level } from 'level'
import { startDocumentServer, uploadFile } from './document-server.mjs'
import { pagedPdf } from './large-lists.mjs'
import { largePdf } from './pdfs.mjs'
import { Report } from './report.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'dist/agents.js')
const scratch = mkdtempSync(join(tmpdir(), 'editing-bench-'))
const report = new Report()
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
/** Shown beside the other rows, without a target. */
const shown = { unit: '/s', isLeast: true }
/** Number of changes before those that are counted: a server that runs for months has compiled its code. */
const warmUpChanges = 5000
/** Number of rounds, whose median counts: other processes share the processor. */
const rounds = 5
/** Maximum number of ops in a change. */
const opsMax = 512
let opIds = 0
const upload = (path, folder) => uploadFile(path, { program, folder })

try {
  const small = join(scratch, '1-mb.pdf')
  const large = join(scratch, '100-mb.pdf')
  await largePdf(small, 1_000_000)
  // Measured before large writes keep the disk busy.
  await durableChanges(small)
  await largePdf(large, 100_000_000)
  await withServer(async (server, folder) => {
    const ids = { small: await upload(small, folder), large: await upload(large, folder) }
    await annotations(server, ids)
    await manyAtOnce(server, await upload(small, folder))
    await downloads(server, ids.large)
    await manyPages(server, folder)
  })
  await withServer((server, folder) => undoing(server, folder, small))
} finally {
  agent.destroy()
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = report.print() ? 0 : 1

async function annotations(server, ids) {
  const taken = {}
  for (const [size, id] of Object.entries(ids)) {
    const annotate = await annotatorOf(server, id)
    await inTurn(20, annotate)
    taken[size] = median(await inTurn(60, annotate))
  }
  report.row('one annotation on a 100 MB document, hot, against 1 MB', taken.large / taken.small, 1.5)
}

/** Compares documents that differ in nothing but the number of pages, with the same change. */
async function manyPages(server, folder) {
  const taken = []
  for (const count of [1, 50_000]) {
    const path = join(scratch, `${count}-pages.pdf`)
    writeFileSync(path, pagedPdf(count))
    const annotate = await annotatorOf(server, await upload(path, folder))
    await inTurn(20, annotate)
    taken.push(median(await inTurn(60, annotate)))
  }
  report.row('one annotation on a document of 50,000 pages, hot, against 1 page', taken[1] / taken[0], 2)
}

/** Measures a change with the maximum number of ops, all on one page. */
async function manyAtOnce(server, id) {
  const { pages } = await server.json(`/v1/docs/${id}/layers/default/manifest`)
  const alone = median(await inTurn(60, await annotatorOf(server, id)))
  const together = await changed(server, id, { ops: Array.from({ length: opsMax }, () => annotationOn(pages[0].page)) })
  const undone = await changed(server, id, { undoOf: together.opId })
  report.row(`one of ${opsMax} annotations in one change, against one alone`, together.ms / opsMax / alone, 1)
  report.row(`undo of one of ${opsMax} annotations in one change, against one alone`, undone.ms / opsMax / alone, 1)
}

/** Compares downloads of an edited layer and of an unedited one of the same document. */
async function downloads(server, id) {
  const path = (layer) => `/v1/docs/${id}/layers/${layer}/download`
  const times = { default: [], untouched: [] }
  for (let round = 0; round < 15; round++) {
    for (const [layer, taken] of Object.entries(times)) taken.push((await sent(server, path(layer))).ms)
  }
  const ratio = median(times.default) / median(times.untouched)
  report.row('download of an edited 100 MB layer, against the bare file', ratio, 1.2)
}

async function undoing(server, folder, path) {
  const id = await upload(path, folder)
  const annotate = await annotatorOf(server, id)
  const applied = []
  for (let index = 0; index < 500; index++) applied.push(await annotate())
  const applying = median(applied.slice(-60).map(({ ms }) => ms))
  const undone = []
  for (let index = 0; index < 40; index++) {
    const { opId } = applied[(index * 137) % applied.length]
    undone.push((await changed(server, id, { undoOf: opId })).ms)
  }
  report.row('undo of one of 500 changes, against applying one', median(undone) / applying, 3)
}

async function durableChanges(path) {
  report.row('bare synced commits a second of the store, one after the other', await bareCommits(1), 0, shown)
  report.row('bare synced commits a second of the store, 50 that share a sync', await bareCommits(50), 0, shown)
  await withServer(async (server, folder) => {
    const annotators = []
    for (let index = 0; index < 50; index++) annotators.push(await annotatorOf(server, await upload(path, folder)))
    await rateOf(warmUpChanges, 50, inRotation(annotators))
    await durable(server, annotators.slice(0, 1), { name: 'one document', atOnce: 8, requests: 200, target: 150 })
    await durable(server, annotators, { name: '50 documents', atOnce: 50, requests: 800, target: 500 })
  })
}

async function durable(server, annotators, { name, atOnce, requests, target }) {
  const syncsBefore = await syncsOf(server)
  const rates = []
  for (let round = 0; round < rounds; round++) rates.push(await rateOf(requests, atOnce, inRotation(annotators)))
  report.row(`durable changes a second on ${name}`, median(rates), target, { unit: '/s', isLeast: true })
  const syncs = ((await syncsOf(server)) - syncsBefore) / (rounds * requests)
  report.row(`syncs of the store for one change on ${name}`, syncs, 1.1, { unit: 'syncs' })
}

function inRotation(works) {
  let next = 0
  return () => works[next++ % works.length]()
}

/** Measures what the store alone does with rows of the size of a change. */
async function bareCommits(atOnce) {
  const level = new Level(mkdtempSync(join(scratch, 'store-')), { keyEncoding: 'view', valueEncoding: 'view' })
  await level.open()
  const value = new Uint8Array(512)
  let keys = 0
  const rowsOf = () =>
    Array.from({ length: 6 * atOnce }, () => ({ type: 'put', key: Buffer.from(`key ${keys++}`), value }))
  const rate = await rateOf(300, 1, () => level.batch(rowsOf(), { sync: true }))
  await level.close()
  return rate * atOnce
}

async function syncsOf(server) {
  const { body } = await server.get('/metrics')
  return Number(/event="store-sync"\} (\d+)/.exec(body.toString('utf8'))?.[1] ?? 0)
}

/** Adds a note to the first page, each time it is called. */
async function annotatorOf(server, id) {
  const { pages } = await server.json(`/v1/docs/${id}/layers/default/manifest`)
  return () => changed(server, id, { ops: [annotationOn(pages[0].page)] })
}

function annotationOn(page) {
  const rect = { x: 20 + (opIds % 400), y: 20 + (opIds % 700), width: 60, height: 40 }
  const data = { subtype: 'square', rect, color: '#ff0000', contents: 'Please look at this again' }
  return { type: 'annotations.create', page, data }
}

async function changed(server, id, work) {
  const opId = `bench-${opIds++}`
  const body = Buffer.from(JSON.stringify({ changes: [{ opId, ...work }] }))
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const answer = await sent(server, `/v1/docs/${id}/layers/default/changes`, { method: 'POST', headers, body })
  const [{ status, error }] = JSON.parse(answer.text).changes
  if (status !== 'applied') throw new Error(`a change was refused: ${JSON.stringify(error)}`)
  return { ms: answer.ms, opId }
}

/** Sends a request over a reused connection; reads the text only if it is small. */
function sent(server, path, { method = 'GET', headers = {}, body } = {}) {
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${server.apiToken}`
    const asked = request(
      `${server.url}${path}`,
      { agent, method, headers: { ...headers, authorization } },
      (answer) => {
        const chunks = []
        answer.on('data', (chunk) => method === 'POST' && chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () => {
          const said = Buffer.concat(chunks).toString('utf8')
          if (answer.statusCode === 200) resolve({ ms: performance.now() - startedMs, text: said })
          else reject(new Error(`${path} was answered with ${answer.statusCode}: ${said.slice(0, 300)}`))
        })
      },
    )
    asked.on('error', reject)
    asked.end(body)
  })
}

async function withServer(work) {
  const folder = mkdtempSync(join(scratch, 'data-'))
  const server = await startDocumentServer({ program, folder, threads: 2 })
  try {
    await work(server, folder)
  } finally {
    await server.stop()
  }
}

async function rateOf(requests, atOnce, once) {
  let left = requests
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await once()
    }),
  )
  return (1000 * requests) / (performance.now() - startedMs)
}

async function inTurn(times, once) {
  const taken = []
  for (let index = 0; index < times; index++) taken.push((await once()).ms)
  return taken
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
