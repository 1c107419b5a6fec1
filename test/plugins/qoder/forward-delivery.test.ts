// Forward delivery from agents.yaml to the service and back, by the engine itself, against the emulator.
import type { Test } from 'tap'
import t from 'tap'
import { busy, type Run, World } from '../../../core/plugin/conformance/world.js'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { emulated, objectsAt } from '../../support/emulated.js'
import { forwardPrefix, headers, managedPrefix } from './subject.js'

const files = {
  'review/SKILL.md': '---\nname: review\ndescription: How\n---\nRead.\n',
  'handbook.md': 'Be kind.\n',
}
const text = (agent: string, more = '') => `version: "1"
providers:
  qoder:
    api_key: \${QODER_KEY}
defaults:
  identity: everyone
environments:
  box: { config: { type: cloud, packages: { pip: [ruff] } } }
tunnels:
  office: { tunnel_id: tnl_emulator }
vaults:
  keys:
    credentials:
      - { name: issues, type: static_bearer, mcp_server_url: https://issues.example/mcp, access_token: "\${TOKEN}" }
memory_stores:
  notes: { entries: [{ key: a.md, content: A. }] }
  rules: { description: What to heed }
skills:
  review: { source: ./review }
files:
  handbook: { source: ./handbook.md }
identities:
  everyone: { external_id: team, metadata: { tier: gold } }
agents:
  front:
    model: auto
    instructions: Help.
    environment: box
    vault: keys
    skills: [review]
    files: [handbook]
    memory_stores: [notes, rules]
    tunnel: office
${agent}${more}`
const forward = '    delivery: { qoder: { type: forward } }\n'
const channels = `channels:
  desk: { type: dingtalk, agent: front, credentials: { client_id: c1, client_secret: "\${TOKEN}" } }
  group: { type: wecom, mode: pairing, credentials: { bot_id: b1, secret: "\${TOKEN}" } }
`
const kept = (more: string) => `    default_memory_store: { name: Notes of the team, description: Kept${more} }\n`
const deleted = kept(', delete_on_destroy: true')
const delivered = { text: text(forward, channels), files }

const subject = {
  provider: qoder,
  kinds,
  project: delivered,
  edits: {},
  variables: { QODER_KEY: 'pt-0123456789', TOKEN: 'tok-s3cret-value' },
  startService: emulated(qoderEmulator),
}

async function opened(t: Test): Promise<World> {
  const world = await World.open(subject)
  t.teardown(() => world.close())
  return world
}

async function call(world: World, method: string, path: string, body?: object): Promise<JsonObject> {
  const answer = await fetch(`${world.service.emulatorUrl}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  const parsed: unknown = await answer.json()
  return isObject(parsed) ? parsed : {}
}

const seed = (world: World, kind: string, body: object) =>
  call(world, 'POST', '/_emulator/objects', { provider: 'qoder', kind, api: 'forward', body })

async function idOf(world: World, version: typeof delivered, address: string): Promise<string> {
  return (await world.rows(version)).get(`qoder.${address}`)?.id ?? 'none'
}

async function startSession(world: World, version: typeof delivered): Promise<void> {
  const identity_id = await idOf(world, version, 'identity.everyone')
  const template_id = await idOf(world, version, 'agent.front')
  await call(world, 'POST', `${forwardPrefix}/sessions`, { identity_id, template_id })
}

const mountsPath = async (world: World, version: typeof delivered) =>
  `${forwardPrefix}/identities/${await idOf(world, version, 'identity.everyone')}/templates/${await idOf(world, version, 'agent.front')}/memory_stores`

async function left(world: World): Promise<readonly string[]> {
  const objects = await objectsAt(world.service.emulatorUrl ?? '')
  return objects
    .filter(({ archived, permanent, seeded }) => !archived && !permanent && !seeded)
    .map(({ kind, id }) => `${kind} ${id}`)
    .filter((line) => !/^(session|mount|event)/.test(line))
}

const statuses = ({ outcomes }: Run) =>
  Object.fromEntries(outcomes.map(({ address, status, action }) => [address, `${action} ${status}`]))
const failures = ({ outcomes }: Run) =>
  outcomes.flatMap(({ status, address, diagnostics }) =>
    status === 'done' ? [] : [{ address, status, codes: diagnostics.map(({ code }) => code) }],
  )

t.test('2.11 everything a forward agent uses is created in the forward API, and then nothing is to do', async (t) => {
  const world = await opened(t)
  t.same(failures(await world.apply({ version: delivered })), [])
  t.same(busy(await world.plan({ version: delivered })), [])
  const rows = await world.rows(delivered)
  t.same(
    [...rows].filter(([, { api }]) => api !== 'forward').map(([address]) => address),
    ['qoder.tunnel.office'],
  )
  t.match(rows.get('qoder.tunnel.office'), { ownership: 'external', id: 'tnl_emulator' })
  const mounts = await call(world, 'GET', await mountsPath(world, delivered))
  t.match(mounts['data'], [{ access: 'read_only' }, { access: 'read_only' }])
})

t.test('drift of a template and of its mounts is seen and undone', async (t) => {
  const world = await opened(t)
  await world.apply({ version: delivered })
  const template = await idOf(world, delivered, 'agent.front')
  await call(world, 'POST', `${forwardPrefix}/templates/${template}`, { system: 'By hand.' })
  const path = await mountsPath(world, delivered)
  const notes = await idOf(world, delivered, 'memory_store.notes')
  await call(world, 'DELETE', `${path}/${notes}`)
  t.match(busy(await world.plan({ version: delivered })), [
    /agent\.front: update, drift/,
    /memory_mount\.front~notes: create, gone/,
  ])
  await world.apply({ version: delivered })
  t.same(busy(await world.plan({ version: delivered })), [])
})

t.test('2.11 mounts of others stay, and ours go with their declaration', async (t) => {
  const world = await opened(t)
  await world.apply({ version: delivered })
  const foreign = await seed(world, 'memory_store', { name: 'Theirs' }).catch(() =>
    call(world, 'POST', `${managedPrefix}/memory_stores`, { name: 'Theirs' }),
  )
  const path = await mountsPath(world, delivered)
  await call(world, 'POST', path, { memory_store_id: String(foreign['id']) })
  const fewer = { text: delivered.text.replace('[notes, rules]', '[rules]'), files }
  t.match(busy(await world.plan({ version: fewer })), [/memory_mount\.front~notes: remove/])
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
  t.same(busy(await world.plan({ version })), [])
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
  t.match(busy(plan).join('\n'), /channel\.front-desk: update, intent, #key \(intent: "desk" -> "front-desk"\)/)
  t.same(
    plan.changes.filter(({ action }) => action === 'remove').map(({ address }) => address),
    [],
  )
  t.same(failures(await world.apply({ version: renamed })), [])
  t.equal(await idOf(world, renamed, 'identity.all'), identity)
  t.equal(await idOf(world, renamed, 'channel.front-desk'), channel)
  t.same(busy(await world.plan({ version: renamed })), [])
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
  t.ok(created >= 0 && removed > created, 'the template is there before the agent goes')
  t.same(busy(await world.plan({ version: switched })), [])
  t.same(failures(await world.apply({ version: managed })), [])
  t.same(busy(await world.plan({ version: managed })), [])
  t.same(failures(await world.apply({ version: managed, mode: 'destroy' })), [])
  t.same(await left(world), [])
})

t.test('an agent whose new form is refused keeps its old one', async (t) => {
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

t.test(
  '2.12 the default store waits for a session, is named then, and outlives a destroy unless declared',
  async (t) => {
    const world = await opened(t)
    const version = { text: text(forward + kept('')), files }
    const first = await world.apply({ version })
    t.match(failures(first), [
      { address: 'qoder.default_memory_store.front', status: 'waiting', codes: ['apply.not-yet'] },
    ])
    await startSession(world, version)
    t.same(failures(await world.apply({ version })), [])
    t.same(busy(await world.plan({ version })), [])
    const id = await idOf(world, version, 'default_memory_store.front')
    const path = `${forwardPrefix}/memory_stores/${id}`
    t.match(await call(world, 'GET', path), { name: 'Notes of the team', description: 'Kept', system_managed: true })
    await call(world, 'POST', path, { name: 'By hand' })
    t.match(busy(await world.plan({ version })), [/default_memory_store\.front: update, drift/])
    await world.apply({ version })
    t.match(await call(world, 'GET', path), { name: 'Notes of the team' })
    t.same(failures(await world.apply({ version, mode: 'destroy' })), [])
    t.match(await call(world, 'GET', `${managedPrefix}/memory_stores/${id}`), { id, archived_at: null })
  },
)

t.test('2.12 a store to be deleted goes after template and identity, when the system has unmounted it', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  await startSession(world, version)
  await world.apply({ version })
  t.same(busy(await world.plan({ version })), [])
  t.same(failures(await world.apply({ version, mode: 'destroy' })), [])
  t.same(await left(world), [])
})

t.test('2.12 a store that came about after the last apply is captured before anything is removed', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  await startSession(world, version)
  t.same(failures(await world.apply({ version, mode: 'destroy' })), [])
  t.same(await left(world), [])
})

t.test('2.12 without a session there is nothing to delete', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  t.same(failures(await world.apply({ version, mode: 'destroy' })), [])
  t.equal((await world.rows(version)).size, 0)
})

t.test('2.12 a destroy whose lookup fails removes nothing', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  await startSession(world, version)
  const rows = (await world.rows(version)).size
  let looked = false
  const fate = ({ request }: { readonly request: { readonly method: string; readonly url: string } }) => {
    const isLookup = /identities\/[^/]+\/templates\/[^/]+\/memory_stores$/.test(request.url)
    looked ||= isLookup
    return isLookup && request.method === 'GET' ? ('unreachable' as const) : ('answered' as const)
  }
  await t.rejects(world.run({ version, mode: 'destroy', fate }))
  t.equal(looked, true)
  t.equal((await world.rows(version)).size, rows)
})

t.test('2.12 what cannot be deleted yet stays in state, and a later destroy goes on with it', async (t) => {
  const world = await opened(t)
  const version = { text: text(forward + deleted), files }
  await world.apply({ version })
  await startSession(world, version)
  await world.apply({ version })
  await call(world, 'PUT', '/_emulator/knobs', { qoder: { unmountAfter: 1_000 } })
  const refuse = ({ request }: { readonly request: { readonly method: string; readonly url: string } }) =>
    request.method === 'POST' && /memory_stores\/[^/]+\/archive$/.test(request.url)
      ? ('fails before' as const)
      : ('answered' as const)
  const partial = await world.apply({ version, mode: 'destroy', fate: refuse })
  t.match(failures(partial), [{ address: 'qoder.default_memory_store.front', status: 'failed' }])
  t.same([...(await world.rows(version)).keys()], ['qoder.default_memory_store.front'])
  t.same(failures(await world.apply({ version, mode: 'destroy' })), [])
  t.equal((await world.rows(version)).size, 0)
  t.same(await left(world), [])
})
