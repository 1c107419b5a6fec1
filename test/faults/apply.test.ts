// An apply on a disk that crashes or fails at any of its calls, in process: the next run finds every object again.
import t from 'tap'
import { chanceOf, chosen } from '../../core/conformance/chance.js'
import { expectDone, expectNothingLeft, expectSettled } from '../../core/conformance/expect.js'
import { inWorld } from '../../core/conformance/stage.js'
import type { Subject, Version } from '../../core/conformance/subject.js'
import type { RunRequest, World } from '../../core/conformance/world.js'
import { Problem } from '../../core/diagnostic.js'
import { hasCode } from '../../core/ports/disk.js'
import { qoderForwardSubject } from '../conformance/subjects/qoder-forward.js'
import { acmeSubject } from '../support/acme.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { Crash, type Fault, FaultDisk, type Survival, survivals } from './disk.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

interface Work {
  readonly subject: Subject
  readonly what: string
  /** Number of disk calls in a sample. */
  readonly tries: number
  readonly from?: Version
  readonly to: Version
  readonly mode?: 'destroy'
}
const works: readonly Work[] = [
  ...worksOf(await acmeSubject(), {
    tries: 6,
    changes: 'descriptions changed',
    replaces: 'the environment became another one',
  }),
  // The subject with the most kinds, derived resources, parts, renames and two APIs.
  ...worksOf(qoderForwardSubject, {
    tries: 1,
    changes: 'resources were renamed',
    replaces: 'an agent went to the managed API',
  }),
]
const moments = ['before', 'middle', 'after'] as const
const never: Fault = { atCall: 0, when: 'before', as: 'crash' }

for (const work of works) {
  t.test(`a crash at any call to the disk during ${work.what} loses nothing and creates nothing twice`, async (t) => {
    const calls = await countCalls(work)
    const chance = chanceOf(seed)
    for (const atCall of chosen(calls, sampleOf(work.tries).sample))
      for (const when of moments)
        for (const survival of isLong ? survivals : [survivals[Math.floor(chance() * survivals.length)] ?? 'nothing'])
          await inWorld(work.subject, (world) => crashAt(world, work, { atCall, when, as: 'crash' }, survival))
    t.pass(`${calls} calls`)
  })

  for (const { what, code, isLasting } of [
    { what: 'a disk that is full from any call on', code: 'ENOSPC', isLasting: true },
    { what: 'a disk that fails at any one call', code: 'EIO', isLasting: false },
  ])
    t.test(`${what} during ${work.what}: the run fails with a clear problem, and the next one converges`, async (t) => {
      const calls = await countCalls(work)
      for (const atCall of chosen(calls, sampleOf(work.tries).sample))
        await inWorld(work.subject, (world) => failAt(world, work, { atCall, when: 'middle', as: code, isLasting }))
      t.pass(`${calls} calls`)
    })
}

function worksOf(
  subject: Subject,
  { tries, changes, replaces }: { readonly tries: number; readonly changes: string; readonly replaces: string },
): readonly Work[] {
  const { project, edits, provider } = subject
  const [changed, replaced] = [edits[changes], edits[replaces]]
  if (!changed || !replaced) throw new Error(`${provider.name} has no such edits`)
  const shared = { subject, tries }
  const on = `on ${provider.name}`
  return [
    { ...shared, what: `a first apply ${on}`, to: project },
    { ...shared, what: `an apply of changes ${on}`, from: project, to: changed },
    { ...shared, what: `an apply that replaces ${on}`, from: project, to: replaced },
    { ...shared, what: `a destroy ${on}`, from: project, to: project, mode: 'destroy' },
  ]
}

async function crashAt(world: World, work: Work, fault: Fault, survival: Survival): Promise<void> {
  const disk = await prepared(world, work)
  const calls = disk.calls.length
  disk.inject({ ...fault, atCall: calls + fault.atCall })
  const here = world.withDisk(disk)
  await here.run({ ...request(work), isDeadly: (error) => error instanceof Crash })
  try {
    const next = here.withDisk(disk.afterCrash(survival))
    await expectConverged(next, work)
  } catch (error) {
    throw new Error(`${fault.when} ${disk.calls.at(-1)} (call ${fault.atCall}), ${survival} survives, seed ${seed}`, {
      cause: error,
    })
  }
}

async function failAt(world: World, work: Work, fault: Fault): Promise<void> {
  const disk = await prepared(world, work)
  const atCall = disk.calls.length + fault.atCall
  disk.inject({ ...fault, atCall })
  const here = world.withDisk(disk)
  try {
    await here.run(request(work))
  } catch (error) {
    if (!isClear(error, disk.calls[atCall - 1]))
      throw new Error(`${fault.as} at call ${fault.atCall} (${disk.calls.at(-1)})`, { cause: error })
  }
  disk.inject(never)
  try {
    await expectConverged(here, work)
  } catch (error) {
    throw new Error(`after ${fault.as} at call ${fault.atCall}, seed ${seed}`, { cause: error })
  }
}

async function expectConverged(world: World<FaultDisk>, work: Work): Promise<void> {
  expectDone(await world.apply(request(work)))
  const tolerance = { allowsCopies: true, allowsPermanent: work.from !== undefined }
  if (work.mode === 'destroy') await expectNothingLeft(world, work.to, tolerance)
  else await expectSettled(world, work.to, tolerance)
}

function request({ to, mode }: Work): RunRequest {
  return { version: to, ...(mode ? { mode } : {}) }
}

/** Disk at the begin of the work. */
async function prepared(world: World, { from }: Work): Promise<FaultDisk> {
  const disk = new FaultDisk()
  if (from) expectDone(await world.withDisk(disk).apply({ version: from }))
  return disk
}

/** Calls of a run without faults. */
async function countCalls(work: Work): Promise<number> {
  let calls = 0
  await inWorld(work.subject, async (world) => {
    const disk = await prepared(world, work)
    const before = disk.calls.length
    expectDone(await world.withDisk(disk).apply(request(work)))
    calls = disk.calls.length - before
  })
  return calls
}

/** True for an explained failure: of state, with a code; of another file, with the message of the system. */
function isClear(error: unknown, call = ''): boolean {
  return error instanceof Problem || (!call.includes('agents.state') && hasCode(error, 'ENOSPC', 'EIO'))
}
