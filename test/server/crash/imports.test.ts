// SIGKILL on a document server during an asynchronous import, at calls of the store and the file system: after a restart
// there is exactly one ready document with one version, and no other file. A sample of calls; all of them with
// STEWARD_TEST_LONG=1.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { chosen } from '../../../core/conformance/chance.js'
import { systemClock } from '../../../core/ports/clock.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { scratchFolder } from '../../cli/scratch.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../../support/sample.js'
import { ended } from '../imports/support/ended.js'
import type { Client } from '../support/client.js'
import { done } from '../support/running-server.js'
import { blobsOf, openScene } from '../support/scene.js'
import { documents, sha256Of } from '../support/uploads.js'
import { runStopped } from './held-server.js'
import { tidy } from './tidy.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 600_000)

const sound = onePage('BT /F1 12 Tf 20 100 Td (Sound) Tj ET', { resources: helvetica })
/** A damaged file: it needs a working copy, so that its commit writes more. */
const repaired = Buffer.from(sound.toString('latin1').replace(/startxref\n\d+/, 'startxref\n7'), 'latin1')
const sha256 = sha256Of(repaired)

async function work(api: Client, say: (line: string) => void): Promise<void> {
  done(await api.post('/v1/tenants', { id: 'acme' }))
  const source = { kind: 'connection', connectionId: 'archive', key: 'repaired.pdf' }
  const request = { source, mode: 'async', expected: { sha256 }, docId: 'one', idempotencyKey: 'one' }
  // Like a client that lost the answer, a later run sends the request again.
  done(await api.post(`${documents}/import`, request))
  say('accepted')
  await ended(api, 'one')
  say('ended')
}

/** Returns a data folder, beside the folder that the server imports from. */
function dataFolder(t: Test): string {
  const folder = scratchFolder(t)
  mkdirSync(join(folder, 'archive'))
  writeFileSync(join(folder, 'archive/repaired.pdf'), repaired)
  return join(folder, 'data')
}

const whole = await (async () => {
  const folder = dataFolder(t)
  const ran = await runStopped(folder, work)
  return { folder, ...ran }
})()
const { first, last } = whole.calls

t.test('without a kill, the document is ready', async (t) => {
  t.same(whole.reported, ['accepted', 'ended'])
  await verify(t, whole.folder)
})

for (const when of ['before', 'during', 'after'] as const) {
  t.test(`killed ${when} a call: the import goes on after a restart, and has one result`, async (t) => {
    for (const call of chosen(last - first, sampleOf(1).sample)) {
      await t.test(`call ${call} of ${last - first}`, async (t) => {
        const folder = dataFolder(t)
        const { reported } = await runStopped(folder, work, String(first + call), when)
        // An accepted import needs no client.
        const waits: typeof work = async (api) => void (await ended(api, 'one'))
        await runStopped(folder, reported.includes('accepted') ? waits : work)
        await verify(t, folder)
      })
    }
  })
}

async function verify(t: Test, folder: string): Promise<void> {
  const storage = await openScene(folder)
  await tidy(t, storage, systemClock)
  const { tables, blobs } = storage
  const pointer = await tables.documentIds.get(['one'])
  const row = pointer && (await tables.documents.get([pointer.tenant, pointer.document]))
  if (!pointer || !row) return void t.fail('there is no document')
  t.match(row, { state: 'ready', headVersion: 1, headSha256: sha256, thumbnail: 'ready' })
  let count = 0
  for await (const _ of tables.documents.range([])) count += 1
  t.equal(count, 1, 'one document')
  const versions: string[] = []
  for await (const { row } of tables.versions.range([])) versions.push(row.blob.name, row.working?.name ?? '')
  t.equal(versions.length, 2, 'one version')
  const named = [...versions, 'thumbnail.webp'].map((name) => `${pointer.document}/${name}`)
  t.same(
    (await blobsOf(storage)).filter((name) => !name.endsWith('.references')),
    named.sort(),
    'no other file',
  )
  for (const table of [tables.imports, tables.dueImports]) {
    for await (const { key } of table.range([])) t.fail(`the import ${key.join('/')} is left`)
  }
  const chunks: Uint8Array[] = []
  for await (const chunk of blobs.read({ ...pointer, name: versions[0] ?? '' })) chunks.push(chunk)
  t.ok(Buffer.concat(chunks).equals(repaired), 'with the bytes of the source')
  await storage.close()
  t.same(readdirSync(join(folder, 'workshop')), [], 'nothing unfinished is left')
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
}
