// Crashes at every call to the disk, and checks that confirmed changes are durable.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import t from 'tap'
import type { Row } from '../../../core/state/row.js'
import { openForWriting, openState } from '../../../core/state/store.js'
import { Crash, type Fault, FaultDisk, type Survival, survivals } from '../../faults/disk.js'
import { fakeHost, realOptions, rowOf } from './fixtures.js'

const folder = '/demo'
const moments = ['before', 'middle', 'after'] as const

/** Every process has a pid of its own, and only one lives at a time. */
function optionsOf(disk: FaultDisk, pid: number) {
  return realOptions(folder, { disk, host: fakeHost('here', pid, new Map([[pid, `boot/${pid}`]])) })
}

/** Requested changes of each address in order, and how many of them were confirmed. */
class Ledger {
  private readonly asked = new Map<string, (string | undefined)[]>()
  private readonly confirmed = new Map<string, number>()

  async note(address: string, id: string | undefined, work: Promise<void>): Promise<void> {
    const all = this.asked.get(address) ?? [undefined]
    this.asked.set(address, all)
    const index = all.push(id) - 1
    await work
    this.confirmed.set(address, Math.max(this.confirmed.get(address) ?? 0, index))
  }

  /** Returns what is wrong with these rows: a confirmed change is missing, or a row was never requested. */
  complaints(rows: ReadonlyMap<string, Row>): string[] {
    const stray = [...rows.keys()].filter((address) => !this.asked.has(address))
    const wrong = [...this.asked].filter(([address, all]) => {
      const allowed = all.slice(this.confirmed.get(address) ?? 0)
      return !allowed.includes(rows.get(address)?.id ?? undefined)
    })
    return [...stray, ...wrong.map(([address, all]) => `${address}: ${rows.get(address)?.id} of ${all}`)]
  }
}

/** Two runs that do what an apply does: many at once, creates in two steps, removals, a move. */
async function twoRuns(disk: FaultDisk, ledger: Ledger): Promise<void> {
  const first = await openForWriting(optionsOf(disk, 101))
  const put = (address: string, id: string) => ledger.note(address, id, first.put(address, rowOf(id)))
  await first.setFingerprint('q', 'account')
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await put(`q.agent.${name}`, `open-${name}`)
      await put(`q.agent.${name}`, `made-${name}`)
    }),
  )
  await ledger.note('q.agent.b', undefined, first.delete('q.agent.b'))
  await first.close()

  const second = await openForWriting(optionsOf(disk, 102))
  const moved = second.move('q.agent.a', 'q.agent.z')
  await Promise.all([ledger.note('q.agent.a', undefined, moved), ledger.note('q.agent.z', 'made-a', moved)])
  await ledger.note('q.agent.c', 'changed-c', second.put('q.agent.c', rowOf('changed-c')))
  await second.close()
}

async function untilCrash(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof Crash)) throw error
  }
}

/** Checks, recovers, and checks again. Throws if anything is wrong. */
async function verify(disk: FaultDisk, ledger: Ledger): Promise<void> {
  const seen = await openState(optionsOf(disk, 103))
  const complaints = ledger.complaints(seen.rows)
  const holders = ['q.agent.a', 'q.agent.z'].filter((address) => seen.rows.get(address)?.id === 'made-a')
  if (holders.length > 1) complaints.push('an object is bound to two addresses')
  if (seen.rows.size > 0 && seen.providers.get('q') !== 'account') complaints.push('rows without their account')
  await (await openForWriting(optionsOf(disk, 104))).close()
  const recovered = await openState(optionsOf(disk, 105))
  if (!isDeepStrictEqual(new Map(recovered.rows), new Map(seen.rows))) complaints.push('recovery changed rows')
  const litter = disk.paths.filter(
    (path) => !/agents\.state\.(json|backup)$/.test(path) && path !== '/demo/agents.yaml',
  )
  complaints.push(...litter.map((path) => `left: ${path}`))
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
}

const freshDisk = () => new FaultDisk({ '/demo/agents.yaml': '' })

async function crashAndVerify(fault: Fault, survival: Survival): Promise<void> {
  const disk = freshDisk()
  disk.inject(fault)
  const ledger = new Ledger()
  await untilCrash(twoRuns(disk, ledger))
  try {
    await verify(disk.afterCrash(survival), ledger)
  } catch (error) {
    throw new Error(`${fault.when} call ${fault.atCall} (${disk.calls.at(-1)}), then ${survival} survives`, {
      cause: error,
    })
  }
}

t.test('a crash at any call to the disk loses nothing that was confirmed', async (t) => {
  const whole = freshDisk()
  await twoRuns(whole, new Ledger())
  t.ok(whole.calls.length > 50, `${whole.calls.length} calls`)
  for (let atCall = 1; atCall <= whole.calls.length; atCall++) {
    for (const when of moments) {
      for (const survival of survivals) await crashAndVerify({ atCall, when, as: 'crash' }, survival)
    }
  }
})

t.test('a second crash during recovery loses nothing either', async () => {
  const anyFault = fc.record({
    atCall: fc.integer({ min: 1, max: 60 }),
    when: fc.constantFrom(...moments),
    as: fc.constant('crash' as const),
  })
  const anySurvival = fc.constantFrom(...survivals)
  await fc.assert(
    fc.asyncProperty(anyFault, anySurvival, anyFault, anySurvival, async (first, then, second, andThen) => {
      const ledger = new Ledger()
      const disk = freshDisk()
      disk.inject(first)
      await untilCrash(twoRuns(disk, ledger))
      const recovering = disk.afterCrash(then)
      recovering.inject({ ...second, atCall: Math.ceil(second.atCall / 3) })
      await untilCrash(openForWriting(optionsOf(recovering, 106)).then((state) => state.close()))
      await verify(recovering.afterCrash(andThen), ledger)
    }),
    { numRuns: 300 },
  )
})
