// References of a stored file are read once and stored beside it. Analyses are the same with them, without them, and if they
// are damaged; nothing of a document that needs a password is stored, and nothing stays of one that is deleted.
import { readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { Orphans } from '../../../server/expiry/orphans.js'
import { scratchFolder } from '../../cli/scratch.js'
import { encryptedPdf, schemes } from '../../support/pdf/encrypted-pdf.js'
import { formPdf, named } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import { download, field, sign } from '../signatures/support/signing.js'
import type { Client } from '../support/client.js'
import { done, type Running, runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'

const folder = scratchFolder(t, 'data')

/** Names of stored references, without the folders of tenants and documents. */
const storedNames = (): readonly string[] =>
  readdirSync(join(folder, 'blobs'), { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.references'))

async function withServer<Result>(work: (server: Running) => Promise<Result>): Promise<Result> {
  const server = await runServer(t, { folder })
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

const analysisOf = async (api: Client, docId: string): Promise<unknown> =>
  (await api.get(`${layerPath({ docId })}/signatures/analysis?since.signature=0&detail=full`).then(done)).json()

t.test('a completed signature, a signed upload and a first analysis store them, other uploads do not', (t) =>
  withServer(async ({ api, upload }) => {
    const docId = await upload(formPdf(), { docId: 'signed' })
    t.same(storedNames(), [])
    await sign({ api, docId }, field('sign'))
    t.match(storedNames(), [/version-[0-9a-f-]{36}\.pdf\.references$/])
    await upload(await download({ api, docId }), { docId: 'uploaded' })
    t.equal(storedNames().length, 2)
    const unsigned = await upload(formPdf(), { docId: 'unsigned' })
    t.equal(storedNames().length, 2)
    await api.get(`${layerPath({ docId: unsigned })}/signatures/analysis?since.revision=0`).then(done)
    t.equal(storedNames().length, 3)
    const fill = { type: 'forms.setValue', field: named('plain'), value: { value: 'filled' } }
    t.same(outcomes(await change(api, { docId }, { opId: 'fill', ops: [fill] })), ['applied'])
  }),
)

t.test('an analysis is the same with stored references, with damaged ones, and without', async (t) => {
  const analyses: unknown[] = []
  const note = () => withServer(async ({ api }) => analyses.push(await analysisOf(api, 'signed')))
  await note()
  const paths = storedNames().map((name) => join(folder, 'blobs', name))
  for (const path of paths) truncateSync(path, 100)
  await note()
  for (const path of paths) rmSync(path)
  await note()
  t.match(analyses[0], { verdict: 'permitted', later: { revisionCount: 1 } })
  t.same(analyses[1], analyses[0])
  t.same(analyses[2], analyses[0])
  t.equal(storedNames().length, 1, 'the analysis stored those of its file again')
})

t.test('they are neither collected as orphans, nor missed by a check', async (t) => {
  const storage = await openScene(folder)
  t.equal(await new Orphans(storage).collect(), 0)
  await storage.close()
  t.equal(storedNames().length, 1)
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
})

t.test('they are deleted with the document', (t) =>
  withServer(async ({ api }) => {
    await api.delete('/v1/tenants/acme/documents/signed').then(done)
    for (let tries = 0; storedNames().length > 0 && tries < 100; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    t.same(storedNames(), [])
  }),
)

t.test('none are stored of a document that needs a password', needs('qpdf'), (t) =>
  withServer(async ({ api, upload }) => {
    const scheme = schemes.find(({ name }) => name === 'AES, 256 bits')
    if (scheme === undefined) throw new Error('There is no such scheme')
    const docId = await upload(encryptedPdf(onePage('0 0 9 9 re f'), scheme))
    const headers = { 'x-document-password': Buffer.from(scheme.user).toString('base64') }
    await sign({ api, docId, headers }, field('sign'))
    const path = `${layerPath({ docId })}/signatures/analysis?since.signature=0`
    t.match((await api.get(path, headers).then(done)).json(), { verdict: 'unchanged' })
    t.same(storedNames(), [])
  }),
)
