// When deletions of documents and tenants are complete, no file of the data folder contains their data, wherever the server
// was killed meanwhile; and a check never reports a pending deletion as damage.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { chosen } from '../../../core/conformance/chance.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { scratchFolder } from '../../cli/scratch.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../../support/sample.js'
import { wordsIn } from '../../support/words-in-folder.js'
import { change, layerPath, outcomes } from '../changes/support/changing.js'
import type { Client } from '../support/client.js'
import { done } from '../support/running-server.js'
import { openScene } from '../support/scene.js'
import { requestFor, sha256Of } from '../support/uploads.js'
import { restart, runStopped } from './held-server.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 600_000)

/** Random words, which compression leaves unchanged. */
const newWord = () => `w${randomBytes(12).toString('hex')}`

interface Words {
  readonly tenant: string
  /** Random words by document. */
  readonly documents: ReadonlyMap<string, readonly string[]>
}

const wordsOf = ({ tenant, documents }: Words): readonly string[] => [tenant, ...[...documents.values()].flat()]

async function makeTenant(api: Client, id: string, docIds: readonly string[]): Promise<Words> {
  const name = newWord()
  done(await api.post('/v1/tenants', { id, name }))
  const documents = new Map<string, readonly string[]>()
  for (const docId of docIds) documents.set(docId, await makeDocument(api, id, docId))
  return { tenant: name, documents }
}

/** Creates a document with its words in the file, its row, and in keys, rows and a blob of its layer. */
async function makeDocument(api: Client, tenantId: string, docId: string): Promise<readonly string[]> {
  const words = {
    text: newWord(),
    metadata: newWord(),
    title: newWord(),
    note: newWord(),
    large: newWord(),
    layer: newWord(),
  }
  const pdf = onePage(`BT (${words.text}) Tj ET`)
  const path = `/v1/tenants/${tenantId}/documents`
  const init = done(await api.post(`${path}/init`, requestFor(pdf, { docId, metadata: { about: words.metadata } })))
  done(await api.sendFile(init.word('/upload/url'), pdf))
  done(await api.post(`${path}/${docId}/commit`, { sha256: sha256Of(pdf) }))
  const layer = { docId, layerName: words.layer }
  const large = Object.fromEntries(['x', 'y', 'z'].map((letter) => [letter, words.large + letter.repeat(30_000)]))
  for (const [opId, op] of [
    ['title', { type: 'metadata.update', patch: { title: words.title } }],
    ['large', { type: 'metadata.updateCustom', patch: large }],
  ] as const) {
    const answer = await change(api, layer, { opId, ops: [op] })
    if (outcomes(answer)[0] !== 'applied') throw new Error(answer.text)
  }
  const note = { subtype: 'text', rect: { x: 10, y: 10, width: 20, height: 20 }, contents: words.note }
  done(await api.post(`${layerPath(layer)}/annotations/pages/obj:3/items`, note))
  return Object.values(words)
}

interface Made {
  readonly kept: Words
  readonly gone: readonly string[]
}

async function make(api: Client): Promise<Made> {
  const tenant = await makeTenant(api, 'kept', ['kept-document', 'gone-1', 'gone-2', 'gone-3'])
  const other = await makeTenant(api, 'other', ['other-1', 'other-2'])
  const gone = [...tenant.documents].filter(([id]) => id !== 'kept-document').flatMap(([, words]) => words)
  return {
    kept: { ...tenant, documents: new Map([...tenant.documents].filter(([id]) => id === 'kept-document')) },
    gone: [...gone, ...wordsOf(other)],
  }
}

async function remove(api: Client): Promise<void> {
  for (const id of ['gone-1', 'gone-2', 'gone-3']) done(await api.delete(`/v1/tenants/kept/documents/${id}`))
  done(await api.delete('/v1/tenants/other'))
}

/** Data folder that is created once; every kill works on a copy. */
async function run(folder: string, ...hold: readonly string[]) {
  let made: Made | undefined
  const { reported: said, calls } = await runStopped(
    folder,
    async (api, say) => {
      made = await make(api)
      say('made')
      await remove(api)
      say('removed')
    },
    ...hold,
  )
  return { made, said, calls }
}

const onlyMade = await runStopped(scratchFolder(t), async (api) => void (await make(api)))
const undisturbed = scratchFolder(t)
const whole = await run(undisturbed)

t.test('without a kill, deleted data is erased and other data remains', async (t) => {
  t.same(whole.said, ['made', 'removed'])
  await verify(t, undisturbed, whole.made)
})

for (const when of ['before', 'during', 'after'] as const) {
  t.test(`killed ${when} a call of the deletions: later starts complete them`, async (t) => {
    const first = onlyMade.calls.last
    const count = whole.calls.last - first
    for (const call of chosen(count, sampleOf(1).sample)) {
      await t.test(`call ${call} of ${count}`, async (t) => {
        const folder = scratchFolder(t)
        const { made, said } = await run(folder, String(first + call), when)
        await isHealthy(t, folder)
        // The process that continues the deletions is killed as well.
        await restart(folder, String(1 + (call % 40)), when)
        await isHealthy(t, folder)
        if (!said.includes('removed')) return
        await restart(folder)
        await verify(t, folder, made)
      })
    }
  })
}

async function isHealthy(t: Test, folder: string): Promise<void> {
  await checkStorage({ folder, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
}

async function verify(t: Test, folder: string, made: Made | undefined): Promise<void> {
  if (!made) throw new Error('The data folder was not created')
  await isHealthy(t, folder)
  const storage = await openScene(folder)
  for await (const { key } of storage.tables.sweeps.range([])) t.fail(`the deletion of ${key[0]} is incomplete`)
  await storage.close()
  t.same(wordsIn(folder, made.gone), [])
  // Compression may split a word, but rarely several.
  const found = new Set(wordsIn(folder, wordsOf(made.kept)).map((line) => line.split(':')[0]))
  t.ok(found.size * 2 > wordsOf(made.kept).length, 'words of remaining documents are found')
}
