// `sync --import` and `import` on a disk that crashes at any call: a second run binds every object to the same name, and no
// object remains unbound.
import t from 'tap'
import { chosen } from '../../core/conformance/chance.js'
import { expectDone } from '../../core/conformance/expect.js'
import { inWorld } from '../../core/conformance/stage.js'
import { effectiveChanges, type World } from '../../core/conformance/world.js'
import { acmeSubject } from '../support/acme.js'
import { importAll, importOne, projectFile } from '../support/round-trip.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { FaultDisk, survivals } from './disk.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

const subject = await acmeSubject()
const { project } = subject
const head = `${project.text.slice(0, project.text.indexOf('\nenvironments:'))}\n`

interface Work {
  readonly what: string
  /** A project without declarations of the objects. */
  run(world: World<FaultDisk>): Promise<void>
  readonly bound: number
}
/** Resources of the example that sync can declare: all but skills, whose content cannot be read back. */
const everything = 5
const works: readonly Work[] = [
  { what: 'sync --import', run: importAll, bound: everything },
  {
    what: 'import under another name',
    run: (world) => importOne(world, 'acme.environment.elsewhere'),
    bound: 1,
  },
]

for (const { what, run, bound } of works)
  t.test(`after a crash at any call to the disk during ${what}, a second run completes the work`, async (t) => {
    let calls = 0
    await inWorld(subject, async (world) => {
      const disk = await furnished(world)
      await run(world.withDisk(disk))
      calls = disk.calls.length
      await expectBound(world.withDisk(disk), bound)
    })
    t.ok(calls > 5, `${calls} calls`)
    for (const atCall of chosen(calls, sampleOf(10).sample))
      for (const when of ['before', 'after'] as const)
        for (const survival of isLong ? survivals : [survivals[atCall % survivals.length] ?? 'everything'])
          await inWorld(subject, async (world) => {
            const disk = await furnished(world)
            const here = world.withDisk(disk)
            disk.inject({ atCall, when, as: 'crash' })
            await t.rejects(run(here))
            const next = here.withDisk(disk.afterCrash(survival))
            // `sync --import` completes both.
            const again = atCall % 2 === 0 ? { run, bound } : { run: importAll, bound: everything }
            await again.run(next)
            await expectBound(next, again.bound)
          })
  })

/** An account with the objects of the project, and an agents.yaml with nothing but the provider. */
async function furnished(world: World): Promise<FaultDisk> {
  expectDone(await world.ofOtherUser().apply({ version: project }))
  return new FaultDisk({ [projectFile]: head })
}

async function expectBound(world: World<FaultDisk>, count: number): Promise<void> {
  const version = { text: world.disk.text(projectFile) ?? '' }
  const plan = await world.plan({ version })
  if (effectiveChanges(plan).length > 0) throw new Error(effectiveChanges(plan).join('\n'))
  if (plan.changes.length !== count) throw new Error(`${plan.changes.length} resources instead of ${count}`)
}
