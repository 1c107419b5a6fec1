import t from 'tap'
import { isFailure } from '../../../core/plugin/failure.js'
import type { Remote } from '../../../core/plugin/handler.js'
import type { Tree } from '../../../core/value/tree.js'
import { credentials } from '../../../plugins/ark/credentials.js'
import { vault } from '../../../plugins/ark/vault.js'
import type { VaultBody } from '../../../plugins/kinds/vault-body.js'
import { Account, declaration, differences, Subject, scopeFor } from './account.js'

const account = await Account.open()
t.teardown(() => account.close())
t.beforeEach(() => account.control('POST', '/reset'))
const subject = new Subject(account, vault)
const declare = (body: VaultBody) => declaration('vault', 'keys', body)

const full = declare({
  display_name: 'Keys',
  metadata: { team: 'platform' },
  credentials: [
    {
      name: 'Tracker',
      type: 'static_bearer',
      mcp_server_url: 'https://mcp.example.com/sse',
      access_token: 'very-secret-token',
      protocol: 'sse',
    },
    {
      name: 'Registry',
      type: 'environment_variable',
      secret_name: 'REGISTRY_KEY',
      secret_value: 'very-secret-value',
      networking: { type: 'limited', allowed_hosts: ['b.example.com', 'a.example.com'] },
    },
    { name: 'Open', type: 'environment_variable', secret_name: 'OPEN_KEY', secret_value: 'very-secret-open' },
  ],
})

const partsOf = (one: typeof full) => credentials.desired(one, scopeFor(one))

async function createParts(vaultId: string, one = full): Promise<ReadonlyMap<string, Remote>> {
  const made = new Map<string, Remote>()
  for (const [key, desired] of Object.entries(partsOf(one)))
    made.set(key, await credentials.create(account.call, vaultId, { key, desired }))
  return made
}

async function currentParts(vaultId: string): Promise<ReadonlyMap<string, Remote>> {
  const current = new Map<string, Remote>()
  for await (const remote of credentials.list(account.call, vaultId)) current.set(credentials.key(remote), remote)
  return current
}

const plannedPart = (wanted: Tree, remote: Remote) =>
  differences(credentials.fields, wanted, credentials.observed(remote)).map(({ path }) => path)

t.test('a created vault and its credentials are read as declared', async (t) => {
  const remote = await subject.create(full)
  t.strictSame(subject.planned(full, remote), [])
  await createParts(String(remote['id']))
  const current = await currentParts(String(remote['id']))
  t.strictSame([...current.keys()].sort(), ['OPEN_KEY', 'REGISTRY_KEY', 'https://mcp.example.com/sse'])
  for (const [key, wanted] of Object.entries(partsOf(full)))
    t.strictSame(plannedPart(wanted, current.get(key) ?? {}), [])
})

t.test('a vault without a display name has its key as name', async (t) => {
  t.match(await subject.create(declare({})), { display_name: 'keys' })
})

t.test('display name and metadata can be changed and cleared', async (t) => {
  const { id } = await subject.create(full)
  for (const body of [{ ...full.body, display_name: 'Other' }, { metadata: { tier: '2' } }, {}]) {
    const one = declare(body)
    t.strictSame(subject.planned(one, await subject.update(String(id), one)), [])
  }
})

t.test('2.7 a bearer token is sent as token, without the protocol, and no secret is ever returned', async (t) => {
  const { id } = await subject.create(full)
  await createParts(String(id))
  const [sent] = (await account.requests('POST')).filter(({ path }) => path.endsWith('/credentials'))
  t.strictSame(sent?.body, {
    display_name: 'Tracker',
    auth: { type: 'static_bearer', mcp_server_url: 'https://mcp.example.com/sse', token: '(sensitive)' },
  })
  const answers = [...(await currentParts(String(id))).values(), await account.control('GET', '/objects')]
  t.notMatch(JSON.stringify([...answers, await account.requests()]), /very-secret/)
})

t.test('name, value and hosts of a credential can be changed in place', async (t) => {
  const { id } = await subject.create(full)
  const made = await createParts(String(id))
  const [bearer, variable] = full.body.credentials ?? []
  const after = declare({
    credentials: [
      { ...bearer, name: 'Issue tracker', access_token: 'new-token' },
      { ...variable, secret_value: 'new-value', networking: { allowed_hosts: ['c.example.com'] } },
    ] as NonNullable<VaultBody['credentials']>,
  })
  for (const [key, desired] of Object.entries(partsOf(after))) {
    const remote = made.get(key) ?? {}
    const observed = credentials.observed(remote)
    const changes = differences(credentials.fields, desired, observed, partsOf(full)[key])
    const part = { key, id: String(remote['id']), desired, observed, remote, changes }
    await credentials.update?.(account.call, String(id), part)
  }
  const current = await currentParts(String(id))
  for (const [key, wanted] of Object.entries(partsOf(after)))
    t.strictSame(plannedPart(wanted, current.get(key) ?? {}), [])
  t.match(current.get('REGISTRY_KEY'), { auth: { networking: { type: 'limited', allowed_hosts: ['c.example.com'] } } })
})

t.test('2.7 declared hosts are never widened, and all hosts are an asterisk or no list', async (t) => {
  const networkOf = (networking: object | undefined) => {
    const credential = { name: 'x', type: 'environment_variable', secret_name: 'X', secret_value: 'y', networking }
    const one = declare({ credentials: [credential] as NonNullable<VaultBody['credentials']> })
    const { X: part = {} } = partsOf(one)
    return (part['auth'] as Tree)['networking']
  }
  const unrestricted = { type: 'unrestricted' }
  t.strictSame(networkOf(undefined), unrestricted)
  t.strictSame(networkOf({ type: 'unrestricted' }), unrestricted)
  t.strictSame(networkOf({ allowed_hosts: ['*'] }), unrestricted)
  const limited = { type: 'limited', allowed_hosts: ['a.b'] }
  t.strictSame(networkOf({ type: 'unrestricted', allowed_hosts: ['a.b'] }), limited)
  t.strictSame(networkOf({ allowed_hosts: ['a.b'] }), limited)
})

t.test('credentials beyond the first page are listed', async (t) => {
  const { id } = await subject.create(full)
  for (let index = 0; index < 25; index++) {
    const auth = { type: 'environment_variable', secret_name: `KEY_${index}`, secret_value: 'x' }
    await account.client.create(`/vaults/${id}/credentials`, { auth })
  }
  const { body } = await account.raw('GET', `/vaults/${id}/credentials`)
  t.equal((body['credentials'] as unknown[]).length, 20)
  t.type(body['next_page'], 'string')
  t.notOk('data' in body)
  t.equal((await currentParts(String(id))).size, 25)
})

t.test('a removed credential and a removed vault are gone', async (t) => {
  const { id } = await subject.create(full)
  const made = await createParts(String(id))
  const credentialId = String(made.get('OPEN_KEY')?.['id'])
  await credentials.remove(account.call, String(id), credentialId)
  t.equal((await currentParts(String(id))).size, 2)
  await vault.remove(account.call, String(id))
  t.equal((await account.raw('GET', `/vaults/${id}/credentials`)).status, 404)
})

t.test(
  'the match key is unique in a vault, a vault is limited, and a server that does not answer is refused',
  async (t) => {
    const { id } = await subject.create(full)
    const path = `/vaults/${id}/credentials`
    const variable = (name: string) => ({
      auth: { type: 'environment_variable', secret_name: name, secret_value: 'x' },
    })
    for (let index = 0; index < 100; index++) await account.raw('POST', path, variable(`KEY_${index}`))
    const full100 = await account.client.create(path, variable('KEY_100')).catch((error: unknown) => error)
    t.ok(isFailure(full100, 'invalid'), 'no more than 100')
    const twice = await account.client.create(path, variable('KEY_1')).catch((error: unknown) => error)
    t.ok(isFailure(twice, 'nameTaken'), 'one credential per key')

    await account.knobs({ mcpHandshake: 'fails' })
    const other = await account.raw('POST', '/vaults', { display_name: 'Other' })
    const bearer = { auth: { type: 'static_bearer', mcp_server_url: 'https://mcp.example.com', token: 'x' } }
    t.equal((await account.raw('POST', `/vaults/${other.body['id']}/credentials`, bearer)).status, 400)
  },
)

t.test('the emulator takes both shapes of networking and answers one', async (t) => {
  const { id } = await subject.create(full)
  const nested = { type: 'limited', limited: { allowed_hosts: ['a.b'] } }
  const auth = { type: 'environment_variable', secret_name: 'K', secret_value: 'x', networking: nested }
  const { body } = await account.raw('POST', `/vaults/${id}/credentials`, { auth })
  t.match(body, { type: 'vault_credential', auth: { networking: { type: 'limited', allowed_hosts: ['a.b'] } } })
})

t.test('the emulator refuses what the server refuses', async (t) => {
  const { id } = await subject.create(full)
  const made = (await createParts(String(id))).get('REGISTRY_KEY')
  const refused: readonly (readonly [string, string, object, number])[] = [
    ['POST', '/vaults', { display_name: '' }, 400],
    ['POST', `/vaults/${id}`, {}, 400],
    ['POST', '/vaults', { display_name: 'x', name: 'y' }, 400],
    ['POST', `/vaults/${id}/credentials`, { auth: { type: 'static_bearer', token: 'x' } }, 400],
    [
      'POST',
      `/vaults/${id}/credentials/${made?.['id']}`,
      { auth: { type: 'environment_variable', secret_name: 'OTHER' } },
      400,
    ],
    ['POST', `/vaults/${id}/credentials/${made?.['id']}`, { auth: { type: 'static_bearer', token: 'x' } }, 400],
    ['GET', `/vaults/vlt-other/credentials/${made?.['id']}`, {}, 404],
  ]
  for (const [method, path, body, status] of refused)
    t.equal((await account.raw(method, path, method === 'GET' ? undefined : (body as never))).status, status, path)
})
