// Forward delivery from agents.yaml to the service and back, by the engine itself, against the emulator.
import t from 'tap'
import { effectiveChanges } from '../../../core/conformance/world.js'
import { isObject } from '../../../core/value/tree.js'
import {
  call,
  delivered,
  failures,
  files,
  forward,
  idOf,
  left,
  mountsPath,
  opened,
  seed,
  statuses,
  text,
} from './front-desk.js'
import { forwardPrefix, managedPrefix } from './subject.js'

t.test(
  '2.11 everything that a forward agent uses is created in the forward API, and then the plan is empty',
  async (t) => {
    const world = await opened(t)
    t.same(failures(await world.apply({ version: delivered })), [])
    t.same(effectiveChanges(await world.plan({ version: delivered })), [])
    const rows = await world.rows(delivered)
    t.same(
      [...rows].filter(([, { api }]) => api !== 'forward').map(([address]) => address),
      ['qoder.tunnel.office'],
    )
    t.match(rows.get('qoder.tunnel.office'), { ownership: 'external', id: 'tnl_emulator' })
    const mounts = await call(world, 'GET', await mountsPath(world, delivered))
    t.match(mounts['data'], [{ access: 'read_only' }, { access: 'read_only' }])
  },
)

t.test('drift of a template and of its mounts is planned and reverted', async (t) => {
  const world = await opened(t)
  await world.apply({ version: delivered })
  const template = await idOf(world, delivered, 'agent.front')
  await call(world, 'POST', `${forwardPrefix}/templates/${template}`, { system: 'By hand.' })
  const path = await mountsPath(world, delivered)
  const notes = await idOf(world, delivered, 'memory_store.notes')
  await call(world, 'DELETE', `${path}/${notes}`)
  t.match(effectiveChanges(await world.plan({ version: delivered })), [
    /agent\.front: update, drift/,
    /memory_mount\.front~notes: create, gone/,
  ])
  await world.apply({ version: delivered })
  t.same(effectiveChanges(await world.plan({ version: delivered })), [])
})

t.test('2.11 declared mounts are removed with their declaration, those of other clients are kept', async (t) => {
  const world = await opened(t)
  await world.apply({ version: delivered })
  const foreign = await seed(world, 'memory_store', { name: 'Theirs' }).catch(() =>
    call(world, 'POST', `${managedPrefix}/memory_stores`, { name: 'Theirs' }),
  )
  const path = await mountsPath(world, delivered)
  await call(world, 'POST', path, { memory_store_id: String(foreign['id']) })
  const fewer = { text: delivered.text.replace('[notes, rules]', '[rules]'), files }
  t.match(effectiveChanges(await world.plan({ version: fewer })), [/memory_mount\.front~notes: remove/])
  await world.apply({ version: fewer })
  const { data } = await call(world, 'GET', path)
  const rules = await idOf(world, fewer, 'memory_store.rules')
  t.same(
    Array.isArray(data) ? data.map((mount) => isObject(mount) && mount['memory_store_id']).sort() : [],
    [String(foreign['id']), rules].sort(),
  )
})

t.test('destroy unmounts, archives the template and removes everything else', async (t) => {
  const world = await opened(t)
  await world.apply({ version: delivered })
  t.same(failures(await world.apply({ version: delivered, mode: 'destroy' })), [])
  t.same(await left(world), [])
  t.equal((await world.rows(delivered)).size, 0)
})

t.test('2.2 an external identity is verified, recorded and never changed', async (t) => {
  const world = await opened(t)
  const { id } = await seed(world, 'identity', { external_id: 'them', name: 'Them' })
  const body = text(forward).replace('external_id: team, metadata: { tier: gold }', `identity_id: ${String(id)}`)
  const version = { text: body, files }
  t.same(failures(await world.apply({ version })), [])
  t.same(effectiveChanges(await world.plan({ version })), [])
  t.match((await world.rows(version)).get('qoder.identity.everyone'), { ownership: 'external', id })
  t.same(failures(await world.apply({ version, mode: 'destroy' })), [])
  t.match(await call(world, 'GET', `${forwardPrefix}/identities/${String(id)}`), { name: 'Them' })
  const wrong = { text: body.replace(String(id), 'idn_none'), files }
  await t.rejects(world.plan({ version: wrong }), /idn_none/)
})

t.test('2.3 a renamed channel or identity keeps its object, whatever else changes with the name', async (t) => {
  const world = await opened(t)
  await world.apply({ version: delivered })
  const [identity, channel] = [
    await idOf(world, delivered, 'identity.everyone'),
    await idOf(world, delivered, 'channel.desk'),
  ]
  const renamed = {
    files,
    text: delivered.text.replaceAll('everyone', 'all').replace('  desk: {', '  front-desk: { enabled: false,'),
    variables: { TOKEN: 'tok-r0tated' },
  }
  const plan = await world.plan({ version: renamed })
  t.match(
    plan.changes
      .filter(({ movedFrom }) => movedFrom)
      .map(({ address, action, movedFrom }) => [address, action, movedFrom]),
    [
      ['qoder.identity.all', 'update', 'qoder.identity.everyone'],
      ['qoder.channel.front-desk', 'update', 'qoder.channel.desk'],
    ],
  )
  t.match(
    effectiveChanges(plan).join('\n'),
    /channel\.front-desk: update, intent, #key \(intent: "desk" -> "front-desk"\)/,
  )
  t.same(
    plan.changes.filter(({ action }) => action === 'remove').map(({ address }) => address),
    [],
  )
  t.same(failures(await world.apply({ version: renamed })), [])
  t.equal(await idOf(world, renamed, 'identity.all'), identity)
  t.equal(await idOf(world, renamed, 'channel.front-desk'), channel)
  t.same(effectiveChanges(await world.plan({ version: renamed })), [])
  t.same(failures(await world.apply({ version: renamed, mode: 'destroy' })), [])
  t.same(await left(world), [])
})

t.test('switching an agent between the APIs creates the new one first', async (t) => {
  const world = await opened(t)
  const managed = { text: text('').replace('[notes, rules]', '[notes]'), files }
  const switched = { text: text(forward).replace('[notes, rules]', '[notes]'), files }
  t.same(failures(await world.apply({ version: managed })), [])
  const calls: string[] = []
  const fate = ({ request }: { readonly request: { readonly method: string; readonly url: string } }) => {
    calls.push(`${request.method} ${new URL(request.url).pathname}`)
    return 'answered' as const
  }
  t.same(failures(await world.apply({ version: switched, fate })), [])
  const created = calls.indexOf(`POST ${forwardPrefix}/templates`)
  const removed = calls.findIndex((line) => line.startsWith(`DELETE ${managedPrefix}/agents/`))
  t.ok(created >= 0 && removed > created, 'the template is created before the agent is removed')
  t.same(effectiveChanges(await world.plan({ version: switched })), [])
  t.same(failures(await world.apply({ version: managed })), [])
  t.same(effectiveChanges(await world.plan({ version: managed })), [])
  t.same(failures(await world.apply({ version: managed, mode: 'destroy' })), [])
  t.same(await left(world), [])
})

t.test('an agent whose replacement is refused is kept', async (t) => {
  const world = await opened(t)
  const managed = { text: text(''), files }
  const switched = { text: text(forward), files }
  await world.apply({ version: managed })
  const old = await idOf(world, managed, 'agent.front')
  await seed(world, 'agent', { name: 'front' })
  const run = await world.apply({ version: switched })
  t.match(statuses(run)['qoder.agent.front'], /failed/)
  t.match(await call(world, 'GET', `${managedPrefix}/agents/${old}`), { id: old, archived_at: null })
})
