// What a layer stores already is stored once: deleting it, restoring it and deleting it again refers to it, in plain and in
// encrypted documents, also after a restart of the server; so do undoing and redoing in turns.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { scratchFolder } from '../../cli/scratch.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { done, type Running, runServer } from '../support/running-server.js'
import { layerPath, outcomes } from './support/changing.js'

const password = 'correct horse'
const bytes = 2_000_000

function locked(): Buffer {
  const { path } = Workshop.of(t).source(onePage('0 0 100 100 re f'))
  execFileSync('qpdf', ['--encrypt', password, 'owner', '256', '--', path, `${path}.locked`])
  return readFileSync(`${path}.locked`)
}

interface Case {
  readonly pdf: () => Buffer
  readonly headers: Readonly<Record<string, string>>
}

const cases: Readonly<Record<string, Case>> = {
  'a plain document': { pdf: () => onePage('0 0 100 100 re f'), headers: {} },
  'an encrypted document': {
    pdf: locked,
    headers: { 'x-document-password': Buffer.from(password).toString('base64') },
  },
}

for (const [title, { pdf, headers }] of Object.entries(cases)) {
  t.test(`an attached file of ${title} is stored once`, title.includes('plain') ? {} : needs('qpdf'), async (t) => {
    const folder = scratchFolder(t, 'data')
    const first = await runServer(t, { folder })
    const docId = await first.upload(pdf())
    const items = `${layerPath({ docId })}/annotations/pages/obj:3/items`
    const stored = () =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.pack'))
        .reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
    const change = async ({ api }: Running, entry: object) => {
      const answer = done(await api.post(`${layerPath({ docId })}/changes`, { changes: [entry] }, headers))
      t.same(outcomes(answer), ['applied'], answer.text)
    }

    const file = randomBytes(bytes)
    const body = new FormData()
    const annotation = { subtype: 'file-attachment', rect: { x: 1, y: 1, width: 9, height: 9 } }
    body.set('body', JSON.stringify({ ...annotation, resources: { file: 'art' } }))
    body.set('resource:art', new Blob([file]), 'art.bin')
    const ref = done(await first.api.send(items, { method: 'POST', body, headers })).at('/annotation/ref')
    const created = stored()
    t.ok(created >= bytes)

    const deleted = { ops: [{ type: 'annotations.delete', ref }] }
    await change(first, { opId: 'delete', ...deleted })
    await change(first, { opId: 'undo', undoOf: 'delete' })
    await change(first, { opId: 'redo', undoOf: 'undo' })
    await first.close()
    const second = await runServer(t, { folder })
    await change(second, { opId: 'restore', undoOf: 'redo' })
    await change(second, { opId: 'delete-again', ...deleted })
    await change(second, { opId: 'restore-again', undoOf: 'delete-again' })
    t.equal(stored(), created, 'six changes later')

    const key = `obj:${Object(ref).objectNumber}`
    const path = `${layerPath({ docId })}/attachment-files/pages/obj:3/items/${key}/data`
    const read = done(await second.api.get(path, headers))
    t.ok(read.bytes.equals(file), 'the bytes are those that were attached')
    await second.close()
    await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
  })
}

t.test('long texts are stored once, however often a change is undone and redone', async (t) => {
  const folder = scratchFolder(t, 'data')
  const server = await runServer(t, { folder })
  const { api } = server
  const used = async () => Number(done(await api.get('/v1/tenants/acme/usage')).at('/metrics/storage.bytes'))
  const page = { kind: 'objectNumber', objectNumber: 3 }
  const text = 'words '.repeat(5000)
  const note = { subtype: 'text', rect: { x: 1, y: 1, width: 9, height: 9 }, contents: text }
  const docId = await server.upload(onePage('0 0 100 100 re f'))
  const change = async (entry: object) => {
    const answer = done(await api.post(`${layerPath({ docId })}/changes`, { changes: [entry] }))
    t.same(outcomes(answer), ['applied'], answer.text.slice(0, 200))
    return answer
  }
  const first = await change({ opId: 'o0', ops: [{ type: 'annotations.create', page, data: note }] })
  const before = await used()
  const answers = new Map<string, string>()
  for (let index = 1; index <= 6; index++) {
    const opId = `o${index}`
    answers.set(opId, (await change({ opId, undoOf: `o${index - 1}` })).text)
  }
  const grown = (await used()) - before
  t.ok(grown < text.length, `${grown} bytes for six changes`)
  const last = { opId: 'o6', undoOf: 'o5' }
  t.match(
    await change(last).then((answer) => answer.at('/changes/0/result')),
    JSON.parse(answers.get('o6') ?? '').changes[0].result,
    'a replay has them',
  )
  const items = () => api.get(`${layerPath({ docId })}/annotations/items`).then(done)
  t.match((await items()).json(), { annotations: [{ contents: text }] })
  t.match(first.at('/changes/0/result/items/0/annotation/contents'), text)
  await change({
    opId: 'shorter',
    ops: [
      {
        type: 'annotations.update',
        ref: first.at('/changes/0/result/items/0/annotation/ref'),
        patch: { contents: 'short' },
      },
    ],
  })
  await change({ opId: 'longer', undoOf: 'shorter' })
  await change({ opId: 'shorter-again', undoOf: 'longer' })
  await change({ opId: 'longer-again', undoOf: 'shorter-again' })
  t.match((await items()).json(), { annotations: [{ contents: text }] })
  await server.close()
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
})
