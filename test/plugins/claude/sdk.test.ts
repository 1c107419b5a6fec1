// The official client drives the emulator: every call that the handlers make, with every member and variant that its
// types allow. The judge of the emulator is a program that somebody else wrote.
import { join } from 'node:path'
import Anthropic, { toFile } from '@anthropic-ai/sdk'
import t from 'tap'
import { clientOf, rowsOf } from './sdk-client.js'
import {
  type AgentCreate,
  agents,
  agentUpdate,
  credentials,
  credentialUpdates,
  environments,
  server,
} from './sdk-samples.js'

type Subagents = NonNullable<
  Extract<NonNullable<AgentCreate['multiagent']>, { type: 'multiagent_20261001' }>['subagents']
>

const skillFile = (text: string) =>
  toFile(Buffer.from(`---\nname: review\ndescription: Reviews\n---\n${text}\n`), 'review/SKILL.md')

t.test('agents take everything, are updated, listed and archived', async (t) => {
  const { beta } = await clientOf(t)
  const member = await beta.agents.create({ name: 'helper', model: 'claude-opus-5' })
  const skill = await beta.skills.create({ files: [await skillFile('1')] })
  for (const body of agents(member.id, skill.id, skill.latest_version_id)) {
    const made = await beta.agents.create(body)
    t.equal(made.name, body.name)
    const next = await beta.agents.update(made.id, agentUpdate(member.id, made.version))
    t.match(next, {
      version: 2,
      description: null,
      system: null,
      skills: { length: 0 },
      execution_identity: { type: 'service_account' },
    })
    t.match(next.multiagent, {
      type: 'multiagent_20261001',
      subagents: { inline_agents: { type: 'disabled' }, predefined_agents: [{ id: member.id, version: 1 }, {}] },
      workflows: { type: 'disabled' },
    })
    t.equal((await beta.agents.retrieve(made.id, { version: 1 })).version, 1)
    t.equal((await rowsOf(beta.agents.versions.list(made.id))).length, 2)
    t.match(await beta.agents.archive(made.id), { archived_at: String })
  }
  const filter: Parameters<typeof beta.agents.list>[0] = {
    'created_at[gte]': '2020-01-01T00:00:00Z',
    'created_at[lte]': '2030-01-01T00:00:00Z',
    limit: 2,
  }
  t.same(
    (await rowsOf(beta.agents.list(filter))).map(({ id }) => id),
    [member.id],
  )
  t.ok((await rowsOf(beta.agents.list({ ...filter, include_archived: true }))).length > 5)
})

t.test('what an agent left out is resolved as the types of answers say', async (t) => {
  const { beta } = await clientOf(t)
  const { model, tools, multiagent } = await beta.agents.create({
    name: 'plain',
    model: 'claude-opus-5',
    mcp_servers: [server],
    tools: [
      { type: 'agent_toolset_20260401', configs: [{ name: 'web_fetch' }, { name: 'bash' }] },
      { type: 'mcp_toolset', mcp_server_name: server.name, configs: [{ name: 'search' }] },
    ],
    multiagent: { type: 'multiagent_20261001' },
  })
  t.same(model, { id: 'claude-opus-5', speed: 'standard', effort: { type: 'high' } })
  const on = (type: string) => ({ enabled: true, permission_policy: { type } })
  t.same(tools, [
    {
      type: 'agent_toolset_20260401',
      default_config: on('always_allow'),
      configs: [
        { type: 'web_fetch', name: 'web_fetch', ...on('always_allow'), url_sources: null },
        { type: 'bash', name: 'bash', ...on('always_allow') },
      ],
    },
    {
      type: 'mcp_toolset',
      mcp_server_name: 'issues',
      default_config: on('always_ask'),
      configs: [{ name: 'search', ...on('always_ask') }],
    },
  ])
  const helpers = { type: 'enabled', inline_agents: { type: 'enabled' }, predefined_agents: [] }
  t.same(multiagent, {
    type: 'multiagent_20261001',
    advisor: { type: 'disabled' },
    subagents: helpers,
    workflows: helpers,
  })
})

t.test('the topology of 2026-10 is merged with a stored one, level by level', async (t) => {
  const { beta } = await clientOf(t)
  const { id: memberId } = await beta.agents.create({ name: 'helper', model: 'm' })
  const subagents = {
    type: 'enabled',
    inline_agents: { type: 'disabled' },
    predefined_agents: [memberId],
  } satisfies Subagents
  const type = 'multiagent_20261001'
  const made = await beta.agents.create({ name: 'lead', model: 'm', multiagent: { type, subagents } })
  const updated = async (multiagent: object) =>
    (await beta.agents.update(made.id, { multiagent: { type, ...multiagent } })).multiagent
  t.match(await updated({ workflows: { type: 'disabled' } }), { subagents: { inline_agents: { type: 'disabled' } } })
  const self = { type: 'self' }
  t.match(await updated({ subagents: { type: 'enabled', predefined_agents: [self] } }), {
    subagents: { inline_agents: { type: 'disabled' }, predefined_agents: [{ type: 'agent', id: made.id, version: 3 }] },
    workflows: { type: 'disabled' },
  })
  // Without agents and without inline agents nobody could be used; what counts is the merged result.
  await t.rejects(updated({ subagents: { type: 'enabled', predefined_agents: [] } }), Anthropic.BadRequestError)
  t.match(await updated({ subagents: null, workflows: null }), {
    subagents: { inline_agents: { type: 'enabled' } },
    workflows: { type: 'enabled' },
  })
})

t.test('environments of both types', async (t) => {
  const { beta } = await clientOf(t)
  for (const body of environments) {
    const { id } = await beta.environments.create(body)
    const { type } = body.config ?? {}
    const config =
      type === 'self_hosted' ? { type } : { type: 'cloud' as const, networking: null, packages: { pip: null } }
    t.match(
      await beta.environments.update(id, {
        name: 'other',
        description: null,
        metadata: { team: null },
        scope: null,
        config,
      }),
      { name: 'other', description: null, config: { type } },
    )
    t.equal((await beta.environments.retrieve(id)).id, id)
    t.ok((await rowsOf(beta.environments.list({ limit: 1, include_archived: true }))).length > 0)
    await beta.environments.archive(id)
    t.match(await beta.environments.delete(id), { type: 'environment_deleted' })
  }
})

t.test('vaults and credentials of every type, whose secrets are in no answer', async (t) => {
  const { beta } = await clientOf(t)
  const vault = await beta.vaults.create({ display_name: 'keys', metadata: { team: 'data' } })
  const vault_id = vault.id
  await beta.vaults.update(vault_id, { display_name: 'more keys', metadata: { team: null } })
  for (const body of credentials) {
    const { id, auth } = await beta.vaults.credentials.create(vault_id, body)
    t.notMatch(auth, { token: String })
    t.notMatch(JSON.stringify(auth), /client_secret"|refresh_token"|secret_value"|access_token"/)
    const changed = await beta.vaults.credentials.update(id, {
      vault_id,
      auth: credentialUpdates[auth.type],
      display_name: null,
      metadata: { team: null },
    })
    t.match(changed, { metadata: {}, display_name: null })
    t.match(await beta.vaults.credentials.retrieve(id, { vault_id }), { auth: { type: auth.type } })
    if (auth.type === 'mcp_oauth')
      t.match(await beta.vaults.credentials.mcpOAuthValidate(id, { vault_id }), {
        credential_id: id,
        status: 'unknown',
      })
  }
  const [first, second] = await rowsOf(beta.vaults.credentials.list(vault_id, { limit: 2 }))
  await beta.vaults.credentials.archive(first?.id ?? '', { vault_id })
  await beta.vaults.credentials.delete(second?.id ?? '', { vault_id })
  t.equal((await rowsOf(beta.vaults.credentials.list(vault_id))).length, credentials.length - 2)
  t.ok((await rowsOf(beta.vaults.list({ include_archived: true }))).length > 0)
  t.equal((await beta.vaults.retrieve(vault_id)).id, vault_id)
  await beta.vaults.archive(vault_id)
  t.match(await beta.vaults.delete(vault_id), { type: 'vault_deleted' })
})

t.test('skills and files in the form of the present client', async (t) => {
  const { beta } = await clientOf(t)
  const skill = await beta.skills.create({ files: [await skillFile('1')], display_name: 'Review' })
  const { id: version } = await beta.skills.versions.create(skill.id, { files: [await skillFile('2')] })
  t.match(await beta.skills.retrieve(skill.id), { latest_version_id: version, source: { type: 'custom' } })
  t.equal((await rowsOf(beta.skills.list({ source: 'custom' }))).length, 1)
  t.equal((await rowsOf(beta.skills.versions.list(skill.id))).length, 2)
  t.equal((await beta.skills.versions.retrieve(version, { skill_id: skill.id })).name, 'review')
  t.ok((await (await beta.skills.versions.download(version, { skill_id: skill.id })).arrayBuffer()).byteLength > 0)
  await beta.skills.versions.delete(version, { skill_id: skill.id })
  t.match(await beta.skills.delete(skill.id), { type: 'skill_deleted' })
  const file = await beta.files.upload({ file: await toFile(Buffer.from('a'), 'a.csv') })
  t.equal((await rowsOf(beta.files.list())).length, 1)
  t.equal((await beta.files.retrieveMetadata(file.id)).filename, 'a.csv')
  t.match(await beta.files.delete(file.id), { type: 'file_deleted' })
})

t.test('memory stores, memories and their versions', async (t) => {
  const { beta } = await clientOf(t)
  const store = await beta.memoryStores.create({ name: 'notes', description: 'Notes', metadata: { team: 'data' } })
  const memory_store_id = store.id
  await beta.memoryStores.update(store.id, { name: 'more', description: '', metadata: { team: null } })
  const { memories, memoryVersions } = beta.memoryStores
  const memory = await memories.create(store.id, { path: '/a.md', content: 'a', view: 'full' })
  const precondition = { type: 'content_sha256', content_sha256: memory.content_sha256 } as const
  await memories.update(memory.id, { memory_store_id, content: 'b', path: '/b.md', precondition, view: 'basic' })
  t.equal((await memories.retrieve(memory.id, { memory_store_id, view: 'full' })).content, 'b')
  t.equal((await rowsOf(memories.list(store.id, { path_prefix: '/', depth: 1, view: 'basic' }))).length, 1)
  const versions = await rowsOf(memoryVersions.list(store.id))
  t.ok(versions.length >= 2)
  t.match(await memories.delete(memory.id, { memory_store_id }), { type: 'memory_deleted' })
  t.equal((await rowsOf(beta.memoryStores.list({ include_archived: true }))).length, 1)
  t.equal((await beta.memoryStores.retrieve(store.id)).name, 'more')
  await beta.memoryStores.archive(store.id)
  t.match(await beta.memoryStores.delete(store.id), { type: 'memory_store_deleted' })
})

t.test('refusals are the errors of the client, with their codes', async (t) => {
  const { beta } = await clientOf(t)
  await t.rejects(beta.agents.retrieve('agent_none'), Anthropic.NotFoundError)
  await t.rejects(beta.agents.create({ name: '', model: 'm' }), Anthropic.BadRequestError)
  const { id } = await beta.environments.create({ name: 'dev', config: { type: 'cloud' } })
  await t.rejects(
    beta.environments.update(id, { config: { type: 'self_hosted' } }),
    Anthropic.Beta.BetaInvalidConfigTypeChangeError,
  )
  const own = { type: 'limit', max_list_cost: { amount: '5.00', currency: 'USD' } } as const
  const agent = await beta.agents.create({ name: 'a', model: 'm' })
  await t.rejects(
    beta.sessions.create({ agent: agent.id, environment_id: id, budget: own }),
    Anthropic.BadRequestError,
    'an amount is in minor units',
  )
})

t.test(
  'the client signs in with the identity token of a workload, and again when the access token has ended',
  async (t) => {
    const { bench } = await clientOf(t)
    const baseURL = `${bench.emulator.url}/claude`
    const file = join(t.testdir({ 'ci.jwt': 'eyJh.eyJz.c2ln' }), 'ci.jwt')
    const client = new Anthropic({
      baseURL,
      maxRetries: 1,
      config: {
        organization_id: 'org_01',
        workspace_id: 'wrkspc_01',
        authentication: {
          type: 'oidc_federation',
          federation_rule_id: 'fdrl_01',
          identity_token: { source: 'file', path: file },
        },
      },
    })
    const { id } = await client.beta.environments.create({ name: 'dev', config: { type: 'cloud' } })
    await client.beta.memoryStores.create({ name: 'wiki' })
    await fetch(`${bench.emulator.url}/_emulator/knobs`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ claude: { signIns: 'second' } }),
    })
    t.equal((await client.beta.environments.retrieve(id)).id, id)
  },
)
