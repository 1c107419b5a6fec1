// SIGKILL on a document server while clients sign, at calls of the store and the file system: the head is the old version or
// the new one, never anything between, and what was answered is answered again. A sample of all calls; every one of them
// with STEWARD_TEST_LONG=1.
import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { chosen } from '../../../core/conformance/chance.js'
import { systemClock } from '../../../core/ports/clock.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { Housekeeping } from '../../../server/expiry/housekeeping.js'
import { Orphans } from '../../../server/expiry/orphans.js'
import { scratchFolder } from '../../cli/scratch.js'
import { numbered } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../../support/sample.js'
import { change, layerPath, outcomes, titled } from '../changes/support/changing.js'
import {
  cancel,
  cmsOver,
  complete,
  download,
  field,
  opensslVerifies,
  type Prepared,
  prepare,
  type SigningClient,
} from '../signatures/support/signing.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'
import { sha256Of } from '../support/uploads.js'
import { runStopped } from './held-server.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 600_000)

const note = '<</Type/Annot/Subtype/Square/Rect[10 10 50 50]/Contents(Former-note)>>'
const pdf = onePage('0 0 100 100 re f', { page: '/Annots[5 0 R]', further: { 5: note } })
const docId = 'signed'
const signing = (api: Client): SigningClient => ({ api, docId, layerName: 'signing' })
const giving = (api: Client): SigningClient => ({ api, docId, layerName: 'giving-up' })
/** Signed with the edits, after a redaction: more than fits into rows, and in place of what must not be signed. */
const edit = {
  opId: 'edit',
  ops: [
    {
      type: 'metadata.updateCustom',
      patch: Object.fromEntries(['x', 'y', 'z'].map((key) => [key, key.repeat(30_000)])),
    },
    { type: 'annotations.update', ref: { ...numbered(5), page: numbered(3) }, patch: { contents: 'Later-note' } },
  ],
}

const prepared = scratchFolder(t, 'prepared')
await (async () => {
  const server = await runServer(t, { folder: prepared })
  await server.upload(pdf, { docId })
  const layer = { docId, layerName: 'signing' }
  const data = { subtype: 'redact', rect: { x: 150, y: 20, width: 20, height: 20 } }
  await change(server.api, layer, { opId: 'mark', ops: [{ type: 'annotations.create', page: numbered(3), data }] })
  done(await server.api.post(`${layerPath(layer)}/redactions/apply`, {}))
  const answer = await change(server.api, layer, edit)
  if (outcomes(answer)[0] !== 'applied') throw new Error(answer.text)
  await server.close()
})()

/** Returns a copy of the prepared folder: only calls of signing are counted. */
function folderOf(t: Test): string {
  const folder = scratchFolder(t)
  cpSync(prepared, folder, { recursive: true })
  return folder
}

async function work(api: Client, say: (line: string) => void): Promise<void> {
  const given = await prepare(giving(api), field('given up')).then(done)
  say(given.text)
  say((await cancel(giving(api), given).then(done)).text)
  const first = await prepare(signing(api), field('f')).then(done)
  say(first.text)
  say((await complete(signing(api), first).then(done)).text)
}

const whole = await (async () => {
  const folder = folderOf(t)
  return { folder, ...(await runStopped(folder, work)) }
})()
const { first, last } = whole.calls

t.test('undisturbed, the signature is published', async (t) => {
  t.equal(whole.reported.length, 4)
  await verify(t, whole.folder, whole.reported)
})

for (const when of ['before', 'during', 'after'] as const) {
  t.test(`killed ${when} any call, the head is the old version or the new one`, async (t) => {
    for (const call of chosen(last - first, sampleOf(1).sample)) {
      await t.test(`call ${call} of ${last - first}`, async (t) => {
        const folder = folderOf(t)
        const { reported } = await runStopped(folder, work, String(first + call), when)
        await verify(t, folder, reported)
      })
    }
  })
}

async function verify(t: Test, folder: string, reported: readonly string[]): Promise<void> {
  await settle(t, folder)
  await checkStorage({
    folder,
    digest: digestHere,
    // A thumbnail is drawn again when it is requested.
    report: ({ code, where }) => (code === 'data.missing-thumbnail' ? undefined : t.fail(`${code} ${where}`)),
  })
  const { api, close } = await runServer(t, { folder })
  const [given, cancelled, answered, completed] = reported
  await verifyCancelled(t, api, { given, cancelled })
  const versions = async () => Object((await api.get(`/v1/docs/${docId}/versions`).then(done)).json())
  const isPublished = (await versions()).versions.length === 2
  if (completed !== undefined) t.ok(isPublished, 'an answered completion is published')
  // A signing whose preparation was not answered is asked for again.
  const preparation = answered === undefined ? await prepare(signing(api), field('f')) : recorded(answered)
  if (answered !== undefined && !isPublished) {
    t.equal((await prepare(signing(api), field('f'))).text, answered, 'the same request has the same response')
  }
  const cms = cmsOver(preparation)
  const completion = await complete(signing(api), preparation, { cms }).then(done)
  t.equal(completion.at('/status'), isPublished ? 'already-completed' : 'completed')
  if (completed !== undefined) t.same({ ...Object(completion.json()), status: 'completed' }, JSON.parse(completed))
  const file = await download(signing(api))
  const { head, versions: list } = await versions()
  t.equal(list.length, 2)
  t.equal(head, sha256Of(file))
  t.equal(completion.at('/version/sha256'), head)
  t.match([file.includes('Former-note'), file.includes('Later-note')], [false, true])
  if (!needs('openssl').skip) opensslVerifies(t, file, cms, preparation.at('/byteRange'))
  const later = await change(api, { docId, layerName: 'signing' }, { opId: 'later', ops: [titled('Later')] })
  t.same(outcomes(later), ['applied'])
  await close()
}

interface Cancellation {
  readonly given: string | undefined
  readonly cancelled: string | undefined
}

async function verifyCancelled(t: Test, api: Client, { given, cancelled }: Cancellation): Promise<void> {
  if (given !== undefined) t.match((await cancel(giving(api), recorded(given))).json(), { status: 'cancelled' })
  if (cancelled === undefined && given === undefined) return
  const edited = await change(api, { docId, layerName: 'giving-up' }, { opId: 'free', ops: [titled('Free')] })
  t.same(outcomes(edited), ['applied'], 'the layer is free')
}

/** A response as it was reported. */
function recorded(text: string): Prepared {
  const at = (pointer: string): unknown =>
    pointer
      .split('/')
      .slice(1)
      .reduce((value: unknown, name) => Object(value)[name], JSON.parse(text))
  return { at, word: (pointer) => String(at(pointer)) }
}

/** Does what a server does at its next start and in the background. */
async function settle(t: Test, folder: string): Promise<void> {
  const storage = await openScene(folder)
  const onFailure = (error: unknown) => t.fail(String(error))
  const housekeeping = new Housekeeping({ storage, clock: systemClock, onFailure })
  await housekeeping.start()
  await housekeeping.stop()
  await new Orphans(storage).collect()
  await storage.close()
  t.same(readdirSync(join(folder, 'workshop')), [], 'nothing unfinished is left')
}
