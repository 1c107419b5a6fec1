// `npm run bench`, fourth part: what a small tenant waits for beside a greedy one, against the same requests alone.
//
//   node bench/fairness.mjs [--program FILE]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import { startDocumentServer } from './document-server.mjs'
import { Report } from './report.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const { values } = parseArgs({ options: { program: { type: 'string' } } })
const program = values.program ?? join(root, 'dist/agents.js')
const scratch = mkdtempSync(join(tmpdir(), 'fairness-bench-'))
const report = new Report()
/** Number of samples of each kind of request, alone and beside the greedy tenant. */
const samples = 160
const greedyAtOnce = 16
let counted = 0
const next = () => counted++

try {
  const small = await textPdf('Small')
  const options = ['--threads', '2', '--import-http', '--import-allow', '127.0.0.1/32']
  const source = await sourceOf(small)
  const server = await startDocumentServer({ program, folder: join(scratch, 'data'), options })
  try {
    const requests = await smallTenant(server, small, source)
    for (const request of Object.values(requests)) await inTurn(5, request)
    const alone = await measured(requests)
    const greedy = await greedyTenant(server, await textPdf('Greedy'))
    const beside = await measured(requests)
    const drawn = await greedy.stop()
    if (process.env.BENCH_SHOWS_TIMES) console.log({ alone, beside })
    for (const name of Object.keys(requests)) {
      report.row(
        `p95 of ${name} beside a tenant that draws largest pictures, against alone`,
        beside[name] / alone[name],
        2,
      )
    }
    report.row('requests of the small tenant that were refused', beside.refused, 0, { unit: 'requests' })
    report.row('largest pictures that were drawn meanwhile', drawn, 1, { unit: 'pictures', isLeast: true })
  } finally {
    await server.stop()
    source.close()
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = report.print() ? 0 : 1

/** Sends one request of each kind in turn, so that all meet the same load of the machine. */
async function measured(requests) {
  const taken = Object.fromEntries(Object.keys(requests).map((name) => [name, []]))
  let refused = 0
  for (let sample = 0; sample < samples; sample++) {
    for (const [name, request] of Object.entries(requests)) {
      const startedMs = performance.now()
      if (!(await request())) refused += 1
      taken[name].push(performance.now() - startedMs)
    }
  }
  return { refused, ...Object.fromEntries(Object.entries(taken).map(([name, all]) => [name, percentile(all, 0.95)])) }
}

/** Returns requests of a small tenant; each resolves to true if it was answered. */
async function smallTenant(server, pdf, source) {
  const id = await upload(server, 'small', pdf)
  const layer = `/v1/docs/${id}/layers/default`
  const page = await firstPage(server, layer)
  const post = (path, body) => call(server, path, { method: 'POST', body: JSON.stringify(body) })
  const data = { subtype: 'square', rect: { x: 20, y: 20, width: 60, height: 40 }, color: '#ff0000' }
  return {
    render: () => isDone(call(server, `${layer}/render/pages/obj:${page}/data?${widthOf(800)}`)),
    change: () => {
      const ops = [{ type: 'annotations.create', page: { objectNumber: page }, data }]
      return isDone(post(`${layer}/changes`, { changes: [{ opId: `fair-${next()}`, ops }] }))
    },
    'the first frame of events': async () => {
      const answer = await call(server, `${layer}/events`)
      const reader = answer.body.getReader()
      await reader.read()
      await reader.cancel()
      return answer.ok
    },
    import: () => isDone(post('/v1/tenants/small/documents/import', { source: { kind: 'url', url: source.url } })),
  }
}

async function greedyTenant(server, pdf) {
  const id = await upload(server, 'greedy', pdf)
  const layer = `/v1/docs/${id}/layers/default`
  const page = await firstPage(server, layer)
  const path = `${layer}/render/pages/obj:${page}/data`
  const { url, apiToken } = server
  const script = fileURLToPath(new URL('greedy.mjs', import.meta.url))
  const work = JSON.stringify({ url, apiToken, path, atOnce: greedyAtOnce, width: 5200 })
  const child = spawn(process.execPath, [script, work], { stdio: ['pipe', 'pipe', 'inherit'] })
  const printed = text(child.stdout)
  /** Stops the load and resolves to the number of pictures that were drawn. */
  const stop = async () => {
    child.stdin.end()
    return Number(await printed)
  }
  return { stop }
}

/** Every width is another cache key, and the same work to draw. */
function widthOf(width) {
  return `viewport.kind=width&viewport.width=${width - next() / 100_000}&format=png`
}

async function firstPage(server, layer) {
  const { pages } = await (await call(server, `${layer}/manifest`)).json()
  return pages[0].page.objectNumber
}

async function upload(server, tenant, pdf) {
  await call(server, '/v1/tenants', { method: 'POST', body: JSON.stringify({ id: tenant }) })
  const path = `/v1/tenants/${tenant}/documents`
  const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', pdf)).toString('hex')
  const init = { contentLength: pdf.length, contentSha256: sha256 }
  const announced = await (await call(server, `${path}/init`, { method: 'POST', body: JSON.stringify(init) })).json()
  const body = new FormData()
  body.set('file', new Blob([pdf], { type: 'application/pdf' }), 'document.pdf')
  const { id } = announced.document
  await finished(call(server, announced.upload.url, { method: 'POST', body }))
  await finished(call(server, `${path}/${id}/commit`, { method: 'POST', body: JSON.stringify({ sha256 }) }))
  return id
}

function call({ url, apiToken }, path, { method = 'GET', body } = {}) {
  const json = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
  return fetch(new URL(path, url), { method, body, headers: { authorization: `Bearer ${apiToken}`, ...json } })
}

async function isDone(answering) {
  const answer = await answering
  await answer.arrayBuffer()
  return answer.ok
}

async function finished(answering) {
  const answer = await answering
  if (!answer.ok) throw new Error(`${answer.url} was answered with ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

function sourceOf(pdf) {
  const source = createServer((_request, response) => response.setHeader('Content-Length', pdf.length).end(pdf))
  return new Promise((resolve) => {
    source.listen(0, '127.0.0.1', () => {
      resolve({ url: `http://127.0.0.1:${source.address().port}/small.pdf`, close: () => source.close() })
    })
  })
}

async function textPdf(word) {
  const pdf = await PDFDocument.create()
  const page = pdf.addPage([595, 842])
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (let line = 0; line < 40; line++) {
    page.drawText(`${line} ${word} ${'as it is written in every line of the page '.repeat(2)}`, {
      x: 40,
      y: 800 - line * 18,
      size: 10,
      font,
    })
  }
  return Buffer.from(await pdf.save())
}

async function inTurn(times, once) {
  for (let index = 0; index < times; index++) await once()
}

function percentile(numbers, share) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}
