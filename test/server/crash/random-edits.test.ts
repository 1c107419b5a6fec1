// SIGKILL at random moments of random edits of two layers; edits without a response are repeated with the same key. Every
// answered edit is stored exactly once, and lists, events, pins, downloads and the store agree. A sample of edits and
// moments; 30 moments of 500 edits with STEWARD_TEST_LONG=1.
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { chosen } from '../../../core/conformance/chance.js'
import { systemClock } from '../../../core/ports/clock.js'
import { digestHere } from '../../../server/backup/verify.js'
import { checkStorage } from '../../../server/check/check.js'
import { annotationKey } from '../../../workers/contract/annotation-ref.js'
import { scratchFolder } from '../../cli/scratch.js'
import type { Op } from '../../support/pdf/changing.js'
import { formPages, formPdf, numbered } from '../../support/pdf/form-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { edit, opOf } from '../../support/pdf/random-edits.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'
import { change, changesIn, lastingAnswer, layerPath } from '../changes/support/changing.js'
import type { Answer, Client } from '../support/client.js'
import { EventReader } from '../support/events.js'
import { follow, listed, readNamed } from '../support/followed.js'
import { done, makers } from '../support/running-server.js'
import { openScene } from '../support/scene.js'
import { spawnServer } from './held-server.js'
import { tidy } from './tidy.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
t.setTimeout(isLong ? longTimeoutMs : 300_000)

const [editCount, momentCount] = isLong ? [500, 30] : [40, 2]
/** Longer than an edit takes, so that some kills happen after the response. */
const momentMs = 40
const layerNames = ['default', 'draft'] as const
type LayerName = (typeof layerNames)[number]

const pages = [numbered(formPages.first), numbered(formPages.second)]
const act = fc.oneof(
  { weight: 12, arbitrary: fc.record({ do: fc.constant('edit' as const), edit }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('undo' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rotate' as const), rotation: fc.constantFrom(0, 90, 180) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('move' as const), position: fc.constantFrom('start', 'end') }) },
)
const step = fc.record({
  layerName: fc.constantFrom(...layerNames),
  act,
  delayMs: fc.integer({ min: 0, max: momentMs }),
})
type Step = typeof step extends fc.Arbitrary<infer Made> ? Made : never

/** Request of an edit; a repeated request is identical in every byte. */
type Ask = (api: Client) => Promise<Answer>

/** An answered edit. `applied`: its expected entry in the log; undefined if it was refused. */
interface Answered {
  readonly layerName: LayerName
  readonly opId: string
  readonly ask: Ask
  readonly text: string
  readonly applied: unknown
  readonly isUndoable: boolean
}

const folder = scratchFolder(t, 'data')
const pdf = formPdf()
const answers: Answered[] = []
const docId = 'edited'
let server = await spawnServer(folder)
t.teardown(() => server.end('SIGKILL'))
await makers(server.api).upload(pdf, { docId })
const started = {
  default: await listed(server.api, { docId, layerName: 'default' }),
  draft: await listed(server.api, { docId, layerName: 'draft' }),
}

const steps = fc.sample(step, { seed, numRuns: editCount })
const moments = new Set(chosen(editCount, { size: momentCount, seed }))

t.test(`${editCount} edits, with ${momentCount} kills`, async (t) => {
  let isDue = false
  for (const [index, step] of steps.entries()) {
    const opId = `edit-${index + 1}`
    const ask = await askFor(step, opId)
    isDue ||= moments.has(index + 1)
    if (ask === undefined) continue
    if (!isDue) {
      keep(step, opId, { ask, answer: await ask(server.api) })
      continue
    }
    isDue = false
    const [answer] = await Promise.all([ask(server.api).catch(() => undefined), killAfter(step.delayMs)])
    if (answer) keep(step, opId, { ask, answer })
    await checkCopy(t)
    server = await spawnServer(folder)
    const lost = answer ? undefined : { layerName: step.layerName, opId }
    await t.test(`edit ${index + 1}, ${answer ? 'answered' : 'lost'}: all answered edits are stored`, (t) =>
      verify(t, lost),
    )
    if (!answer) keep(step, opId, { ask, answer: await ask(server.api) })
  }
  await t.test('all edits are stored at the end', (t) => verify(t))
  await t.test('every response is replayed unchanged', async (t) => {
    for (const { opId, ask, text } of answers)
      t.same(lastingAnswer((await ask(server.api)).text), lastingAnswer(text), opId)
    await verify(t)
  })
  t.ok(answers.filter(({ applied }) => applied !== undefined).length > editCount / 2, 'most edits were applied')
  await server.end('SIGTERM')
  await checkCopy(t)
})

async function killAfter(ms: number): Promise<void> {
  await sleep(ms)
  await server.end('SIGKILL')
}

interface Lost {
  readonly layerName: LayerName
  readonly opId: string
}

async function askFor({ layerName, act }: Step, opId: string): Promise<Ask | undefined> {
  const layer = { docId, layerName }
  const key = { 'idempotency-key': opId }
  const page = `${layerPath(layer)}/pages`
  if (act.do === 'undo') {
    const own = answers.filter((one) => one.layerName === layerName && one.isUndoable)
    const undoOf = own[act.which % Math.max(1, own.length)]?.opId
    return undoOf === undefined ? undefined : (api) => change(api, layer, { opId, undoOf })
  }
  if (act.do === 'rotate') {
    return (api) => api.post(`${page}/rotate`, { pages: pages.slice(1), rotation: act.rotation }, key)
  }
  if (act.do === 'move') {
    return (api) => api.post(`${page}/reorder`, { pages: pages.slice(1), position: act.position }, key)
  }
  const list = async (path: string) => Object(done(await server.api.get(`${layerPath(layer)}/${path}`)).json())
  const { annotations } = await list('annotations/items')
  const op = opOf(act.edit, { pages, annotations, fields: (await list('form')).fields }, opId)
  return op && (routeOf(op, layerPath(layer), key) ?? ((api) => change(api, layer, { opId, ops: [op] })))
}

/** Annotations are written through their own routes, everything else as entries of changes. */
function routeOf(op: Op, layer: string, key: Readonly<Record<string, string>>): Ask | undefined {
  const { type, page, ref, data, patch, ...body } = Object(op)
  const items = `${layer}/annotations/pages/obj:${(page ?? ref?.page)?.objectNumber}/items`
  if (type === 'annotations.create') return (api) => api.post(items, data, key)
  if (type === 'annotations.reorder') return (api) => api.post(`${items}/reorder`, body, key)
  const path = ref && `${items}/${annotationKey(ref)}`
  if (type === 'annotations.update') return (api) => api.send(path, { method: 'PATCH', json: { patch }, headers: key })
  if (type === 'annotations.delete') return (api) => api.send(path, { method: 'DELETE', headers: key })
  return undefined
}

function keep(
  { layerName, act }: Step,
  opId: string,
  { ask, answer }: { readonly ask: Ask; readonly answer: Answer },
): void {
  if (answer.status >= 500) throw new Error(answer.text)
  const change = answer.at('/changes') === undefined ? undefined : Object(changesIn(answer)[0])
  const applied = change ? change.result : answer.status === 200 ? answer.json() : undefined
  const isUndoable = applied !== undefined && act.do === 'edit'
  answers.push({ layerName, opId, ask, text: answer.text, applied, isUndoable })
}

/** Checks all that is stored. `lost`: an edit without a response, which may be stored or not. */
async function verify(t: Test, lost?: Lost): Promise<void> {
  const head = (await listed(server.api, { docId })).auditHead
  const applied = answers.filter((one) => one.applied !== undefined)
  const isThere = lost !== undefined && head > applied.length
  t.equal(head, applied.length + (isThere ? 1 : 0), 'the log has one entry per applied edit')
  for (const layerName of layerNames) {
    const layer = { docId, layerName }
    const { auditHead, ...now } = await listed(server.api, layer)
    const { auditHead: _none, ...known } = structuredClone(started[layerName])
    const own = applied.filter((one) => one.layerName === layerName)
    const reader = await EventReader.open(server.api, `${layerPath(layer)}/events`, { 'last-event-id': '0' })
    const events = await reader.take(own.length + (isThere && lost.layerName === layerName ? 1 : 0))
    await reader.close()
    const reported = events.filter(({ data }) => data['idempotencyKey'] !== lost?.opId)
    t.same(
      reported.map(({ data }) => data['idempotencyKey']),
      own.map(({ opId }) => opId),
      `${layerName}: the log contains every applied edit once, in order`,
    )
    t.same(
      reported.map(({ data }) => data['payload']),
      own.map(({ applied }) => applied),
      `${layerName}: the log equals the responses`,
    )
    let last = 0
    for (const event of events) {
      const { id } = Object(event.data)
      if (id <= last || id > auditHead) t.fail(`${layerName}: event ${id} after ${last} of ${auditHead}`)
      last = id
      follow(known, event)
    }
    readNamed(known, now)
    t.same(known, now, `${layerName}: who follows knows what who lists knows`)
    await verifyDownload(t, layerName)
  }
}

async function verifyDownload(t: Test, layerName: string): Promise<void> {
  const { bytes } = done(await server.api.get(`${layerPath({ docId, layerName })}/download`))
  t.ok(bytes.subarray(0, pdf.length).equals(pdf), 'what was uploaded is the beginning of what is sent')
  if (needs('qpdf').skip === false) judged('qpdf', ['--check', Workshop.of(t).source(bytes).path])
}

/** Checks that a stopped store, after the cleanup of a start, has no damaged, missing or orphaned data. */
async function checkCopy(t: Test): Promise<void> {
  const copy = join(scratchFolder(t), 'copy')
  cpSync(folder, copy, { recursive: true })
  const storage = await openScene(copy)
  await tidy(t, storage, systemClock)
  await storage.close()
  await checkStorage({ folder: copy, digest: digestHere, report: ({ code, where }) => t.fail(`${code} ${where}`) })
}
