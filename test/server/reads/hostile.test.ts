// Hostile files over HTTP: requests for them are answered, with a result or a code, and other tenants are not affected. Files of
// this project, and of the corpus if there is one.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { statusOf } from '../../../server/refusals/refusal.js'
import { corpusFolder } from '../../support/pdf/corpus.js'
import { exponential, longPath, nestedForms, stackBreaker, tinySteps } from '../../support/pdf/hostile.js'
import { everyPage } from '../../support/pdf/rich-pdf.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { announced, commit, sha256Of } from '../support/uploads.js'

/** What has no answer by then has none. */
t.setTimeout(480_000)

const made: Readonly<Record<string, () => Buffer>> = {
  exponential,
  stackBreaker,
  tinySteps,
  'deep forms': () => nestedForms({ depth: 200, width: 1 }),
  'long path': () => longPath(10_000),
  'nothing but a header': () => Buffer.from('%PDF-1.7\n'),
  'a page tree of itself': () =>
    Buffer.from(
      '%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Count 9/Kids[2 0 R]>>endobj\n',
    ),
}

const hostileFolder = join(corpusFolder, 'hostile')
const found: Readonly<Record<string, () => Buffer>> = Object.fromEntries(
  (existsSync(hostileFolder) ? readdirSync(hostileFolder) : [])
    .filter((name) => name.endsWith('.pdf'))
    .map((name) => [name, () => readFileSync(join(hostileFolder, name))]),
)

// Shorter deadlines prove the same in a fraction of the processor time, which is what they count.
const pool = { deadlineFactor: 0.2, limits: { deadlineElapsedFactor: 240 } }
const server = await runServer(t, { settings: { threads: 2 }, pool })
const { api } = server
done(await api.post('/v1/tenants', { id: 'acme' }))
const calm = await server.upload(everyPage(), { tenantId: 'calm' })

for (const [set, files] of Object.entries({ made, found })) {
  const skip =
    Object.keys(files).length === 0 && `set STEWARD_CORPUS to a folder of PDF files (none at ${corpusFolder})`
  t.test(`hostile files, ${set}, are answered in time, and another tenant is read meanwhile`, { skip }, async (t) => {
    const over = new AbortController()
    const reading = readOthers(t, over.signal)
    const attacks = Object.entries(files).map(([name, make], index) => attack(t, name, make(), `${set}-${index}`))
    await Promise.all(attacks).finally(() => over.abort())
    await reading
    t.equal((await api.get('/readyz')).status, 200)
    t.notMatch(server.log(), /a bug/)
  })
}

/** Uploads a file and sends all reads, one after the other. */
async function attack(t: Test, name: string, bytes: Buffer, docId: string): Promise<void> {
  const { url } = await announced(api, bytes, { docId })
  done(await api.sendFile(url, bytes))
  const committed = await reportOf(t, `the commit of ${name}`, () => commit(api, docId, sha256Of(bytes)))
  if (committed.status === 200) t.match(committed.word('/document/state'), /^(ready|failed)$/, name)
  const layer = `/v1/docs/${docId}/layers/default`
  const manifest = await reportOf(t, `the manifest of ${name}`, () => api.get(`${layer}/manifest`))
  const page = `obj:${manifest.at('/pages/0/page/objectNumber') ?? 3}`
  for (const read of reads(page)) await reportOf(t, `${read} of ${name}`, () => api.get(`${layer}/${read}`))
  await reportOf(t, `the head of ${name}`, () => api.get(`/v1/docs/${docId}/head`))
}

const reads = (page: string): readonly string[] => [
  'layout',
  `render/pages/${page}/data`,
  `text/pages/${page}/data`,
  `geometry/pages/${page}/data`,
  'search/full/data?q=a',
  'search/rects/data?q=a%2B&regex=true',
  `annotations/pages/${page}/items`,
  `annotations/pages/${page}/appearances`,
  `form/pages/${page}/appearances`,
  'annotations/items',
  'form',
]

/** Checks that a request succeeded or was refused with a code and its status, not with a server error. */
async function reportOf(t: Test, what: string, ask: () => Promise<Answer>): Promise<Answer> {
  const answer = await ask()
  const { status, code, headers, text } = answer
  if (status < 300) return answer
  const known = Object.entries(statusOf).find(([name]) => name === code)?.[1]
  t.ok(known === status && (status < 500 || status === 503), `${what}: ${status} ${code ?? text.slice(0, 100)}`)
  if (status === 503) t.ok(Number(headers.get('retry-after')) >= 1, what)
  return answer
}

/** Milliseconds between two rounds of reads, so that most of the processor is left for the hostile files. */
const betweenRoundsMs = 500

/** Reads a different picture each time, so that no cache answers. */
async function readOthers(t: Test, signal: AbortSignal): Promise<void> {
  const layer = `/v1/docs/${calm}/layers/default`
  let reads = 0
  while (!signal.aborted) {
    reads += 1
    for (const path of [
      `render/pages/obj:4/data?viewport.scale=${1 + reads / 10_000}`,
      'text/pages/obj:4/data',
      'geometry/pages/obj:4/data',
      'layout',
    ]) {
      const { status, text } = await api.get(`${layer}/${path}`)
      if (status !== 200) t.fail(`${path}: ${status} ${text.slice(0, 100)}`)
    }
    await setTimeout(betweenRoundsMs)
  }
  t.ok(reads > 1, `${reads} times`)
}
