// `npm run bench`, second half: the document server on real files, as ratios measured in one run.
//
//   node bench/documents.mjs [--corpus FOLDER]
//
// A corpus of real files is taken from --corpus, STEWARD_CORPUS or ../shared/corpus; without one, files are made.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { firstLine, get, startDocumentServer, uploadFile } from './document-server.mjs'
import { besideLargeLists } from './large-lists.mjs'
import { largePdf, mixedPdfs } from './pdfs.mjs'
import { Report } from './report.mjs'
import { twoThreadsAgainstOne } from './threads.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'dist/agents.js')
const { values } = parseArgs({ options: { corpus: { type: 'string' } } })
const corpus = values.corpus ?? process.env.STEWARD_CORPUS ?? join(root, '../shared/corpus')
const scratch = mkdtempSync(join(tmpdir(), 'documents-bench-'))
const report = new Report()
const at800 = 'viewport.kind=width&viewport.width=800'
/** Every width is another cache key, and the same work to draw. */
let asked = 0
function nextWidth() {
  asked += 1
  return `viewport.kind=width&viewport.width=${800 + asked / 100_000}`
}
const upload = (path, folder, options) => uploadFile(path, { program, folder, ...options })

try {
  const mixed = await mixedPdfs(scratch, corpus)
  const small = join(scratch, '1-mb.pdf')
  const large = join(scratch, '100-mb.pdf')
  await largePdf(small, 1_000_000)
  await largePdf(large, 100_000_000)
  const direct = JSON.parse(
    execFileSync(process.execPath, [join(root, 'bench/raster.mjs'), ...mixed], { encoding: 'utf8' }),
  )

  await cachedPictures(mixed[0])
  await cachedPicturesOfOthers(small)
  await warmPictures(mixed, direct)
  await twoThreads(mixed)
  againstNative(mixed, direct)
  await besideHostileFiles(mixed[0])
  await besideLists()
  await largeFiles(small, large)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = report.print() ? 0 : 1

async function cachedPictures(path) {
  await withServer({}, async (server, folder) => {
    const [picture] = await server.pictures(await upload(path, folder))
    const { body } = await server.get(`${picture}?${at800}`)
    const file = join(scratch, 'picture.webp')
    writeFileSync(file, body)
    const bare = spawn(process.execPath, [join(root, 'bench/bare-server.mjs'), file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const { url } = JSON.parse(await firstLine(bare.stdout))
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    const bareRate = await rate(() => get(url, { agent }))
    const cachedRate = await rate(() => server.get(`${picture}?${at800}`))
    agent.destroy()
    bare.kill()
    await once(bare, 'exit')
    report.row('cached page images a second, against a bare route with the same bytes', cachedRate / bareRate, 0.6, {
      isLeast: true,
    })
  })
}

/** Requests pictures with a document token; requests with the API token cost the least. */
async function cachedPicturesOfOthers(path) {
  await withServer({}, async (server, folder) => {
    const id = await upload(path, folder)
    const [picture] = await server.pictures(id)
    const plain = () => server.get(`${picture}?${at800}`)
    await plain()
    const token = await server.documentToken(id)
    const ratio = await slowdown(() => server.get(`${picture}?${at800}`, { token }), plain)
    report.row('cached page image sent to a document token, against the API token', ratio, 1.35)
    await ofEncrypted(path, { server, folder, plain })
  })
}

async function ofEncrypted(path, { server, folder, plain }) {
  const work = 'cached page image of an encrypted document, against one that is not'
  const encrypted = join(scratch, 'encrypted.pdf')
  const { error } = spawnSync('qpdf', ['--encrypt', 'open sesame', 'owner', '256', '--', path, encrypted])
  if (error) return report.skip(work, 'apt-get install qpdf')
  const id = await upload(encrypted, folder)
  const headers = { 'x-document-password': Buffer.from('open sesame').toString('base64') }
  const { body } = await server.get(`/v1/docs/${id}/layers/default/manifest`, { headers })
  const [{ page }] = JSON.parse(body.toString('utf8')).pages
  const picture = `/v1/docs/${id}/layers/default/render/pages/obj:${page.objectNumber}/data?${at800}`
  report.row(work, await slowdown(() => server.get(picture, { headers }), plain), 1.35)
}

/** Compares single requests of both kinds in turn, so that a machine that slows down slows both. */
async function slowdown(once, against) {
  const taken = { once: [], against: [] }
  for (let index = 0; index < 600; index++) {
    taken.against.push((await against()).ms)
    taken.once.push((await once()).ms)
  }
  return median(taken.once) / median(taken.against)
}

async function warmPictures(paths, { pictureMs }) {
  await withServer({ threads: 1 }, async (server, folder) => {
    let served = 0
    for (const path of paths) {
      const [picture] = await server.pictures(await upload(path, folder))
      await server.get(`${picture}?${nextWidth()}`)
      served += median(await inTurn(5, () => server.get(`${picture}?${nextWidth()}`)))
    }
    report.row(
      'uncached page image of a warm document, 800 px, against raster and encoding alone',
      served / sum(pictureMs),
      1.5,
    )
  })
}

async function twoThreads(paths) {
  const work = 'pages a second with two threads, 8 mixed documents, against one'
  report.row(work, await twoThreadsAgainstOne(paths, scratch), 1.7, { isLeast: true })
}

function againstNative(paths, { rasterMs }) {
  const work = 'raster without encoding, against native mutool draw'
  if (spawnSync('mutool', ['-v']).error) return report.skip(work, 'apt-get install mupdf-tools')
  const start = median(Array.from({ length: 5 }, () => elapsed(() => spawnSync('mutool', ['-v']))))
  const native = paths.map((path) =>
    median(
      Array.from(
        { length: 5 },
        () =>
          elapsed(() => spawnSync('mutool', ['draw', '-w', '800', '-F', 'ppm', '-o', '/dev/null', path, '1'])) - start,
      ),
    ),
  )
  report.row(`${work}, summed, its start taken off`, sum(rasterMs) / sum(native), 1.6)
}

async function besideHostileFiles(path) {
  const work = '95th percentile of other requests while hostile files are read, against unloaded'
  const hostile = join(corpus, 'hostile')
  if (!existsSync(hostile)) return report.skip(work, 'no corpus of hostile files')
  await withServer({}, async (server, folder) => {
    const [picture] = await server.pictures(await upload(path, folder))
    const unloaded = percentile(await inTurn(200, () => server.get(`${picture}?${nextWidth()}`)), 0.95)
    const attacks = []
    for (const name of readdirSync(hostile).filter((name) => name.endsWith('.pdf'))) {
      const id = await upload(join(hostile, name), folder, { mayFail: true })
      if (id !== '') attacks.push(id)
    }
    const reading = Promise.all(attacks.map((id) => attack(server, id)))
    const loaded = percentile(await inTurn(200, () => server.get(`${picture}?${nextWidth()}`)), 0.95)
    await reading
    report.row(work, loaded / unloaded, 3)
  })
}

async function besideLists() {
  await withServer({}, async (server, folder) => {
    const { unloaded, loaded } = await besideLargeLists(server, {
      folder: scratch,
      upload: (path) => upload(path, folder),
    })
    const work = '95th percentile of small requests beside eight readers of the largest lists, against unloaded'
    report.row(work, percentile(loaded, 0.95) / percentile(unloaded, 0.95), 30)
  })
}

async function attack(server, id) {
  const { status, body } = await server.get(`/v1/docs/${id}/layers/default/manifest`, { mayFail: true })
  const [first] = status === 200 ? JSON.parse(body.toString('utf8')).pages : []
  if (!first) return
  const page = `obj:${first.page.objectNumber}`
  const reads = [`render/pages/${page}/data?${at800}`, `text/pages/${page}/data`, `annotations/pages/${page}/items`]
  await Promise.all(reads.map((read) => server.get(`/v1/docs/${id}/layers/default/${read}`, { mayFail: true })))
}

async function largeFiles(small, large) {
  const opened = []
  for (const path of [small, large]) {
    const folder = mkdtempSync(join(scratch, 'data-'))
    let picture = ''
    await withServer({ folder }, async (server) => {
      // The first upload of all loads the modules that every later one uses.
      if (path === large) await upload(small, folder)
      const before = server.residentBytes()
      let peak = before
      const watch = setInterval(() => (peak = Math.max(peak, server.residentBytes())), 20)
      const id = await upload(path, folder)
      clearInterval(watch)
      picture = (await server.pictures(id))[0]
      if (path === large) report.row('memory that an upload of 100 MB takes', (peak - before) / 1e6, 40, { unit: 'MB' })
    })
    // A restarted server has no open documents.
    await withServer({ folder }, async (server) => void opened.push((await server.get(`${picture}?${at800}`)).ms))
  }
  report.row('open and first page of a 100 MB file, against 1 MB', opened[1] / opened[0], 3)
}

async function withServer({ threads, folder = mkdtempSync(join(scratch, 'data-')) }, work) {
  const server = await startDocumentServer({ program, folder, threads })
  try {
    await work(server, folder)
  } finally {
    await server.stop()
  }
}

async function rate(once, { requests = 2000, atOnce = 16 } = {}) {
  let left = requests
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (left-- > 0) await once()
    }),
  )
  return requests / (performance.now() - startedMs)
}

async function inTurn(times, once) {
  const taken = []
  for (let index = 0; index < times; index++) taken.push((await once()).ms)
  return taken
}

function elapsed(work) {
  const startedMs = performance.now()
  work()
  return performance.now() - startedMs
}

function percentile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function median(numbers) {
  return percentile(numbers, 0.5)
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
