// SIGKILL on a document server while clients edit a document, at calls of the store and the file system: every answered
// change is stored exactly once and completely. A sample of calls; all of them with STEWARD_TEST_LONG=1.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { chosen } from '../../../core/conformance/chance.js'
import { systemClock } from '../../../core/ports/clock.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { Housekeeping } from '../../../server/expiry/housekeeping.js'
import { Orphans } from '../../../server/expiry/orphans.js'
import { scratchFolder } from '../../cli/scratch.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../../support/sample.js'
import { change, type Entry, lastingAnswer, layerPath, outcomes } from '../changes/support/changing.js'
import type { Client } from '../support/client.js'
import { runServer } from '../support/running-server.js'
import { openScene } from '../support/scene.js'
import { announced, commit, sha256Of } from '../support/uploads.js'
import { runStopped } from './held-server.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 600_000)

const pdf = onePage('0 0 100 100 re f')
const layers = ['default', 'draft'] as const

const custom = (key: string, value: string) => ({ type: 'metadata.updateCustom', patch: { [key]: value } })
/** Values whose total size exceeds that of a row. */
const large = Object.fromEntries(['x', 'y', 'z'].map((letter) => [letter, letter.repeat(30_000)]))

/** Small edits, one whose content needs its own blob, a refusal, an undo, and one with several ops. */
const edits: readonly (Entry & { readonly layerName: string })[] = [
  { layerName: 'default', opId: 'a', ops: [custom('a', '1')] },
  { layerName: 'draft', opId: 'a', ops: [custom('a', '2')] },
  { layerName: 'default', opId: 'large', ops: [{ type: 'metadata.updateCustom', patch: large }] },
  { layerName: 'default', opId: 'refused', ops: [{ type: 'metadata.update', patch: {}, expect: { title: 'no' } }] },
  { layerName: 'default', opId: 'both', ops: [custom('b', '1'), custom('c', '1')] },
  { layerName: 'default', opId: 'undo', undoOf: 'a' },
  { layerName: 'draft', opId: 'later', ops: [custom('a', '3')] },
]
const isRefused = ({ opId }: Entry) => opId === 'refused'

/** Returns the custom metadata of a layer after the given number of edits. */
function expectedOf(layerName: string, made: readonly Entry[]): Readonly<Record<string, string>> {
  const has = (opId: string) => made.some((edit) => edit.opId === opId)
  const members: Record<string, string> = {}
  if (layerName === 'draft') {
    if (has('a')) members.a = has('later') ? '3' : '2'
    return members
  }
  if (has('a') && !has('undo')) members.a = '1'
  if (has('large')) Object.assign(members, large)
  if (has('both')) Object.assign(members, { b: '1', c: '1' })
  return members
}

async function work(api: Client, say: (line: string) => void): Promise<void> {
  await api.post('/v1/tenants', { id: 'acme' })
  const { id, url } = await announced(api, pdf, { docId: 'edited' })
  await api.sendFile(url, pdf)
  await commit(api, id, sha256Of(pdf))
  say('uploaded')
  for (const edit of edits) say(await made(api, edit))
}

/** Returns the complete response: a replay must be equal. */
async function made(api: Client, { layerName, ...entry }: (typeof edits)[number]): Promise<string> {
  const answer = await change(api, { docId: 'edited', layerName }, entry)
  const [outcome] = outcomes(answer)
  if (outcome === (isRefused(entry) ? 'ChangeConflict' : 'applied')) return answer.text
  throw new Error(`${entry.opId} was answered ${answer.text}`)
}

const whole = await (async () => {
  const folder = scratchFolder(t)
  return { folder, ...(await runStopped(folder, work)) }
})()
const { first, last } = whole.calls

t.test('without a kill, all edits are stored', async (t) => {
  t.equal(whole.reported.length, edits.length + 1)
  await verify(t, whole.folder, whole.reported)
})

for (const when of ['before', 'during', 'after'] as const) {
  t.test(`killed ${when} a call: every answered change is stored once`, async (t) => {
    for (const call of chosen(last - first, sampleOf(1).sample)) {
      await t.test(`call ${call} of ${last - first}`, async (t) => {
        const folder = scratchFolder(t)
        const { reported: said } = await runStopped(folder, work, String(first + call), when)
        await verify(t, folder, said)
      })
    }
  })
}

async function verify(t: Test, folder: string, written: readonly string[]): Promise<void> {
  await settle(t, folder)
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
  if (!written.includes('uploaded')) return
  const { api, close } = await runServer(t, { folder })
  const answered = edits.slice(0, written.length - 1)
  const attempted = edits.slice(0, written.length)
  for (const layerName of layers) {
    const of = (all: typeof edits) => all.filter((edit) => edit.layerName === layerName)
    const found = (await api.get(`${layerPath({ docId: 'edited', layerName })}/metadata/custom`)).json()
    const isLastMade = attempted.length > answered.length && !same(found, expectedOf(layerName, of(answered)))
    t.same(found, expectedOf(layerName, of(isLastMade ? attempted : answered)), `${layerName} is whole`)
    await verifyDownload(t, api, layerName)
  }
  // All requests are repeated: answered ones are replayed unchanged, and others are executed, each once.
  for (const [index, edit] of edits.entries()) {
    const answer = await made(api, edit)
    if (index < answered.length)
      t.same(lastingAnswer(answer), lastingAnswer(written[index + 1] ?? ''), `${edit.opId} is replayed unchanged`)
  }
  for (const layerName of layers) {
    const path = layerPath({ docId: 'edited', layerName })
    const own = edits.filter((edit) => edit.layerName === layerName && !isRefused(edit))
    t.same((await api.get(`${path}/metadata/custom`)).json(), expectedOf(layerName, own))
    const { layerVersion, auditHead } = Object((await api.get(`${path}/manifest`)).json())
    t.same([layerVersion, auditHead], [own.length, edits.filter((edit) => !isRefused(edit)).length])
    await verifyDownload(t, api, layerName)
  }
  await close()
}

async function verifyDownload(t: Test, api: Client, layerName: string): Promise<void> {
  const { bytes } = await api.get(`${layerPath({ docId: 'edited', layerName })}/download`)
  t.ok(bytes.subarray(0, pdf.length).equals(pdf), 'the download begins with the upload')
  if (needs('qpdf').skip === false) judged('qpdf', ['--check', Workshop.of(t).source(bytes).path])
}

const same = (one: unknown, other: object): boolean =>
  JSON.stringify(Object.entries(Object(one)).sort()) === JSON.stringify(Object.entries(other).sort())

/** Does what a server does at its next start and in the background. */
async function settle(t: Test, folder: string): Promise<void> {
  const storage = await openScene(folder)
  const onFailure = (error: unknown) => t.fail(String(error))
  const housekeeping = new Housekeeping({ storage, clock: systemClock, onFailure })
  await housekeeping.start()
  await housekeeping.stop()
  const orphans = new Orphans(storage)
  await orphans.collect()
  await storage.close()
  t.same(readdirSync(join(folder, 'workshop')), [], 'nothing unfinished is left')
}
