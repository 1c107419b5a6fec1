// A forward agent with all resources it can use, as the start of tests of forward delivery.
import type { Test } from 'tap'
import type { Version } from '../../../core/conformance/subject.js'
import { type Run, World } from '../../../core/conformance/world.js'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoderEmulator } from '../../../plugins/qoder/emulator/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { emulated, objectsAt } from '../../support/emulated.js'
import { forwardPrefix, headers } from './subject.js'

export const files = {
  'review/SKILL.md': '---\nname: review\ndescription: How\n---\nRead.\n',
  'handbook.md': 'Be kind.\n',
}
export const text = (agent: string, more = '') => `version: "1"
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
export const forward = '    delivery: { qoder: { type: forward } }\n'
export const channels = `channels:
  desk: { type: dingtalk, agent: front, credentials: { client_id: c1, client_secret: "\${TOKEN}" } }
  group: { type: wecom, mode: pairing, credentials: { bot_id: b1, secret: "\${TOKEN}" } }
`
export const kept = (more: string) =>
  `    default_memory_store: { name: Notes of the team, description: Kept${more} }\n`
export const deleted = kept(', delete_on_destroy: true')
export const delivered = { text: text(forward, channels), files }

const subject = {
  provider: qoder,
  kinds,
  project: delivered,
  edits: {},
  variables: { QODER_KEY: 'pt-0123456789', TOKEN: 'tok-s3cret-value' },
  startService: emulated(qoderEmulator),
}

export async function opened(t: Test): Promise<World> {
  const world = await World.open(subject)
  t.teardown(() => world.close())
  return world
}

export async function call(world: World, method: string, path: string, body?: object): Promise<JsonObject> {
  const answer = await fetch(`${world.service.emulatorUrl}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  const parsed: unknown = await answer.json()
  return isObject(parsed) ? parsed : {}
}

export const seed = (world: World, kind: string, body: object) =>
  call(world, 'POST', '/_emulator/objects', { provider: 'qoder', kind, api: 'forward', body })

export async function idOf(world: World, version: Version, address: string): Promise<string> {
  return (await world.rows(version)).get(`qoder.${address}`)?.id ?? 'none'
}

export async function startSession(world: World, version: Version): Promise<void> {
  const identity_id = await idOf(world, version, 'identity.everyone')
  const template_id = await idOf(world, version, 'agent.front')
  await call(world, 'POST', `${forwardPrefix}/sessions`, { identity_id, template_id })
}

export const mountsPath = async (world: World, version: Version) =>
  `${forwardPrefix}/identities/${await idOf(world, version, 'identity.everyone')}/templates/${await idOf(world, version, 'agent.front')}/memory_stores`

export async function left(world: World): Promise<readonly string[]> {
  const objects = await objectsAt(world.service.emulatorUrl ?? '')
  return objects
    .filter(({ archived, permanent, seeded }) => !archived && !permanent && !seeded)
    .map(({ kind, id }) => `${kind} ${id}`)
    .filter((line) => !/^(session|mount|event)/.test(line))
}

export const statuses = ({ outcomes }: Run) =>
  Object.fromEntries(outcomes.map(({ address, status, action }) => [address, `${action} ${status}`]))
export const failures = ({ outcomes }: Run) =>
  outcomes.flatMap(({ status, address, diagnostics }) =>
    status === 'done' ? [] : [{ address, status, codes: diagnostics.map(({ code }) => code) }],
  )
