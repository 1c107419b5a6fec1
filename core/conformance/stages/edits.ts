// Every change of the declaration reaches the service, and so does its reversal.
import assert from 'node:assert/strict'
import { expectDone, expectSettled } from '../expect.js'
import { type Stage, stage } from '../stage.js'
import type { Subject } from '../subject.js'
import { busy } from '../world.js'

export function editStages({ project, edits }: Subject): readonly Stage[] {
  return Object.entries(edits).map(([what, version]) =>
    stage(`after ${what}, an apply brings it about, and going back as well`, async (world) => {
      expectDone(await world.apply({ version: project }))
      const before = await world.rows(project)
      const edited = await world.apply({ version })
      expectDone(edited)
      assert(busy(edited.plan).length > 0, 'the edit changes something')
      await expectSettled(world, version, { allowsPermanent: true })
      const after = await world.rows(version)
      for (const { address, action, movedFrom = address } of edited.plan.changes)
        if (action === 'update' || action === 'none')
          assert.equal(after.get(address)?.id, before.get(movedFrom)?.id, `${address} is still the same object`)
      expectDone(await world.apply({ version: project }))
      await expectSettled(world, project, { allowsPermanent: true })
    }),
  )
}
