// Tests which of Qoder's two APIs each resource belongs to.
import t from 'tap'
import { placeAll } from '../../../core/graph/placement.js'
import type { Declaration } from '../../../core/plugin/declaration.js'
import type { Row } from '../../../core/state/row.js'
import { place } from '../../../plugins/qoder/delivery.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { declared as declaredOn, projectOf } from '../declared.js'

const declared = (kind: string, name: string, body: object) => declaredOn('qoder', kind, name, body)

const agent = { model: 'auto', instructions: 'Help.' }
const forward = { ...agent, delivery: { qoder: { type: 'forward' } }, environment: 'box' } as const
const hello = { type: 'user.message', content: 'Hello.' } as const

function placed(declarations: readonly Declaration[], rows: Readonly<Record<string, string>> = {}) {
  const resources = declarations.map((declaration) => {
    const address = `${declaration.kind}.${declaration.name}`
    const rowApi = rows[address]
    return { address, declaration, ...(rowApi === undefined ? {} : { rowApi }) }
  })
  const { apis, findings } = place(resources, projectOf(declarations))
  return { apis: Object.fromEntries(apis), findings }
}

t.test('2.11 resources used by an agent are in the API of its delivery', async (t) => {
  const uses = (one: string) => ({
    environment: `box-${one}`,
    vault: `keys-${one}`,
    skills: [`review-${one}`],
    files: [`handbook-${one}`, { file: `table-${one}`, mount_path: 'table.csv' }],
    memory_stores: [`notes-${one}`],
  })
  const used = (one: string) => [
    declared('environment', `box-${one}`, {}),
    declared('vault', `keys-${one}`, {}),
    declared('skill', `review-${one}`, { source: './review' }),
    declared('file', `handbook-${one}`, { source: 'a.md' }),
    declared('file', `table-${one}`, { source: 'a.csv' }),
    declared('memory_store', `notes-${one}`, {}),
  ]
  const { apis, findings } = placed([
    declared('agent', 'm', { ...agent, ...uses('m') }),
    declared('agent', 'f', { ...forward, ...uses('f') }),
    ...used('m'),
    ...used('f'),
  ])
  t.strictSame(findings, [])
  for (const [address, api] of Object.entries(apis))
    t.equal(api, address.endsWith('m') ? 'managed' : 'forward', address)
})

t.test('2.11 one declaration cannot serve agents of both deliveries', async (t) => {
  const shared = [
    declared('environment', 'box', {}),
    declared('vault', 'keys', {}),
    declared('skill', 'review', { source: './review' }),
    declared('file', 'handbook', { source: 'a.md' }),
    declared('memory_store', 'notes', {}),
  ]
  const uses = { environment: 'box', vault: 'keys', skills: ['review'], files: ['handbook'], memory_stores: ['notes'] }
  const { findings } = placed([
    declared('agent', 'm', { ...agent, ...uses }),
    declared('agent', 'f', { ...forward, ...uses }),
    ...shared,
  ])
  t.strictSame(
    findings.map(({ declaration }) => declaration.kind),
    ['environment', 'vault', 'skill', 'file', 'memory_store'],
  )
  t.match(findings[0], {
    code: 'qoder.shared-across-deliveries',
    finding: { detail: /agent "m".*agent "f"/, fix: /second environment/ },
  })
})

t.test('2.16 resources used by a deployment are in the managed API', async (t) => {
  const deployment = { agent: 'm', environment: 'box', vaults: ['keys'], initial_events: [hello] }
  const { apis, findings } = placed([
    declared('agent', 'm', agent),
    declared('agent', 'f', forward),
    declared('deployment', 'nightly', deployment),
    declared('environment', 'box', {}),
    declared('vault', 'keys', {}),
  ])
  t.match(apis, { 'deployment.nightly': 'managed', 'vault.keys': 'managed' })
  t.match(findings, [{ declaration: { kind: 'environment' }, finding: { detail: /deployment "nightly"/ } }])
})

t.test('2.5 an external environment may serve agents of both deliveries', async (t) => {
  const { findings, apis } = placed([
    declared('agent', 'm', { ...agent, environment: 'box' }),
    declared('agent', 'f', forward),
    declared('environment', 'box', { environment_id: 'env_1' }),
  ])
  t.strictSame(findings, [])
  t.equal(apis['environment.box'], 'managed')
})

t.test('unused resources stay in their API, and are created in the managed API', async (t) => {
  const declarations = [declared('vault', 'old', {}), declared('vault', 'new', {})]
  const { apis } = placed(declarations, { 'vault.old': 'forward' })
  t.strictSame(apis, { 'vault.old': 'forward', 'vault.new': 'managed' })
})

t.test('agents on another provider do not count', async (t) => {
  const elsewhere: Declaration = {
    ...declared('agent', 'm', { ...agent, environment: 'box' }),
    providers: { names: ['claude'], by: 'pin' },
  }
  const { apis, findings } = placed([elsewhere, declared('agent', 'f', forward), declared('environment', 'box', {})])
  t.strictSame(findings, [])
  t.equal(apis['environment.box'], 'forward')
})

t.test('identities and channels are in the forward API, tunnels and deployments in the managed one', async (t) => {
  const { apis } = placed([
    declared('identity', 'me', { external_id: 'u1' }),
    declared('channel', 'chat', { type: 'dingtalk', mode: 'pairing' }),
    declared('tunnel', 'office', { tunnel_id: 'tnl_1' }),
  ])
  t.strictSame(apis, { 'identity.me': 'forward', 'channel.chat': 'forward', 'tunnel.office': 'managed' })
})

t.test('the engine places resources this way, by what their rows record', async (t) => {
  t.equal(qoder.place, place)
  const declarations = [declared('vault', 'old', {}), declared('vault', 'new', {})]
  const rows = new Map([['qoder.vault.old', { api: 'forward' } as Row]])
  const { apis } = placeAll({
    project: projectOf(declarations),
    provider: qoder,
    providerName: 'qoder',
    declarations,
    rows,
  })
  t.strictSame(Object.fromEntries(apis), { 'qoder.vault.old': 'forward', 'qoder.vault.new': 'managed' })
})
