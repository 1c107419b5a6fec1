// Replaces a single response by a page, nothing, an endless body and so on, with a success status, for every call in the life
// of a project on each provider. Nothing false is recorded, nothing is forgotten, and the next run converges.
import assert from 'node:assert/strict'
import t from 'tap'
import { chosen } from '../../core/conformance/chance.js'
import type { HttpCall } from '../../core/conformance/life.js'
import { inWorld } from '../../core/conformance/stage.js'
import type { Subject } from '../../core/conformance/subject.js'
import { arkSubject } from '../conformance/subjects/ark.js'
import { bailianSubject } from '../conformance/subjects/bailian.js'
import { claudeSubject } from '../conformance/subjects/claude.js'
import { qoderSubject } from '../conformance/subjects/qoder.js'
import { qoderForwardSubject } from '../conformance/subjects/qoder-forward.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { describeShape, type ShapeName, shapeNames, startStrangeServer } from '../support/strange-server.js'
import { type FateOf, type Phase, phasesOf } from './life-with-one-answer.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

/** One replaced response. */
interface Trial {
  readonly phase: Phase
  /** `POST /claude/v1/agents/*` */
  readonly call: string
  /** Number of the call among equal ones in the phase, from 1. */
  readonly number: number
  readonly shape: ShapeName
  readonly status: number
}

const subjects: Readonly<Record<string, Subject>> = {
  ark: arkSubject,
  bailian: bailianSubject,
  claude: claudeSubject,
  qoder: qoderSubject,
  'qoder (forward)': qoderForwardSubject,
}
/** Size of the sample per subject. */
const tries = 3
/** Generous: the bodies are refused at 32 MB. */
const residentBytesMax = 1_500_000_000

const server = await startStrangeServer()
t.teardown(() => server.close())

for (const [title, subject] of Object.entries(subjects)) {
  t.test(`${title}: no single malformed answer is accepted as valid`, async (t) => {
    const trials = await trialsOf(subject)
    const failures: string[] = []
    for (const number of chosen(trials.length, sampleOf(tries).sample)) {
      const trial = trials[number - 1]
      if (!trial) continue
      try {
        await inWorld(subject, (world) => tryOut(world, trial))
      } catch (error) {
        const { phase, call, number: n, shape, status } = trial
        failures.push(`${phase.name}: ${call} (${n}) answered with ${status} and ${shape}: ${String(error)}`)
      }
    }
    t.same(failures, [])
    t.comment(`${trials.length} pairs of call and answer`)
    t.ok(process.memoryUsage().rss < residentBytesMax)
  })
}

async function tryOut(
  world: Parameters<Phase['run']>[0],
  { phase, call, number, shape, status }: Trial,
): Promise<void> {
  await phase.prepare(world)
  const count = { calls: 0 }
  const instead = { at: server.at(shape, status) }
  const fate: FateOf = (request) => (nameOf(request) === call && ++count.calls === number ? instead : 'answered')
  const report = await phase.run(world, fate)
  if (count.calls < number) return
  if (report === undefined) await phase.expectTruth(world)
  else expectReport(report, describeShape(shape, status))
  await phase.expectNext(world)
}

/** Checks that the report describes the response with a fixed code, or that the deleted object still exists. */
function expectReport(reported: string, answer: RegExp): void {
  const lines = reported.split('\n')
  const isReported = lines.some((line) => / provider\.unexpected-answer: /.test(line) && answer.test(line))
  assert.ok(isReported || / provider\.[a-z-]+: .*still there/.test(reported), reported)
}

async function trialsOf(subject: Subject): Promise<readonly Trial[]> {
  const trials: Trial[] = []
  for (const phase of phasesOf(subject.project, isLong ? subject.edits : firstOf(subject.edits))) {
    const calls = new Map<string, number>()
    await inWorld(subject, async (world) => {
      await phase.prepare(world)
      const written = await phase.run(world, (request) => {
        calls.set(nameOf(request), (calls.get(nameOf(request)) ?? 0) + 1)
        return 'answered'
      })
      if (written !== undefined) calls.clear() // The phase fails without a fault too: not every project can be imported.
    })
    for (const [call, times] of calls)
      for (const number of new Set([1, times]))
        for (const shape of shapeNames)
          for (const status of statusesOf(call, shape)) trials.push({ phase, call, number, shape, status })
  }
  return trials
}

function firstOf(edits: Subject['edits']): Subject['edits'] {
  return Object.fromEntries(Object.entries(edits).slice(0, 2))
}

/** Answers writes with each status of success; for an empty answer, the error names what was expected. */
function statusesOf(call: string, shape: ShapeName): readonly number[] {
  if (call.startsWith('GET')) return [200]
  return shape === 'nothing' ? [200, 201, 204] : [200, 201]
}

/** Returns method and path, with ids replaced by stars. */
function nameOf({ request: { method, url } }: HttpCall): string {
  const segments = new URL(url).pathname.split('/')
  return `${method} ${segments.map((segment) => (/^v\d+$|^[a-z_-]+$/i.test(segment) || segment === '' ? segment : '*')).join('/')}`
}
