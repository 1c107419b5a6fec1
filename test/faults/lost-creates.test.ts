// Creates with a lost response, on all providers: the next run, also a destroy, finds the created object or warns of it.
import t, { type Test } from 'tap'
import { chanceOf, chosen } from '../../core/conformance/chance.js'
import { expectKnown, liveObjects } from '../../core/conformance/expect.js'
import type { Fate, HttpCall } from '../../core/conformance/life.js'
import { inWorld } from '../../core/conformance/stage.js'
import type { Subject, Version } from '../../core/conformance/subject.js'
import type { Run, World } from '../../core/conformance/world.js'
import type { Diagnostic } from '../../core/diagnostic.js'
import { arkSubject } from '../conformance/subjects/ark.js'
import { bailianSubject } from '../conformance/subjects/bailian.js'
import { claudeSubject } from '../conformance/subjects/claude.js'
import { qoderSubject } from '../conformance/subjects/qoder.js'
import { qoderForwardSubject } from '../conformance/subjects/qoder-forward.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

const subjects: Readonly<Record<string, Subject>> = {
  ark: arkSubject,
  bailian: bailianSubject,
  claude: claudeSubject,
  qoder: qoderSubject,
  'qoder, forward': qoderForwardSubject,
}
const runsMax = 12

for (const [name, subject] of Object.entries(subjects)) {
  for (const share of [0.2, 0.5])
    t.test(
      `${name}: with ${share * 100} % of requests failing, no duplicate is created without a warning`,
      async (t) => {
        for (const one of isLong ? [1, 2, 3, 4, 5, 6] : [seed])
          await inWorld(subject, async (world) => {
            const notes: Diagnostic[] = []
            const fate = failing(share, one)
            for (let run = 1; run <= runsMax; run++) {
              const { isDone, diagnostics } = await attempt(world, { version: subject.project, fate })
              notes.push(...diagnostics)
              if (isDone) break
            }
            await isExplained(t, world, subject.project, { notes, kept: new Set(), message: 'every object is known' })
          })
      },
    )

  t.test(`${name}: killed at a write, then destroyed: nothing is left without a warning`, async (t) => {
    const { project } = subject
    let writes = 0
    let existing: ReadonlySet<string> = new Set()
    await inWorld(subject, async (world) => {
      writes = (await world.apply({ version: project })).writes
      await world.apply({ version: project, mode: 'destroy' })
      existing = new Set((await liveObjects(world)).map(({ kind, name }) => `${kind} ${name}`))
    })
    for (const write of chosen(writes, sampleOf(2).sample))
      await inWorld(subject, async (world) => {
        const fate = ({ isWrite, number }: HttpCall): Fate => (isWrite && number === write ? 'dies after' : 'answered')
        t.equal((await world.run({ version: project, fate })).type, 'died')
        const notes: Diagnostic[] = []
        for (let run = 1; run <= runsMax; run++) {
          const { isDone, diagnostics } = await attempt(world, { version: project, mode: 'destroy' })
          notes.push(...diagnostics)
          if (isDone) break
        }
        await isExplained(t, world, project, { notes, kept: existing, message: `write ${write} of ${writes}` })
      })
  })
}

function failing(share: number, one: number): (call: HttpCall) => Fate {
  const chance = chanceOf(one)
  const write: readonly Fate[] = ['fails before', 'fails after', 'unreachable', 'lost after']
  const read: readonly Fate[] = ['fails before', 'unreachable', 'lost after']
  return ({ isWrite }) => {
    const fates = isWrite ? write : read
    return chance() < share ? (fates[Math.floor(chance() * fates.length)] ?? 'answered') : 'answered'
  }
}

/** A plan that fails counts as one more failed attempt. */
async function attempt(
  world: World,
  request: Parameters<World['apply']>[0],
): Promise<{ readonly isDone: boolean; readonly diagnostics: readonly Diagnostic[] }> {
  let run: Run
  try {
    run = await world.apply(request)
  } catch {
    return { isDone: false, diagnostics: [] }
  }
  const reported = run.outcomes.flatMap(({ diagnostics }) => diagnostics)
  return {
    isDone: run.outcomes.every(({ status }) => status === 'done'),
    diagnostics: [...run.plan.diagnostics, ...reported],
  }
}

interface Explanation {
  readonly notes: readonly Diagnostic[]
  /** Objects that a destroy without faults leaves. */
  readonly kept: ReadonlySet<string>
  readonly message: string
}

/** Checks that every object has a row, except for copies of kinds that a warning named. */
async function isExplained(
  t: Test,
  world: World,
  version: Version,
  { notes, kept, message }: Explanation,
): Promise<void> {
  const ids = new Set([...(await world.rows(version)).values()].map(({ id }) => id))
  const named = notes.flatMap(({ code, address }) => (code === 'apply.may-be-left' ? [address?.split('.')[1]] : []))
  const strange = (await liveObjects(world)).filter(
    ({ id, kind, name }) => !ids.has(id) && !named.some((one) => one?.endsWith(kind)) && !kept.has(`${kind} ${name}`),
  )
  t.same(
    strange.map(({ kind, name, id }) => `${kind} ${name} ${id}`),
    [],
    message,
  )
  if (ids.size > 0) await expectKnown(world, version, { allowsCopies: true, allowsPermanent: true })
}
