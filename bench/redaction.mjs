// `npm run bench`, part of the redactions: what applying marks costs on the server, with all proofs, its commit and the
// answer, against what the engine alone takes to open the file, redact the same places and write it.
//
//   node bench/redaction.mjs
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as mupdf from 'mupdf'
import { startDocumentServer, uploadFile } from './document-server.mjs'
import { textPdf } from './pdfs.mjs'
import { Report } from './report.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'dist/agents.js')
const scratch = mkdtempSync(join(tmpdir(), 'redaction-bench-'))
const report = new Report()
const rounds = 9
/**
 * Lines of `textPdf` whose first word is marked. The targets are 1.5 and 1.2 times what a redaction took before it was
 * proven on both sides.
 */
const works = [
  { name: 'redaction of a word on a page of text', pages: 1, lines: [7], target: 21 },
  { name: 'redaction of 200 words on 100 pages', pages: 100, lines: [7, 20], target: 12.5 },
]

try {
  const folder = mkdtempSync(join(scratch, 'data-'))
  const server = await startDocumentServer({ program, folder })
  try {
    for (const work of works) await compare(server, folder, work)
  } finally {
    await server.stop()
  }
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = report.print() ? 0 : 1

/** Every round redacts another layer of the document. The two take turns: other processes share the processor. */
async function compare(server, folder, { name, pages, lines, target }) {
  const path = join(scratch, `${pages}.pdf`)
  writeFileSync(path, await textPdf({ pages, shapes: 0, noiseBytes: 0 }))
  const id = await uploadFile(path, { program, folder })
  const ratios = []
  for (let round = 0; round <= rounds; round++) {
    const layer = `/v1/docs/${id}/layers/round-${round}`
    const { pages: all } = await server.json(`${layer}/manifest`)
    const ops = all.flatMap(({ page }) => lines.map((line) => markOn(page, line)))
    await server.post(`${layer}/changes`, { changes: [{ opId: `marks-${round}`, ops }] })
    const startedMs = performance.now()
    await server.post(`${layer}/redactions/apply`, {})
    const appliedMs = performance.now()
    redactAlone(readFileSync(path), lines)
    // The first round warms up.
    if (round > 0) ratios.push((appliedMs - startedMs) / (performance.now() - appliedMs))
  }
  report.row(`${name}, against the engine alone`, median(ratios), target)
}

function topOf(line) {
  return 842 - 800 + line * 18 - 9
}

function markOn(page, line) {
  const rect = { x: 40, y: topOf(line), width: 20, height: 12 }
  return { type: 'annotations.create', page, data: { subtype: 'redact', rect } }
}

function redactAlone(bytes, lines) {
  const document = mupdf.Document.openDocument(bytes, 'application/pdf')
  for (let index = 0; index < document.countPages(); index++) {
    const page = document.loadPage(index)
    for (const line of lines) {
      const top = topOf(line)
      page.createAnnotation('Redact').setRect([40, top, 60, top + 12])
    }
    page.applyRedactions(false)
    page.destroy()
  }
  document.saveToBuffer('garbage=1,compress').destroy()
  document.destroy()
}

function median(values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]
}
