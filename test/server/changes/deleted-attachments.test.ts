// What a layer stores already is stored once: deleting it, restoring it and deleting it again refers to it, in plain and in
// encrypted documents, also after a restart of the server.
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
