// Memory stores on bailian through plans and applies: binding, updates and archiving.
import t, { type Test } from 'tap'
import { expectDone, expectSettled } from '../../../core/conformance/expect.js'
import type { Version } from '../../../core/conformance/subject.js'
import { World } from '../../../core/conformance/world.js'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { emulated } from '../../support/emulated.js'

const head = 'version: "1"\nproviders:\n  bailian: { api_key: k, workspace_id: w }\n'
const without: Version = { text: head }
const project: Version = {
  text: `${head}memory_stores:
  notes:
    name: Team notes
    metadata: { tier: 2, owner: { team: data } }
    entries: [{ key: tone.md, content: Be kind. }]
`,
}
const address = 'bailian.memory_store.notes'

async function opened(t: Test): Promise<World> {
  const startService = emulated(bailianEmulator)
  const world = await World.open({ provider: bailian, kinds, project, edits: {}, startService })
  t.teardown(() => world.close())
  return world
}

/** Body of an object in the emulator. */
async function control(world: World, method: string, path: string, body?: JsonObject): Promise<JsonObject> {
  const response = await fetch(`${world.service.emulatorUrl}/_emulator/objects${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  return isObject(answer) ? answer : {}
}

async function idOf(world: World): Promise<string | null | undefined> {
  return (await world.rows(project)).get(address)?.id
}

t.test('2.8.P1 without a recorded id a new store is created, whatever the labels of existing ones', async (t) => {
  const world = await opened(t)
  const seed = { provider: 'bailian', kind: 'memory_store', body: { name: 'Team notes' } }
  const { id: theirs } = await control(world, 'POST', '', seed)
  expectDone(await world.apply({ version: project }))
  await expectSettled(world, project)
  t.not(await idOf(world), theirs)
  t.same((await control(world, 'GET', `/${theirs}`))['metadata'], {}, 'it has no ownership mark')
})

t.test('2.8.P3 an update keeps the keys that others have added to the metadata', async (t) => {
  const world = await opened(t)
  expectDone(await world.apply({ version: project }))
  const id = await idOf(world)
  await control(world, 'PATCH', `/${id}`, { metadata: { theirs: [1, { deep: true }] } })
  await expectSettled(world, project)
  const version = { text: project.text.replace('tier: 2, ', '').replace('team: data', 'team: web') }
  expectDone(await world.apply({ version }))
  await expectSettled(world, version)
  t.same((await control(world, 'GET', `/${id}`))['metadata'], {
    'agents.project': 'project',
    'agents.resource': 'notes',
    owner: { team: 'web' },
    theirs: [1, { deep: true }],
  })
})

t.test(
  '2.8.P6 a store that is no longer declared is archived permanently, and declaring its name again creates a new one',
  async (t) => {
    const world = await opened(t)
    expectDone(await world.apply({ version: project }))
    const first = await idOf(world)
    const [change] = (await world.plan({ version: without })).changes
    t.match(change, { address, action: 'remove', irreversible: /archive/ })
    expectDone(await world.apply({ version: without }))
    t.match(await control(world, 'GET', `/${first}`), { archived_at: /^\d{4}-/ })
    expectDone(await world.apply({ version: project }))
    await expectSettled(world, project)
    t.not(await idOf(world), first)
    expectDone(await world.apply({ version: project, mode: 'destroy' }))
    const objects = await world.service.objects()
    t.same(
      objects.map(({ archived }) => archived),
      [true, true],
    )
  },
)
