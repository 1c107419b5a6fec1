// Leftovers of interrupted runs, including rows, are removed by the next run.
import t from 'tap'
import { expectDone, expectSettled } from '../../../core/conformance/expect.js'
import type { HttpCall } from '../../../core/conformance/life.js'
import { inWorld } from '../../../core/conformance/stage.js'
import { refusalOf } from '../../../core/conformance/world.js'
import { acmeSubject } from '../../support/acme.js'

const subject = await acmeSubject()
const { project, edits } = subject
const withoutCredential = edits['one credential was removed and another moved']
if (!withoutCredential) throw new Error('the example has this edit')

t.test('a part whose removal took effect just before a crash is removed from the row', (t) =>
  inWorld(subject, async (world) => {
    expectDone(await world.apply({ version: project }))
    let removed = ''
    const ending = await world.run({
      version: withoutCredential,
      fate({ request, number, isWrite }) {
        if (!isWrite || number < 3) return 'answered'
        removed = `${request.method} ${request.url}`
        return 'dies after'
      },
    })
    t.equal(ending.type, 'died')
    t.match(removed, /DELETE .*\/credentials\//)
    const plan = await world.plan({ version: withoutCredential })
    t.match(plan.changes.find(({ kind }) => kind === 'vault')?.action, 'resume')
    expectDone(await world.apply({ version: withoutCredential }))
    t.same(Object.keys((await world.rows(withoutCredential)).get('acme.vault.keys')?.parts ?? {}), ['issues'])
  }),
)

t.test('a row without replaced objects has no member for them', (t) =>
  inWorld(subject, async (world) => {
    expectDone(await world.apply({ version: project }))
    await world.run({
      version: withoutCredential,
      fate: ({ isWrite, number }) => (isWrite && number === 2 ? 'dies after' : 'answered'),
    })
    t.equal((await world.rows(project)).get('acme.vault.keys')?.deposed, undefined)
  }),
)

t.test('a row gets the id of a part that was replaced just before a crash, and its secret is sent again', (t) =>
  inWorld(subject, async (world) => {
    expectDone(await world.apply({ version: project }))
    const fate = ({ isWrite, number }: HttpCall) => (isWrite && number === 2 ? 'dies after' : 'answered')
    t.equal((await world.run({ version: withoutCredential, fate })).type, 'died')
    const plan = await world.plan({ version: withoutCredential })
    const change = plan.changes.find(({ kind }) => kind === 'vault')
    t.ok(
      change?.leaves.some(({ path }) => path === 'credentials/issues/token'),
      'its token is planned',
    )
    expectDone(await world.apply({ version: withoutCredential }))
    await expectSettled(world, withoutCredential)
  }),
)

const nothing = { text: project.text.slice(0, project.text.indexOf('environments:')) }

t.test('after a crash while the last objects were removed, their absence does not count as another account', (t) =>
  inWorld(subject, async (world) => {
    expectDone(await world.apply({ version: project }))
    const { writes: last } = await world.apply({ version: nothing })
    expectDone(await world.apply({ version: project }))
    await world.run({
      version: nothing,
      fate: ({ isWrite, number }) => (isWrite && number === last ? 'dies after' : 'answered'),
    })
    t.same(await world.service.objects(), [])
    t.ok((await world.rows(nothing)).size > 0, 'some row is still there')
    expectDone(await world.apply({ version: nothing }))
    t.equal((await world.rows(nothing)).size, 0)
  }),
)

t.test('a removal that was interrupted and is no longer wanted leaves the resource as declared', () =>
  inWorld(subject, async (world) => {
    expectDone(await world.apply({ version: project }))
    const fate = ({ isWrite, number }: HttpCall) => (isWrite && number === 2 ? 'dies before' : 'answered')
    await world.run({ version: project, mode: 'destroy', fate })
    expectDone(await world.apply({ version: project }))
    await expectSettled(world, project)
  }),
)

t.test('a plan stops if others removed all objects', (t) =>
  inWorld(subject, async (world) => {
    expectDone(await world.apply({ version: project }))
    expectDone(await world.withDisk(world.disk.copy()).apply({ version: project, mode: 'destroy' }))
    t.match(await refusalOf(world.plan({ version: project })), [{ code: 'plan.all-gone' }])
  }),
)
