// `npm run bench -- viewers`: what people who look at documents wait for, as ratios measured in one run: 50 viewers that
// scroll through a document of 500 pages, against bare static files of the same bytes; and the transfer of 20,000
// annotations, against their bytes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstLine, get, startDocumentServer, uploadFile } from './document-server.mjs'
import { annotatedPdf } from './large-lists.mjs'
import { textPdf } from './pdfs.mjs'
import { Report } from './report.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'dist/agents.js')
const scratch = mkdtempSync(join(tmpdir(), 'viewers-bench-'))
const report = new Report()
const pageCount = 500
const viewerCount = 50
/** Pages that each viewer scrolls through. */
const scrolled = 80

try {
  const folder = join(scratch, 'data')
  const server = await startDocumentServer({ program, folder })
  try {
    await scroll(server, folder)
    await annotations(server, folder)
  } finally {
    await server.stop()
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = report.print() ? 0 : 1

async function scroll(server, folder) {
  const path = join(scratch, 'long.pdf')
  writeFileSync(path, await textPdf({ pages: pageCount, shapes: 5, noiseBytes: 0 }))
  const id = await uploadFile(path, { program, folder })
  const pictures = (await server.pictures(id)).map((one) => `${one}?viewport.kind=width&viewport.width=800`)
  const files = join(scratch, 'files')
  mkdirSync(files)
  // The first viewer has every page drawn.
  const startedMs = performance.now()
  await inParallel(4, pictures.entries(), async ([index, picture]) => {
    writeFileSync(join(files, String(index)), (await server.get(picture)).body)
  })
  const firstRate = pageCount / (performance.now() - startedMs)
  const tokens = await Promise.all(Array.from({ length: viewerCount }, () => server.documentToken(id)))
  const bare = spawn(process.execPath, [join(root, 'bench/bare-files.mjs'), files], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { url } = JSON.parse(await firstLine(bare.stdout))
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const ofServer = (viewer, page) => server.get(pictures[page], { token: tokens[viewer] })
  const ofFiles = (_viewer, page) => get(`${url}/${page}`, { agent })
  // In turn, so that a machine that slows down slows both.
  const rates = { server: [], files: [] }
  for (let round = 0; round < 3; round++) {
    rates.files.push(await scrollRate(ofFiles))
    rates.server.push(await scrollRate(ofServer))
  }
  agent.destroy()
  bare.kill()
  await once(bare, 'exit')
  const best = { server: Math.max(...rates.server), files: Math.max(...rates.files) }
  report.row('pictures a second of 50 viewers that scroll, against static files', best.server / best.files, 0.4, {
    isLeast: true,
  })
  report.row('pages a second of the first viewer, against those that follow', firstRate / best.server)
}

/** Returns pictures per millisecond while every viewer scrolls from a page of its own. */
async function scrollRate(read) {
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: viewerCount }, async (_, viewer) => {
      const from = (viewer * 37) % pageCount
      for (let step = 0; step < scrolled; step++) await read(viewer, (from + step) % pageCount)
    }),
  )
  return (viewerCount * scrolled) / (performance.now() - startedMs)
}

async function annotations(server, folder) {
  const path = join(scratch, 'annotated.pdf')
  writeFileSync(path, annotatedPdf(20_000))
  const list = `/v1/docs/${await uploadFile(path, { program, folder })}/layers/default/annotations/items`
  const whole = (await server.get(list)).body.length
  for (const encoding of ['br', 'gzip']) {
    const { body } = await server.get(list, { headers: { 'accept-encoding': encoding } })
    report.row(`bytes of 20,000 annotations as ${encoding}, against their JSON`, body.length / whole, 0.03)
  }
}

async function inParallel(count, items, work) {
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const item of items) await work(item)
    }),
  )
}
