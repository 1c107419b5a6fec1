// The emulated forward API, and objects shared with the managed one.
import t from 'tap'
import { isObject } from '../../../core/value/tree.js'
import { type Caller, openAccount } from './account.js'

async function withPair(t: Parameters<typeof openAccount>[0]) {
  const account = await openAccount(t)
  const { forward } = account
  const environment = await forward('POST', '/environments', { name: 'box' })
  const template = await forward('POST', '/templates', {
    name: 'helper',
    model: 'auto',
    environment_id: environment.id,
  })
  const identity = await forward('POST', '/identities', { external_id: 'u1', metadata: { a: '1', b: '2' } })
  const mounts = `/identities/${identity.id}/templates/${template.id}/memory_stores`
  const session = { identity_id: identity.id, template_id: template.id }
  return { ...account, environment, template, identity, mounts, session }
}

const store = (forward: Caller, name: string) =>
  forward('POST', '/memory_stores', { name }, { 'idempotency-key': `store ${name}` })

t.test('the APIs keep their environments, vaults, skills and files apart', async (t) => {
  const { cloud, forward } = await openAccount(t)
  const paths = ['/environments', '/vaults', '/files', '/skills?source=custom']
  await forward('POST', '/environments', { name: 'box' })
  await forward('POST', '/vaults', { display_name: 'keys' })
  const file = new FormData()
  file.append('file', new Blob(['x']), 'a.txt')
  await forward('POST', '/files', file)
  const skill = new FormData()
  skill.append('files', new Blob(['---\nname: review\n---\n']), 'review/SKILL.md')
  await forward('POST', '/skills', skill)
  for (const path of paths) {
    t.strictSame((await cloud('GET', path)).body['data'], [], path)
    t.match((await forward('GET', path)).body['data'], [{ id: String }], path)
  }
})

t.test('forward environments default to the cloud, refuse null, and return no body when deleted', async (t) => {
  const { forward } = await openAccount(t)
  const made = await forward('POST', '/environments', { name: 'box' })
  t.match(made.body, { config: { type: 'cloud' }, identity_id: null, binding_info: { template_count: 0 } })
  t.notOk(isObject(made.body['config']) && 'networking' in made.body['config'])
  t.equal((await forward('POST', '/environments', { name: 'box', config: null })).status, 400)
  t.equal((await forward('POST', '/environments', { name: 'box', metadata: null })).status, 400)
  const template = await forward('POST', '/templates', { name: 'x', model: 'auto', environment_id: made.id })
  t.match(await forward('DELETE', `/environments/${made.id}`), {
    status: 409,
    body: { error: { code: 'environment_in_use' } },
  })
  await forward('POST', `/templates/${template.id}/archive`)
  t.match(await forward('DELETE', `/environments/${made.id}`), { status: 204, body: {} })
})

t.test('forward vaults and credentials have no update, and reserve a metadata key', async (t) => {
  const { forward } = await openAccount(t)
  const vault = await forward('POST', '/vaults', { display_name: 'keys' })
  t.equal((await forward('POST', `/vaults/${vault.id}`, { display_name: 'other' })).status, 405)
  const auth = { type: 'static_bearer', mcp_server_url: 'https://mcp.example', token: 'tok_secret' }
  const made = await forward('POST', `/vaults/${vault.id}/credentials`, { auth, display_name: 'Tracker' })
  t.match(made, { status: 201, body: { display_name: '', auth: { type: 'static_bearer' } } })
  t.notMatch(JSON.stringify(made.body), /tok_secret/)
  t.equal((await forward('POST', `/vaults/${vault.id}/credentials/${made.id}`, { auth })).status, 405)
  const reserved = { display_name: 'x', metadata: { created_by: 'me' } }
  t.equal((await forward('POST', '/vaults', reserved)).status, 400)
})

t.test('templates have unique names, merge, and are archived; a new one has no managed tools', async (t) => {
  const { forward, environment, template } = await withPair(t)
  const path = `/templates/${template.id}`
  const base = { name: 'helper', model: 'auto', environment_id: environment.id }
  t.match(await forward('POST', '/templates', base), { status: 409, body: { error: { code: 'template_name_taken' } } })
  t.match(template.body, { status: 'active', multiagent: null, managed_tool_config: { enabled_tools: { length: 0 } } })
  const tools = ['create_forward_schedule', 'drive']
  const changed = await forward('POST', path, {
    managed_tool_config: { enabled_tools: tools },
    environment_variables: 'A=1;B=x=y',
    tunnel_id: 'tnl_emulator',
    metadata: { a: '1' },
  })
  t.match(changed.body, {
    name: 'helper',
    environment_variables: { A: '1', B: 'x=y' },
    tunnel_id: 'tnl_emulator',
    managed_tool_config: { enabled_tools: tools },
  })
  const answer = await forward('POST', path, {
    tunnel_id: null,
    environment_variables: null,
    metadata: { a: '', b: '2' },
  })
  t.match(answer.body, { managed_tool_config: { enabled_tools: tools }, tunnel_id: null })
  t.strictSame([answer.body['metadata'], answer.body['environment_variables']], [{ b: '2' }, {}])
  t.equal((await forward('DELETE', path)).status, 405)
  t.match((await forward('POST', `${path}/archive`)).body, { status: 'archived', archived_at: String })
  t.equal((await forward('POST', path, { description: 'x' })).status, 409)
  t.match((await forward('GET', '/templates?status=archived')).body['data'], [{ id: template.id }])
  const again = await forward('POST', '/templates', base)
  t.match(again, { status: 201, body: { managed_tool_config: { enabled_tools: { length: 0 } } } })
})

t.test('templates return all switches, accept both forms of vault binding, and complete a coordinator', async (t) => {
  const { forward, cloud, environment, template } = await withPair(t)
  const vault = await forward('POST', '/vaults', { display_name: 'keys' })
  const path = `/templates/${template.id}`
  const bound = { vaults: { [vault.id]: { enabled: true } }, vault_ids: [vault.id] }
  t.match((await forward('POST', path, { vaults: { [vault.id]: {} } })).body, bound)
  t.match((await forward('POST', path, { vaults: null })).body, { vaults: {}, vault_ids: { length: 0 } })
  t.match((await forward('POST', path, { vault_ids: [vault.id] })).body, bound)
  const foreign = await cloud('POST', '/vaults', { display_name: 'keys' })
  t.equal((await forward('POST', path, { vaults: { [foreign.id]: {} } })).status, 400, 'vaults of the other API')
  const skill = { type: 'qoder', skill_id: 'skill_pdf' }
  t.strictSame((await forward('POST', path, { skills: [skill] })).body['skills'], [{ enabled: true, ...skill }])
  const external = await cloud('POST', '/environments', { name: 'box', config: { type: 'cloud' } })
  t.equal((await forward('POST', path, { environment_id: external.id })).status, 200, 'environments of either')
  const coordinator = await forward('POST', '/templates', {
    name: 'lead',
    model: 'auto',
    environment_id: environment.id,
    multiagent: { type: 'coordinator', agents: [{ type: 'agent', template_id: template.id, name: 'h' }] },
  })
  t.match(coordinator.body, {
    multiagent: { agents: [{ template_id: template.id, name: 'h' }] },
    tools: [{ type: 'agent_toolset_20260401' }],
  })
  const members = { multiagent: { type: 'coordinator', agents: [{ type: 'agent', id: 'agent_1' }] } }
  t.equal((await forward('POST', path, members)).status, 400, 'members are templates')
})

t.test('identities are distinguished by external_id, and an empty text deletes a metadata key', async (t) => {
  const { forward, identity } = await withPair(t)
  t.match(identity, { status: 201, body: { identity_type: 'normal', enabled: true } })
  t.equal((await forward('POST', '/identities', { external_id: 'u1' })).status, 409)
  t.equal((await forward('POST', '/identities', { external_id: ' ' })).status, 400)
  t.match((await forward('GET', '/identities?external_id=u1')).body['data'], [{ id: identity.id }])
  const path = `/identities/${identity.id}`
  t.strictSame((await forward('POST', path, { metadata: { a: '', c: '3' } })).body['metadata'], { b: '2', c: '3' })
  t.equal((await forward('POST', path, { metadata: { b: null } })).status, 400, 'null does not delete')
  t.match((await forward('POST', path, { external_id: 'u2', enabled: false })).body, {
    external_id: 'u2',
    enabled: false,
  })
  t.strictSame((await forward('DELETE', path)).body, { id: identity.id, deleted: true })
})

t.test('channels bind an identity and a template, never return credentials, and cannot share them', async (t) => {
  const { forward, identity, template } = await withPair(t)
  const credentials = { client_id: 'c1', client_secret: 'very_secret' }
  const fixed = {
    channel_type: 'dingtalk',
    name: 'chat',
    identity_id: identity.id,
    template_id: template.id,
    channel_config: { credentials, response_options: { include_thinking: true } },
  }
  const made = await forward('POST', '/channels', fixed)
  t.match(made, {
    status: 201,
    body: {
      identity_resolution: { mode: 'fixed' },
      enabled: true,
      binding_status: 'bound',
      channel_config: { response_options: { include_tool_calls: false, include_thinking: true } },
    },
  })
  t.notMatch(JSON.stringify(made.body), /very_secret/)
  t.match(await forward('POST', '/channels', { ...fixed, name: 'other' }), {
    status: 409,
    body: { error: { code: 'CHANNEL_CREDENTIAL_CONFLICT' } },
  })
  const others = { client_id: 'c2', client_secret: 'x' }
  const plain = await forward('POST', '/channels', { ...fixed, channel_config: { credentials: others } })
  t.match(plain, { status: 409, body: { error: { code: 'channel_name_taken' } } })
  const pairing = { channel_type: 'wecom', name: 'group', identity_resolution: { mode: 'pairing' } }
  const config = { channel_config: { credentials: { bot_id: 'b', secret: 's' } } }
  t.match(await forward('POST', '/channels', { ...pairing, ...config }), { status: 201, body: { identity_id: null } })
  const refused = [
    { ...pairing, name: 'a', identity_id: identity.id, ...config },
    { ...pairing, name: 'b' },
    { ...fixed, name: 'c', template_id: undefined, channel_config: { credentials: others } },
    { ...fixed, name: 'd', template_id: 'tmpl_none', channel_config: { credentials: others } },
  ]
  for (const body of refused) t.equal((await forward('POST', '/channels', body)).status, 400, body.name)
  const path = `/channels/${made.id}`
  t.match((await forward('POST', path, { name: 'renamed', enabled: false })).body, { name: 'renamed', enabled: false })
  t.equal((await forward('POST', path, { channel_type: 'feishu' })).status, 400, 'the type cannot change')
  t.equal((await forward('DELETE', `/identities/${identity.id}`)).status, 409, 'a channel still uses it')
  t.strictSame((await forward('DELETE', path)).body, { id: made.id, deleted: true })
})

t.test('memory stores are shared by both APIs, and stricter in the forward one', async (t) => {
  const { forward, cloud } = await openAccount(t)
  t.match(await forward('POST', '/memory_stores', { name: 'Notes' }), {
    status: 400,
    body: { error: { param: 'Idempotency-Key' } },
  })
  const made = await store(forward, 'Notes')
  t.match(made, { status: 200, body: { metadata: { created_by: 'forward' }, system_managed: false } })
  t.equal((await store(forward, 'Notes')).id, made.id)
  const path = `/memory_stores/${made.id}`
  t.equal((await cloud('GET', path)).status, 200)
  t.notOk('system_managed' in (await cloud('GET', path)).body)
  await forward('POST', path, { metadata: { a: '1' } })
  const replaced = await forward('POST', path, { metadata: { b: '2' } })
  t.strictSame(replaced.body['metadata'], { b: '2', created_by: 'forward' })
  t.equal((await forward('POST', path, { metadata: { b: null } })).status, 400)
  t.equal((await forward('POST', path, { metadata: { created_by: 'me' } })).status, 400)
  t.equal((await forward('POST', `${path}/memories`, { path: '/a', content: 'x' })).status, 400)
  t.equal((await forward('POST', `${path}/memories`, { path: 'a', content: 'x' })).status, 201)
  t.equal((await forward('GET', `${path}/versions`)).status, 404)
  t.match((await forward('GET', `${path}/memory_versions`)).body['data'], [{ operation: 'created' }])
  await forward('POST', `${path}/archive`)
  t.equal((await forward('POST', `${path}/archive`)).status, 409)
  t.match(await forward('DELETE', path), { status: 409, body: { error: { message: /already archived/ } } })
  t.equal((await cloud('DELETE', path)).status, 200)
})

t.test('explicit mounts are read-only, idempotent and limited; only the managed API removes leftovers', async (t) => {
  const { forward, cloud, mounts, template } = await withPair(t)
  const notes = await store(forward, 'Notes')
  const body = { memory_store_id: notes.id }
  const first = await forward('POST', mounts, body)
  t.match(first, {
    status: 200,
    body: { access: 'read_only', system_managed: false, name: 'Notes', status: 'active' },
  })
  t.strictSame((await forward('POST', mounts, body)).body['created_at'], first.body['created_at'])
  t.match((await forward('GET', mounts)).body, { data: [{ memory_store_id: notes.id }], has_more: false })
  t.match((await forward('GET', `/memory_stores/${notes.id}`)).body, { binding_info: { identity_template_count: 1 } })
  t.match(await forward('DELETE', `/memory_stores/${notes.id}`), {
    status: 409,
    body: { error: { message: /still mounted/ } },
  })
  for (let index = 1; index < 10; index++)
    await forward('POST', mounts, { memory_store_id: (await store(forward, `Store ${index}`)).id })
  const eleventh = await store(forward, 'One too many')
  t.equal((await forward('POST', mounts, { memory_store_id: eleventh.id })).status, 400)
  t.match((await forward('DELETE', `${mounts}/${eleventh.id}`)).status, 404)
  const other = await cloud('GET', '/memory_stores?name=Store%201')
  const [current] = Array.isArray(other.body['data']) ? other.body['data'].filter(isObject) : []
  t.match((await forward('DELETE', `${mounts}/${current?.['id']}`)).body, { type: 'memory_store_binding_deleted' })
  t.equal((await cloud('DELETE', `/memory_stores/${notes.id}`)).status, 409, 'the template is alive')
  await forward('POST', `/templates/${template.id}/archive`)
  t.equal((await forward('DELETE', `/memory_stores/${notes.id}`)).status, 409)
  t.equal((await cloud('DELETE', `/memory_stores/${notes.id}`)).status, 200)
})

t.test(
  '2.12 the first session of an identity and a template creates their system store, which is unmounted with a delay',
  async (t) => {
    const { forward, cloud, mounts, session, identity, template, turn } = await withPair(t)
    await turn({ unmountAfter: 2 })
    t.match((await forward('GET', mounts)).body['data'], { length: 0 })
    const first = await forward('POST', '/sessions', { ...session, config: { environment_variables: { A: '1' } } })
    t.match(first, { status: 201, body: { template: { id: template.id, name: 'helper' }, identity_id: identity.id } })
    await forward('POST', '/sessions', session)
    const { data } = (await forward('GET', mounts)).body
    t.match(data, [{ access: 'read_write', system_managed: true, name: 'System Default Memory' }])
    t.equal(Array.isArray(data) && data.length, 1, 'the second session creates none')
    const id = Array.isArray(data) && isObject(data[0]) ? String(data[0]['memory_store_id']) : ''
    t.match((await forward('GET', '/memory_stores?system_managed=true')).body['data'], [
      { id, identity_id: identity.id },
    ])
    t.equal((await forward('DELETE', `${mounts}/${id}`)).status, 409, 'it cannot be unmounted by a call')
    t.equal((await cloud('DELETE', `/memory_stores/${id}`)).status, 409)
    await forward('POST', `/templates/${template.id}/archive`)
    for (const attempt of [1, 2])
      t.match(
        await cloud('DELETE', `/memory_stores/${id}`),
        { status: 409, body: { error: { message: /still mounted/ } } },
        `attempt ${attempt}`,
      )
    t.equal((await cloud('DELETE', `/memory_stores/${id}`)).status, 200)
  },
)

t.test('2.12 the system unmounts a store after its template was removed at `/_emulator/objects`, too', async (t) => {
  const { forward, cloud, control, mounts, session, template, turn } = await withPair(t)
  await turn({ unmountAfter: 1 })
  await forward('POST', '/sessions', session)
  const { data } = (await forward('GET', mounts)).body
  const id = Array.isArray(data) && isObject(data[0]) ? String(data[0]['memory_store_id']) : ''
  await control('DELETE', `/objects/${template.id}`)
  t.equal((await cloud('DELETE', `/memory_stores/${id}`)).status, 409)
  t.equal((await cloud('DELETE', `/memory_stores/${id}`)).status, 200)
})

t.test('2.12 a store that stays mounted can be archived and then deleted', async (t) => {
  const { forward, cloud, mounts, session, identity, turn } = await withPair(t)
  await turn({ unmountAfter: 100 })
  await forward('POST', '/sessions', session)
  const { data } = (await forward('GET', mounts)).body
  const id = Array.isArray(data) && isObject(data[0]) ? String(data[0]['memory_store_id']) : ''
  await forward('DELETE', `/identities/${identity.id}`)
  t.equal((await cloud('DELETE', `/memory_stores/${id}`)).status, 409)
  t.equal((await forward('POST', `/memory_stores/${id}/archive`)).status, 409, 'the forward API refuses')
  t.equal((await cloud('POST', `/memory_stores/${id}/archive`)).status, 200)
  t.equal((await cloud('DELETE', `/memory_stores/${id}`)).status, 200)
})

t.test('an archived system store is replaced by the next session', async (t) => {
  const { forward, cloud, mounts, session } = await withPair(t)
  await forward('POST', '/sessions', session)
  const idOf = async () => {
    const { data } = (await forward('GET', mounts)).body
    return Array.isArray(data) && isObject(data[0]) ? String(data[0]['memory_store_id']) : ''
  }
  const first = await idOf()
  await cloud('POST', `/memory_stores/${first}/archive`)
  await forward('POST', '/sessions', session)
  t.not(await idOf(), first)
})

t.test('forward sessions take files only, keep events, and cannot be deleted', async (t) => {
  const { forward, session, identity } = await withPair(t)
  const file = new FormData()
  file.append('file', new Blob(['x']), 'a.txt')
  const upload = await forward('POST', '/files', file)
  const resources = [{ type: 'file', file_id: upload.id, mount_path: '/data/a.txt' }]
  const made = await forward('POST', '/sessions', { ...session, resources, incremental_streaming_enabled: false })
  t.match(made.body['resources'], [{ id: /^sesr_/, file_id: upload.id }])
  const repository = { type: 'github_repository', url: 'https://git.example/a.git' }
  t.equal((await forward('POST', '/sessions', { ...session, resources: [repository] })).status, 400)
  const path = `/sessions/${made.id}`
  const events = [{ type: 'user.message', content: [{ type: 'text', text: 'Hello' }] }]
  await forward('POST', `${path}/events`, { events })
  t.match((await forward('GET', `${path}/events?type=agent.message`)).body['data'], [{ type: 'agent.message' }])
  t.match((await forward('GET', `/sessions?identity_ids=${identity.id}`)).body['data'], [{ id: made.id }])
  t.match((await forward('POST', path, { title: 'T', metadata: { a: '1' } })).body, {
    title: 'T',
    metadata: { a: '1' },
  })
  t.equal((await forward('POST', `${path}/cancel`)).status, 200)
  t.equal((await forward('DELETE', path)).status, 405)
  t.match((await forward('POST', `${path}/archive`)).body, { archived_at: String })
  await forward('POST', `/identities/${identity.id}`, { enabled: false })
  t.equal((await forward('POST', '/sessions', session)).status, 403, 'a disabled identity cannot start sessions')
})
