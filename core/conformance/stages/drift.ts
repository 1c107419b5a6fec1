// Drift is detected and reverted. To cause drift without knowledge of the service, another client with a copy of the
// folder applies an edit of the project.
import assert from 'node:assert/strict'
import type { Change } from '../../plan/plan.js'
import type { Row } from '../../state/row.js'
import { placeholdersIn } from '../../value/placeholder.js'
import { leavesOf } from '../../value/tree.js'
import { expectDone, expectSettled } from '../expect.js'
import { expectNone } from '../findings.js'
import { inWorld, type Stage, stage } from '../stage.js'
import type { Subject, Version } from '../subject.js'
import { effectiveChanges, type World } from '../world.js'

export function driftStages({ project, edits }: Subject): readonly Stage[] {
  return [
    {
      title: 'what somebody else changed is planned as drift, and an apply restores it',
      async run(subject) {
        let seen = 0
        for (const edit of Object.values(edits))
          await inWorld(subject, async (world) => {
            seen += await driftBy(world, project, edit)
          })
        assert(seen > 0, 'at least one edit only changes resources in place, where it can be read back')
      },
    },

    stage('an object that somebody else removed is created again', async (world) => {
      expectDone(await world.apply({ version: project }))
      const address = await leafOf(world, project)
      const { plan } = await world
        .withDisk(world.disk.copy())
        .apply({ version: project, mode: 'destroy', targets: [address] })
      assert.deepEqual(
        plan.changes.map((change) => change.address),
        [address],
        'only the target is removed',
      )
      const repaired = await world.apply({ version: project })
      const change = repaired.plan.changes.find((one) => one.address === address)
      const isForgetful = plan.changes[0]?.action === 'forget' || isForgotten(world, address)
      if (!isForgetful)
        assert.deepEqual(
          [change?.action, change?.cause],
          ['create', 'gone'],
          `${address} is gone, and planned as ${change?.action}: look at read and isGone of ${change?.kind}, and at classify`,
        )
      expectDone(repaired)
      await expectSettled(world, project, { allowsPermanent: true })
    }),
  ]
}

/** Returns the number of resources that the edit changed; 0 if it cannot cause drift. */
async function driftBy(world: World, project: Version, edit: Version): Promise<number> {
  expectDone(await world.apply({ version: project }))
  const colleague = world.withDisk(world.disk.copy())
  if (!(await colleague.plan({ version: edit })).changes.every(isInPlace)) return 0
  const before = await world.rows(project)
  const made = await colleague.apply({ version: edit })
  expectDone(made)
  // An object under the same key would belong to another project.
  if (hasNewParts(before, await colleague.rows(edit))) return 0
  const visible = made.plan.changes.filter(isVisible)
  const plan = await world.plan({ version: project })
  for (const { address } of visible) {
    const seen = plan.changes.find((change) => change.address === address)
    assert.equal(seen?.action, 'update', `${address} is seen to have drifted: ${effectiveChanges(plan).join()}`)
    assert(
      seen.leaves.some(({ cause }) => cause === 'drift'),
      `${address} is said to have drifted: ${effectiveChanges(plan).join()}`,
    )
  }
  // By now counters and dates that the service maintains have changed, without any change by a client.
  expectDone(await colleague.apply({ version: project }))
  if (!hasNewParts(before, await colleague.rows(project))) {
    const left = (await world.plan({ version: project })).changes.flatMap(movedByItself)
    expectNone(left, 'what was changed back is no drift: `observed` leaves out what a service counts or dates')
  }
  expectDone(await world.apply({ version: project }))
  await expectSettled(world, project)
  return visible.length
}

/**
 * Returns the leaves that differ without a change by a client. Pinned outputs of other resources are left out, because
 * an update of those changes them.
 */
function movedByItself({ address, leaves, resource }: Change): readonly string[] {
  const wanted = leavesOf(resource?.desired ?? {})
  const isPin = ({ path }: Change['leaves'][number]) => placeholdersIn(wanted.get(path)).length > 0
  return leaves.filter((leaf) => !isPin(leaf)).map(({ path }) => `${address}: ${path}`)
}

function hasNewParts(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): boolean {
  return [...before].some(([address, { parts = {} }]) => {
    const now = after.get(address)?.parts ?? {}
    return Object.entries(parts).some(([key, id]) => now[key] !== undefined && now[key] !== id)
  })
}

function isInPlace({ action }: Change): boolean {
  return action === 'none' || action === 'update'
}

/** True if a leaf that the provider shows caused the change. */
function isVisible({ action, leaves, resource }: Change): boolean {
  if (action !== 'update' || !resource) return false
  const hidden: ReadonlySet<string> = new Set(['unverified', 'sensitive'])
  return leaves.some(
    ({ before, after, cause }) => cause === 'intent' && !hidden.has(before.type) && !hidden.has(after.type),
  )
}

/** Returns an address that no other resource was applied with. */
async function leafOf(world: World, version: Version): Promise<string> {
  const rows = await world.rows(version)
  const used = new Set(
    [...rows.values()].flatMap(({ inputs }) => Object.keys(inputs ?? {}).map((key) => key.split('#')[0])),
  )
  const leaf = [...rows.keys()].find((address) => !used.has(address))
  assert(leaf, 'some resource is used by no other')
  return leaf
}

/** True if the provider cannot remove objects of this kind, so that no other client can have removed one either. */
function isForgotten({ subject }: World, address: string): boolean {
  return subject.provider.handlers.some(({ kind, removal }) => removal === 'forget' && address.split('.')[1] === kind)
}
