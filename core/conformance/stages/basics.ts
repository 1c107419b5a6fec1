// Plan, apply, plan again, destroy: the basis of all other stages.
import assert from 'node:assert/strict'
import { parseAddress } from '../../value/address.js'
import { expectDone, expectEmpty, expectKnown, expectNothingLeft, expectSettled } from '../expect.js'
import { expectNone, writesAmong } from '../findings.js'
import { type Stage, stage } from '../stage.js'
import type { RemoteObject, Subject, Version } from '../subject.js'
import { undescribedKeys } from '../undescribed.js'
import { effectiveChanges, providersOf, refusalOf, type World } from '../world.js'

const untouched = 'another project changes and removes nothing of ours (look at create and lostCreate)'

export function basicStages(subject: Subject): readonly Stage[] {
  return [...lifeStages(subject), ...neighbourStages(subject)]
}

/** Returns the stages from the first plan to the last destroy. */
function lifeStages({ provider, project: version }: Subject): readonly Stage[] {
  return [
    stage('every key of the configuration has a description', async () => {
      assert.deepEqual(undescribedKeys(provider.configuration), [])
    }),

    stage(
      'everything declared is planned to be created, references to be verified, and planning writes nothing',
      async (world) => {
        const { changes } = await world.plan({ version })
        assert(changes.length >= 3, 'the project declares at least three resources')
        const others = changes.filter(({ action, resource }) => action !== (resource?.externalId ? 'verify' : 'create'))
        assert.deepEqual(
          others.map(({ address, action }) => `${address}: ${action}`),
          [],
        )
        assert.deepEqual(await world.service.objects().then((objects) => objects.filter(({ seeded }) => !seeded)), [])
      },
    ),

    stage('an apply creates what is declared, and the plan after it is empty', async (world) => {
      expectDone(await world.apply({ version }))
      await expectSettled(world, version)
      const again = await world.apply({ version })
      expectNone(writesAmong(again.calls), 'an apply with nothing to do changes nothing')
    }),

    stage('destroy removes everything that can be removed, and a second one finds nothing', async (world) => {
      expectDone(await world.apply({ version }))
      expectDone(await world.apply({ version, mode: 'destroy' }))
      await expectNothingLeft(world, version)
      expectEmpty(await world.plan({ version, mode: 'destroy' }))
    }),

    stage('what was destroyed can be applied again', async (world) => {
      expectDone(await world.apply({ version }))
      expectDone(await world.apply({ version, mode: 'destroy' }))
      expectDone(await world.apply({ version }))
      await expectSettled(world, version, { allowsPermanent: true })
    }),
  ]
}

/** Returns the stages about objects and values that do not belong to the project or to the readers of its files. */
function neighbourStages({ project: version, edits }: Subject): readonly Stage[] {
  return [
    stage('what was there before stays as it is', async (world) => {
      const before = await foreignObjects(world)
      for (const changed of [version, ...Object.values(edits)]) expectDone(await world.apply({ version: changed }))
      expectDone(await world.apply({ version, mode: 'destroy' }))
      assert.deepEqual(await foreignObjects(world), before)
    }),

    stage('two projects in one account leave each other alone', async (world) => {
      expectDone(await world.apply({ version }))
      const other = world.ofOtherUser()
      const recreate = providersOf(world.subject).map(({ name }) => name) // The projects have the same name.
      await other.apply({ version, recreate }) // Names may be in use already; only what is created counts.
      expectNone(await shared(world, other, version), 'another project takes nothing over')
      expectEmpty(await world.plan({ version }), untouched)
      await other.apply({ version, mode: 'destroy' })
      expectEmpty(await world.plan({ version }), untouched)
      await expectKnown(world, version, { allowsPermanent: true })
    }),

    stage('no value of a variable is written to a file or shown', async (world) => {
      const plan = await world.plan({ version })
      const applied = await world.apply({ version })
      const refused = await refusalOf(world.plan({ version, targets: ['no.such.address'] }))
      const shown = [plan, applied.plan].map(({ changes, diagnostics }) => ({
        diagnostics,
        changes: changes.map(({ leaves, notes, unverified }) => ({ leaves, notes, unverified })),
      }))
      expectNoSecret(
        world,
        JSON.stringify({ shown, outcomes: applied.outcomes, refused, effectiveChanges: effectiveChanges(plan) }),
      )
    }),
  ]
}

/** Returns the objects in the state of both worlds, without those that all projects of an account share. */
async function shared(ours: World, theirs: World, version: Version): Promise<readonly string[]> {
  const rows = await ours.rows(version)
  return [...(await theirs.rows(version))].flatMap(([address, { id, ownership }]) => {
    const { kind } = parseAddress(address)
    const isCommon = providersOf(ours.subject).some(({ handlers }) =>
      handlers.some((one) => one.kind === kind && (one.isStateOnly || one.lostCreate.by === 'repeat')),
    )
    const isOurs = id !== null && ownership !== 'external' && rows.get(address)?.id === id
    return isOurs && !isCommon ? [`${address} is ${id} in both: look at ${kind}.create and ${kind}.lostCreate`] : []
  })
}

async function foreignObjects({ service }: World): Promise<readonly RemoteObject[]> {
  return (await service.objects()).filter(({ seeded }) => seeded)
}

function expectNoSecret({ subject, disk }: World, shown: string): void {
  for (const [name, value] of Object.entries(subject.variables ?? {})) {
    const forms = [value, encodeURIComponent(value), Buffer.from(value).toString('base64')]
    for (const form of forms) {
      assert(!disk.written.some((text) => text.includes(form)), `the value of ${name} is in no file`)
      assert(!shown.includes(form), `the value of ${name} is in no message`)
    }
  }
}
