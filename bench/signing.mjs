// `npm run bench`, part of the signatures: what signing, listing and judging cost on a large document.
//
//   node bench/signing.mjs
import { createHash } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { startDocumentServer, uploadFile } from './document-server.mjs'
import { pagedPdf } from './large-lists.mjs'
import { largePdf } from './pdfs.mjs'
import { Report } from './report.mjs'
import '../scripts/typescript.mjs'

const { testSigner } = await import('../test/support/signing/test-signer.ts')
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const program = join(root, 'dist/agents.js')
const scratch = mkdtempSync(join(tmpdir(), 'signing-bench-'))
const report = new Report()
const rounds = 5

try {
  const large = join(scratch, '100-mb.pdf')
  await largePdf(large, 100_000_000)
  const folder = mkdtempSync(join(scratch, 'data-'))
  const id = await withServer(folder, () => uploadFile(large, { program, folder }))
  await listing(folder, id)
  await signing(folder, { id, path: large })
  await analysis()
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
process.exitCode = report.print() ? 0 : 1

/** Every server is new, so that it has no open documents. The requests take turns in who comes first after a start. */
async function listing(folder, id) {
  const taken = { list: [], opening: [] }
  let picture
  for (let round = 0; round <= rounds; round++) {
    await withServer(folder, async (server) => {
      picture ??= (await server.pictures(id))[0]
      if (round > 0) taken.opening.push((await server.get(`${picture}?viewport.kind=width&viewport.width=800`)).ms)
    })
    await withServer(folder, async (server) => {
      const { ms } = await server.get(`/v1/docs/${id}/layers/default/signatures`)
      if (round > 0) taken.list.push(ms)
    })
  }
  report.row(
    'signatures of a 100 MB file without any, after a start, against its first page',
    median(taken.list) / median(taken.opening),
    1,
  )
}

async function signing(folder, { id, path }) {
  const signer = testSigner()
  const taken = { sign: [], read: [] }
  await withServer(folder, async (server) => {
    for (let round = 0; round < rounds; round++) {
      const readMs = performance.now()
      await pipeline(createReadStream(path), createHash('sha256'))
      taken.read.push(performance.now() - readMs)
      const startedMs = performance.now()
      await sign(server, { id, signer, name: `Signature${round}` })
      taken.sign.push(performance.now() - startedMs)
    }
  })
  report.row(
    'prepare and complete a signature of a 100 MB file, against reading it once with SHA-256',
    median(taken.sign) / median(taken.read),
    4,
  )
}

/** Compares documents that differ in nothing but the number of pages, each with the same small changes after a signature. */
async function analysis() {
  const taken = { first: [], later: [] }
  for (const count of [100, 10_000]) {
    const path = join(scratch, `${count}-pages.pdf`)
    writeFileSync(path, pagedPdf(count))
    const folder = mkdtempSync(join(scratch, 'data-'))
    const id = await withServer(folder, async (server) => {
      const id = await uploadFile(path, { program, folder })
      await sign(server, { id, signer: testSigner(), name: 'Signature' })
      return id
    })
    const layer = `/v1/docs/${id}/layers/default`
    const first = []
    for (let round = 0; round < rounds; round++) {
      await withServer(folder, async (server) => {
        // A start is not part of the time.
        await annotate(server, layer, `first-${round}`)
        first.push((await server.get(`${layer}/signatures/analysis?since.signature=0`)).ms)
      })
    }
    taken.first.push(median(first))
    await withServer(folder, async (server) => {
      const later = []
      for (let round = 0; round <= 2 * rounds; round++) {
        await annotate(server, layer, `later-${round}`)
        const { ms } = await server.get(`${layer}/signatures/analysis?since.signature=0`)
        if (round > 0) later.push(ms)
      }
      taken.later.push(median(later))
    })
  }
  const row = 'analysis after one more annotation, 10,000 pages against 100'
  report.row(`first ${row}, after a start`, taken.first[1] / taken.first[0], 3)
  report.row(row, taken.later[1] / taken.later[0], 3)
}

async function annotate(server, layer, opId) {
  const [{ page }] = (await server.json(`${layer}/manifest`)).pages
  const data = { subtype: 'square', box: { x: 10, y: 10, width: 20, height: 20 } }
  await server.post(`${layer}/changes`, { changes: [{ opId, ops: [{ type: 'annotations.create', page, data }] }] })
}

async function sign(server, { id, signer, name }) {
  const signatures = `/v1/docs/${id}/layers/default/signatures`
  const prepared = await server.post(`${signatures}/prepare`, { field: { kind: 'fqn', name } })
  const { signingId, digest, algorithm, expectedVersion } = prepared
  await server.post(`${signatures}/${signingId}/complete`, { cms: signer.sign(digest, { algorithm }), expectedVersion })
}

async function withServer(folder, work) {
  const server = await startDocumentServer({ program, folder })
  try {
    return await work(server)
  } finally {
    await server.stop()
  }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
