// SIGKILL on a document server while clients upload, commit, import and delete over HTTP, at calls of the store and the file
// system. A sample of calls; all of them with STEWARD_TEST_LONG=1.
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { chosen } from '../../../core/conformance/chance.js'
import { systemClock } from '../../../core/ports/clock.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import type { Storage } from '../../../server/storage/open-storage.js'
import { scratchFolder } from '../../cli/scratch.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../../support/sample.js'
import type { Client } from '../support/client.js'
import { done } from '../support/running-server.js'
import { openScene } from '../support/scene.js'
import { announced, commit, documents, sha256Of } from '../support/uploads.js'
import { runStopped } from './held-server.js'
import { tidy } from './tidy.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 600_000)

const sound = onePage('BT /F1 12 Tf 20 100 Td (Sound) Tj ET', { resources: helvetica })
/** A damaged file: it needs a working copy, so that its commit writes more. */
const repaired = Buffer.from(sound.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')
const failing = Buffer.from('no PDF at all')
const uploads: Readonly<Record<string, Buffer>> = { sound, repaired, failing, deleted: sound }
const files: Readonly<Record<string, Buffer>> = { ...uploads, imported: sound }

/** Server that documents are imported from. */
const source = createServer((_request, response) => {
  response.writeHead(200, { 'content-length': String(sound.length) }).end(sound)
})
await once(source.listen(0, '127.0.0.1'), 'listening')
t.teardown(() => source.close())
const { port } = Object(source.address())

async function work(api: Client, say: (line: string) => void): Promise<void> {
  done(await api.post('/v1/tenants', { id: 'acme' }))
  for (const [id, bytes] of Object.entries(uploads)) {
    const { url } = await announced(api, bytes, { docId: id, idempotencyKey: id })
    say(`announced ${id}`)
    done(await api.sendFile(url, bytes))
    say(`uploaded ${id}`)
    done(await commit(api, id, sha256Of(bytes)))
    say(`committed ${id}`)
  }
  const from = { kind: 'url', url: `http://127.0.0.1:${port}/sound.pdf` }
  done(await api.post(`${documents}/import`, { source: from, docId: 'imported', idempotencyKey: 'imported' }))
  say('announced imported')
  say('committed imported')
  say('deleting deleted')
  done(await api.delete(`${documents}/deleted`))
  say('gone deleted')
}

const whole = await (async () => {
  const folder = scratchFolder(t)
  const ran = await runStopped(folder, work)
  return { folder, ...ran }
})()
const { first, last } = whole.calls

t.test('without a kill, everything is stored', async (t) => {
  t.equal(whole.reported.at(-1), 'gone deleted')
  t.ok(last - first > 60, `${last - first} calls`)
  await verify(t, whole.folder, whole.reported)
})

for (const when of ['before', 'during', 'after'] as const) {
  t.test(`killed ${when} a call: everything answered is stored, and nothing incomplete is visible`, async (t) => {
    for (const call of chosen(last - first, sampleOf(1).sample)) {
      await t.test(`call ${call} of ${last - first}`, async (t) => {
        const folder = scratchFolder(t)
        const { reported: said } = await runStopped(folder, work, String(first + call), when)
        await verify(t, folder, said)
      })
    }
  })
}

/** Does what a server does at its next start, and checks what clients can read. */
async function verify(t: Test, folder: string, written: readonly string[]): Promise<void> {
  const storage = await openScene(folder)
  await tidy(t, storage, systemClock)
  for (const [id, bytes] of Object.entries(files)) {
    if (id === 'deleted' && written.includes('deleting deleted')) {
      if (written.includes('gone deleted'))
        t.notOk(await storage.tables.documentIds.get([id]), 'what was deleted is gone')
    } else await verifyDocument(t, storage, id, { bytes, said: written })
  }
  await storage.close()
  t.same(readdirSync(join(folder, 'workshop')), [], 'nothing unfinished is left')
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
}

async function verifyDocument(
  t: Test,
  { tables, blobs }: Storage,
  id: string,
  { bytes, said: reported }: { readonly bytes: Buffer; readonly said: readonly string[] },
): Promise<void> {
  const has = (what: string) => reported.includes(`${what} ${id}`)
  const pointer = await tables.documentIds.get([id])
  const row = pointer && (await tables.documents.get([pointer.tenant, pointer.document]))
  if (!pointer || !row) {
    t.notOk(has('announced'), `${id} is lost`)
    return
  }
  const blob = { ...pointer, name: 'upload.pdf' }
  if (row.state === 'pending') {
    t.notOk(has('committed'), `${id} was committed`)
    if (has('uploaded')) t.equal(await blobs.size(blob), bytes.length, `the bytes of ${id}`)
    return
  }
  t.equal(row.state, id === 'failing' ? 'failed' : 'ready')
  if (row.state === 'failed') {
    t.equal(await blobs.size(blob), undefined, 'bytes of a failed document are removed')
    return
  }
  const version = await tables.versions.get([pointer.tenant, pointer.document, 1])
  const chunks: Uint8Array[] = []
  for await (const chunk of blobs.read({ ...pointer, name: String(version?.blob.name) })) chunks.push(chunk)
  t.ok(Buffer.concat(chunks).equals(bytes), `${id} has the uploaded bytes`)
  t.equal(row.thumbnail, 'ready')
  t.ok(await tables.pageFacts.get([pointer.tenant, pointer.document, 1]))
  if (id === 'repaired') {
    t.match(row.readBlob, /^working-/)
    t.ok(await blobs.size({ ...pointer, name: String(row.readBlob) }), 'its working copy')
  }
}
