// The emulated API of Claude, including unusual behaviour of the real one.
import t from 'tap'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import type { Workbench } from '../workbench.js'
import { memoryHeaders, openClaude } from './subject.js'

const message = (text: string) => ({ type: 'user.message', content: [{ type: 'text', text }] })
const rows = (body: JsonObject): readonly JsonObject[] =>
  Array.isArray(body['data']) ? body['data'].filter(isObject) : []

async function made(bench: Workbench, path: string, body: object, headers = {}): Promise<JsonObject & { id: string }> {
  const answer = await bench.request('POST', path, body, headers)
  if (answer.status !== 200) throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`)
  return { ...answer.body, id: String(answer.body['id']) }
}

/** Status and the word of the error. */
async function refused(bench: Workbench, method: string, path: string, body?: object, headers = {}) {
  const answer = await bench.request(method, path, body, headers)
  const error = isObject(answer.body['error']) ? answer.body['error'] : {}
  const details = isObject(error['details']) ? error['details'] : {}
  return `${answer.status} ${String(details['error_code'] ?? error['type'])}`
}

t.test('callers need a key, a version and the beta of what they call', async (t) => {
  const bench = await openClaude(t)
  const without = (header: string, path = '/agents') => refused(bench, 'GET', path, undefined, { [header]: '' })
  t.equal(await without('x-api-key'), '401 authentication_error')
  t.equal(await without('anthropic-version'), '401 authentication_error')
  t.equal(await without('anthropic-beta'), '400 invalid_request_error')
  t.equal((await bench.request('GET', '/files', undefined, { 'anthropic-beta': '' })).status, 200)
  t.equal(await refused(bench, 'GET', '/memory_stores'), '400 invalid_request_error')
  t.equal((await bench.request('GET', '/memory_stores', undefined, memoryHeaders)).status, 200)
  const both = { 'anthropic-beta': 'agent-memory-2026-07-22,managed-agents-2026-04-01' }
  t.equal(await refused(bench, 'GET', '/memory_stores', undefined, both), '400 invalid_request_error')
  t.equal(await without('x-api-key', '/nowhere'), '401 authentication_error')
})

t.test('errors have the shape of the API, with the id of the request in body and header', async (t) => {
  const bench = await openClaude(t)
  const { status, body, headers } = await bench.request('GET', '/agents/agent_none')
  t.equal(status, 404)
  t.match(body, { type: 'error', error: { type: 'not_found_error', message: /agent_none/ }, request_id: /^req_/ })
  t.equal(headers.get('request-id'), body['request_id'])
})

t.test('unknown members of bodies and queries are refused, wrong verbs too', async (t) => {
  const bench = await openClaude(t)
  const agent = await made(bench, '/agents', { name: 'a', model: 'm' })
  t.equal(await refused(bench, 'POST', '/agents', { name: 'a', model: 'm', vault: 'v' }), '400 invalid_request_error')
  t.equal(await refused(bench, 'POST', '/agents', { name: 'a' }), '400 invalid_request_error')
  t.equal(await refused(bench, 'GET', '/agents?after_id=x'), '400 invalid_request_error')
  t.equal(await refused(bench, 'GET', '/agents?limit=101'), '400 invalid_request_error')
  t.equal(await refused(bench, 'GET', '/agents?page=page_x'), '400 invalid_request_error')
  t.equal((await bench.request('GET', '/agents?beta=true&limit=1')).status, 200)
  for (const method of ['PUT', 'PATCH', 'DELETE'])
    t.equal(await refused(bench, method, `/agents/${agent.id}`, {}), '405 invalid_request_error')
  t.equal(await refused(bench, 'GET', '/nowhere'), '404 not_found_error')
})

t.test('an agent is resolved: its model, its toolsets, its versions', async (t) => {
  const bench = await openClaude(t)
  const tools = [{ type: 'agent_toolset_20260401', configs: [{ name: 'bash', enabled: false }] }]
  const agent = await made(bench, '/agents', { name: 'a', model: 'm', tools, system: '' })
  t.match(agent, {
    version: 1,
    model: { id: 'm', speed: 'standard', effort: {} },
    system: null,
    description: null,
    tools: [
      { default_config: { enabled: true, permission_policy: { type: 'always_allow' } }, configs: [{ enabled: false }] },
    ],
    execution_identity: { type: 'service_account' },
  })
  const next = await made(bench, `/agents/${agent.id}`, { metadata: { a: '1', b: '2' }, description: 'd' })
  t.match(next, { version: 2, tools: agent['tools'], description: 'd' })
  const last = await made(bench, `/agents/${agent.id}`, { metadata: { a: null }, description: null, version: 2 })
  t.match(last, { version: 3, metadata: { b: '2' }, description: null })
  t.notOk(isObject(last['metadata']) && 'a' in last['metadata'])
  t.equal(await refused(bench, 'POST', `/agents/${agent.id}`, { description: 'x', version: 2 }), '409 conflict_error')
  t.match((await bench.request('GET', `/agents/${agent.id}?version=2`)).body, { version: 2, description: 'd' })
  t.equal(rows((await bench.request('GET', `/agents/${agent.id}/versions`)).body).length, 3)
})

t.test('an agent with contradictory members is refused', async (t) => {
  const bench = await openClaude(t)
  const base = { name: 'a', model: 'm' }
  const server = { name: 's', type: 'url', url: 'https://mcp.example' }
  const set = { type: 'mcp_toolset', mcp_server_name: 's' }
  const invalid = async (body: object) =>
    t.equal(
      await refused(bench, 'POST', '/agents', { ...base, ...body }),
      '400 invalid_request_error',
      JSON.stringify(body),
    )
  await invalid({ mcp_servers: [server] })
  await invalid({ tools: [set] })
  await invalid({ mcp_servers: [server, server], tools: [set] })
  await invalid({ mcp_servers: [server], tools: [set, set] })
  await invalid({ tools: [{ type: 'agent_toolset_20260401', configs: [{ name: 'download_file' }] }] })
  await invalid({ skills: [{ type: 'official', skill_id: 'pdf' }] })
  await invalid({ skills: [{ type: 'custom', skill_id: 'skill_none' }] })
})

t.test('metadata has limits with codes of their own', async (t) => {
  const bench = await openClaude(t)
  const metadata = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v']))
  const vault = await made(bench, '/vaults', { display_name: 'v', metadata: metadata(16) })
  t.equal(await refused(bench, 'POST', `/vaults/${vault.id}`, { metadata: { more: '1' } }), '400 invalid_metadata')
  t.equal(
    await refused(bench, 'POST', '/vaults', { display_name: 'v', metadata: { ['k'.repeat(65)]: 'v' } }),
    '400 invalid_metadata',
  )
  t.equal(
    await refused(bench, 'POST', '/vaults', { display_name: 'v', metadata: { k: 'v'.repeat(513) } }),
    '400 invalid_metadata',
  )
})

t.test('members of a roster must exist, be active, distinct and not coordinators', async (t) => {
  const bench = await openClaude(t)
  const member = await made(bench, '/agents', { name: 'm', model: 'm' })
  const roster = (...agents: Json[]) => ({ name: 'c', model: 'm', multiagent: { type: 'coordinator', agents } })
  const coordinator = await made(bench, '/agents', roster(member.id, { type: 'self' }))
  t.match(coordinator['multiagent'], {
    agents: [
      { type: 'agent', id: member.id, version: 1 },
      { type: 'agent', id: coordinator.id, version: 1 },
    ],
  })
  const archivedOne = await made(bench, '/agents', { name: 'x', model: 'm' })
  await bench.request('POST', `/agents/${archivedOne.id}/archive`, {})
  for (const agents of [[], ['agent_none'], [coordinator.id], [archivedOne.id], [member.id, member.id]])
    t.equal(await refused(bench, 'POST', '/agents', roster(...agents)), '400 invalid_request_error', String(agents))
  await made(bench, `/agents/${member.id}`, { description: 'new' })
  const current = (await bench.request('GET', `/agents/${coordinator.id}`)).body
  t.match(current['multiagent'], { agents: [{ version: 1 }, {}] }, 'pinned until the coordinator is saved')
})

t.test('archived objects can be read, but not written or listed', async (t) => {
  const bench = await openClaude(t)
  const agent = await made(bench, '/agents', { name: 'a', model: 'm' })
  t.match((await bench.request('POST', `/agents/${agent.id}/archive`, {})).body, { archived_at: /^20/ })
  t.match((await bench.request('GET', `/agents/${agent.id}`)).body, { archived_at: /^20/ })
  t.equal(await refused(bench, 'POST', `/agents/${agent.id}`, { description: 'x' }), '400 invalid_request_error')
  t.same(rows((await bench.request('GET', '/agents')).body), [])
  t.equal(rows((await bench.request('GET', '/agents?include_archived=true')).body).length, 1)
  const { objects } = (await bench.request('GET', '/_emulator/objects')).body
  t.match(objects, [{ kind: 'agent', id: agent.id, archived: true, permanent: false }])
})

t.test('an environment keeps what an update leaves out, and never changes its type', async (t) => {
  const bench = await openClaude(t)
  const config = {
    type: 'cloud',
    networking: { type: 'limited', allow_package_managers: true },
    packages: { pip: ['a'], npm: ['b'] },
  }
  const environment = await made(bench, '/environments', { name: 'e', config, metadata: { a: '1', b: '2' } })
  const path = `/environments/${environment.id}`
  const patch = { config: { type: 'cloud', packages: { pip: [] } }, metadata: { a: '', b: null } }
  const next = await made(bench, path, patch)
  t.match(next['config'], {
    networking: { type: 'limited' },
    packages: { type: 'packages', pip: { length: 0 }, npm: ['b'], gem: { length: 0 } },
  })
  t.same(next['metadata'], {})
  t.equal(await refused(bench, 'POST', path, { config: { type: 'self_hosted' } }), '400 invalid_config_type_change')
  const closed = { config: { type: 'cloud', networking: { type: 'limited' } } }
  t.equal(
    await refused(bench, 'POST', path, closed),
    '400 invalid_request_error',
    'packages need network access to package managers',
  )
  t.equal((await made(bench, path, { description: '' }))['description'], '')
  await bench.request('POST', `${path}/archive`, {})
  t.equal(await refused(bench, 'POST', path, { name: 'x' }), '400 environment_archived')
})

t.test('credentials refuse what cannot change and echo no secret', async (t) => {
  const bench = await openClaude(t)
  const vault = await made(bench, '/vaults', { display_name: 'v' })
  const path = `/vaults/${vault.id}/credentials`
  const bearer = { type: 'static_bearer', mcp_server_url: 'https://mcp.example', token: 'hidden-token' }
  const credential = await made(bench, path, { auth: bearer })
  t.same(credential['auth'], { type: 'static_bearer', mcp_server_url: 'https://mcp.example' })
  t.equal(await refused(bench, 'POST', path, { auth: bearer }), '409 conflict_error')
  const item = `${path}/${credential.id}`
  t.equal(await refused(bench, 'POST', item, { auth: bearer }), '400 invalid_request_error')
  const otherType = { auth: { type: 'environment_variable', secret_value: 'x' } }
  t.equal(await refused(bench, 'POST', item, otherType), '400 invalid_request_error')
  t.match(await made(bench, item, { auth: { type: 'static_bearer', token: 'new' } }), {
    auth: { type: 'static_bearer' },
  })
  const variable = { type: 'environment_variable', secret_name: 'A', secret_value: 'hidden-value' }
  t.equal(await refused(bench, 'POST', path, { auth: variable }), '400 invalid_request_error', 'networking is required')
  const networking = { type: 'unrestricted' }
  const second = await made(bench, path, { auth: { ...variable, networking } })
  const nowhere = { auth: { type: 'environment_variable', injection_location: { header: false } } }
  t.equal(await refused(bench, 'POST', `${path}/${second.id}`, nowhere), '400 invalid_request_error')
  t.notMatch(JSON.stringify((await bench.request('GET', path)).body), /hidden/)
})

t.test('a skill package needs one folder with the name in its SKILL.md', async (t) => {
  const bench = await openClaude(t)
  const upload = async (files: Record<string, string>, field = 'files[]') => {
    const form = new FormData()
    for (const [path, text] of Object.entries(files)) form.append(field, new Blob([text]), path)
    return refused(bench, 'POST', '/skills', form)
  }
  const manifest = '---\nname: review\n---\n'
  for (const files of [
    {},
    { 'SKILL.md': manifest },
    { 'other/SKILL.md': manifest },
    { 'review/SKILL.md': manifest, 'more/a.txt': 'x' },
    { 'review/docs/SKILL.md': manifest },
    { 'review/SKILL.md': '---\nname: [\n---\n' },
  ])
    t.equal(await upload(files), '400 invalid_request_error', Object.keys(files).join())
  t.equal(await upload({ 'review/SKILL.md': manifest }, 'file'), '400 invalid_request_error')
  t.match(await upload({ 'review/SKILL.md': manifest }), /^200/)
})

t.test('files do not change, expire within limits, and are not for download', async (t) => {
  const bench = await openClaude(t)
  const upload = (seconds?: string) => {
    const form = new FormData()
    form.append('file', new Blob(['abc'], { type: 'text/plain' }), 'folder/a.txt')
    if (seconds !== undefined) form.append('expires_in_seconds', seconds)
    return bench.request('POST', '/files', form)
  }
  const { body } = await upload('3600')
  t.match(body, { filename: 'a.txt', size_bytes: 3, mime_type: 'text/plain', downloadable: false, expires_at: /^20/ })
  t.equal((await upload('3599')).status, 400)
  t.equal((await upload('7776001')).status, 400)
  t.equal(await refused(bench, 'GET', `/files/${String(body['id'])}/content`), '400 invalid_request_error')
  t.equal(await refused(bench, 'POST', '/files', new FormData()), '400 invalid_request_error')
})

t.test('memories have absolute paths, guards by digest, and a history', async (t) => {
  const bench = await openClaude(t)
  const call = (method: string, path: string, body?: object) => bench.request(method, path, body, memoryHeaders)
  const no = (method: string, path: string, body?: object) => refused(bench, method, path, body, memoryHeaders)
  const store = await made(bench, '/memory_stores', { name: 'notes', description: 'd' }, memoryHeaders)
  const path = `/memory_stores/${store.id}/memories`
  for (const wrong of ['a.md', '/', '/a//b', '/a/../b', `/${'x'.repeat(1_024)}`, '/a/'.repeat(20), '/e\u0301'])
    t.equal(await no('POST', path, { path: wrong, content: 'x' }), '400 invalid_request_error', wrong)
  const memory = await made(bench, path, { path: '/team/a.md', content: 'one' }, memoryHeaders)
  t.match(memory, { content: null, content_sha256: /^[0-9a-f]{64}$/ })
  t.match((await call('GET', `${path}/${memory.id}`)).body, { content: 'one' })
  for (const taken of ['/team/a.md', '/team', '/team/a.md/b'])
    t.equal(await no('POST', path, { path: taken, content: 'x' }), '409 memory_path_conflict_error', taken)
  const conflict = await call('POST', path, { path: '/team', content: 'x' })
  t.match(conflict.body['error'], { conflicting_memory_id: memory.id, conflicting_path: '/team/a.md' })

  const guard = { type: 'content_sha256', content_sha256: '0'.repeat(64) }
  const item = `${path}/${memory.id}`
  t.equal(await no('POST', item, { content: 'two', precondition: guard }), '409 memory_precondition_failed_error')
  t.equal(
    (await call('POST', item, { content: 'one', precondition: guard })).status,
    200,
    'unchanged content is accepted',
  )
  const current = { type: 'content_sha256', content_sha256: memory['content_sha256'] }
  t.equal((await call('POST', item, { content: 'two', precondition: current })).status, 200)
  t.equal(await no('DELETE', `${item}?expected_content_sha256=x`), '409 memory_precondition_failed_error')

  await made(bench, path, { path: '/team/deep/b.md', content: 'b' }, memoryHeaders)
  const paths = async (query: string) => rows((await call('GET', `${path}?${query}`)).body).map((row) => row['path'])
  t.same(await paths('path_prefix=/team/&depth=0'), ['/team/a.md'])
  t.same(await paths('path_prefix=/team/&depth=1'), ['/team/deep/b.md', '/team/a.md'])
  t.equal(await no('GET', `${path}?path_prefix=/team`), '400 invalid_request_error')
  t.equal(await no('GET', `${path}?view=full&limit=21`), '400 invalid_request_error')

  await call('POST', `/memory_stores/${store.id}/archive`, {})
  t.equal(await no('POST', path, { path: '/new', content: 'x' }), '400 invalid_request_error')
  t.equal((await call('DELETE', item)).status, 200, 'entries of archived stores can be removed')
  const versions = rows((await call('GET', `/memory_stores/${store.id}/memory_versions?memory_id=${memory.id}`)).body)
  t.same(
    versions.map(({ operation }) => operation),
    ['deleted', 'modified', 'created'],
  )
  const version = `/memory_stores/${store.id}/memory_versions/${String(versions[2]?.['id'])}`
  t.match((await call('GET', version)).body, { content: 'one' })
  t.match((await call('POST', `${version}/redact`, {})).body, { content: null, redacted_at: /^20/ })
})

async function withDeployment(bench: Workbench) {
  const agent = await made(bench, '/agents', { name: 'a', model: 'm' })
  const environment = await made(bench, '/environments', { name: 'e' })
  const body = { name: 'd', agent: agent.id, environment_id: environment.id, initial_events: [message('Go.')] }
  return { agent, environment, body, deployment: await made(bench, '/deployments', body) }
}

t.test('a deployment pins its agent when it is saved, and null takes its schedule away', async (t) => {
  const bench = await openClaude(t)
  const { agent, body, deployment } = await withDeployment(bench)
  t.match(deployment, { agent: { id: agent.id, version: 1 }, status: 'active', schedule: null })
  await made(bench, `/agents/${agent.id}`, { description: 'new' })
  const path = `/deployments/${deployment.id}`
  const schedule = { type: 'cron', expression: '0 9 * * 1', timezone: 'Europe/Berlin' }
  const scheduled = await made(bench, path, { schedule })
  t.match(scheduled, { agent: { version: 1 }, schedule: { ...schedule, last_run_at: null } })
  t.equal(
    isObject(scheduled['schedule']) &&
      Array.isArray(scheduled['schedule']['upcoming_runs_at']) &&
      scheduled['schedule']['upcoming_runs_at'].length,
    5,
  )
  t.match(await made(bench, path, { agent: agent.id, schedule: null }), { agent: { version: 2 }, schedule: null })
  t.match(await made(bench, path, { agent: { type: 'agent', id: agent.id, version: 1 } }), { agent: { version: 1 } })
  for (const wrong of [
    { schedule: { type: 'cron', expression: '0 9 * *', timezone: 'UTC' } },
    { schedule: { type: 'cron', expression: '0 9 * * 1', timezone: 'Nowhere/Else' } },
    { schedule: { type: 'cron', expression: '0 9 * * 1' } },
    { initial_events: [] },
    { initial_events: [{ type: 'system.message', content: [{ type: 'text', text: 'x' }] }] },
    { resources: [{ type: 'github_repository', url: 'https://example.com/a.git' }] },
    { environment_variables: { A: '1' } },
    { agent: { type: 'agent', id: agent.id, version: 9 } },
  ])
    t.equal(
      await refused(bench, 'POST', '/deployments', { ...body, ...wrong }),
      '400 invalid_request_error',
      JSON.stringify(wrong),
    )
  t.equal(await refused(bench, 'DELETE', path), '405 invalid_request_error')
  t.equal(await refused(bench, 'GET', '/deployments?status=active&include_archived=true'), '400 invalid_request_error')
})

t.test('a run starts a session, or reports the reason and pauses the deployment', async (t) => {
  const bench = await openClaude(t)
  const { agent, deployment } = await withDeployment(bench)
  const run = await made(bench, `/deployments/${deployment.id}/run`, {})
  t.match(run, { type: 'deployment_run', error: null, session_id: /^sesn_/ })
  t.match((await bench.request('GET', `/sessions/${String(run['session_id'])}`)).body, { deployment_id: deployment.id })
  await bench.request('POST', `/agents/${agent.id}/archive`, {})
  const failed = await made(bench, `/deployments/${deployment.id}/run`, {})
  t.match(failed, { session_id: null, error: { type: 'agent_archived_error' } })
  const path = `/deployments/${deployment.id}`
  const paused_reason = { type: 'error', error: { type: 'agent_archived_error' } }
  t.match((await bench.request('GET', path)).body, { status: 'paused', paused_reason })
  t.match(await made(bench, `${path}/unpause`, {}), { status: 'active', paused_reason: null })
  t.match(await made(bench, `${path}/pause`, {}), { status: 'paused', paused_reason: { type: 'manual' } })
  t.match(await made(bench, `${path}/archive`, {}), { status: 'active', archived_at: /^20/ })
  t.equal(await refused(bench, 'POST', `${path}/run`, {}), '400 invalid_request_error')
  const withError = rows((await bench.request('GET', '/deployment_runs?has_error=true')).body)
  t.same(
    withError.map(({ id }) => id),
    [failed.id],
  )
})

t.test('tokens of repositories are never returned', async (t) => {
  const bench = await openClaude(t)
  const { body } = await withDeployment(bench)
  const repository = { type: 'github_repository', url: 'https://example.com/team/app', authorization_token: 'hidden' }
  const deployment = await made(bench, '/deployments', { ...body, resources: [repository] })
  t.match(deployment['resources'], [{ url: repository.url, mount_path: '/workspace/app' }])
  const run = await made(bench, `/deployments/${deployment.id}/run`, {})
  const session = await bench.request('GET', `/sessions/${String(run['session_id'])}`)
  const everything = [deployment, session.body, (await bench.request('GET', '/_emulator/requests')).body]
  t.notMatch(JSON.stringify(everything), /hidden/)
  const [resource] = Array.isArray(session.body['resources']) ? session.body['resources'].filter(isObject) : []
  const path = `/sessions/${String(run['session_id'])}/resources/${String(resource?.['id'])}`
  t.equal((await bench.request('POST', path, { authorization_token: 'new' })).status, 200)
})

t.test('a session runs turns, streams their events, and ends when archived', async (t) => {
  const bench = await openClaude(t)
  const { agent, environment } = await withDeployment(bench)
  const session = await made(bench, '/sessions', { agent: agent.id, environment_id: environment.id, title: 't' })
  const path = `/sessions/${session.id}`
  t.match(session, { status: 'idle', agent: { id: agent.id, version: 1, name: 'a' } })
  t.equal(await refused(bench, 'POST', path, { vault_ids: [] }), '400 invalid_request_error')

  const headers = {
    'x-api-key': 'any',
    'anthropic-version': '2023-06-01',
    'anthropic-beta': 'managed-agents-2026-04-01',
  }
  const stream = await fetch(`${bench.emulator.url}/claude/v1${path}/events/stream`, { headers })
  t.equal(stream.headers.get('content-type'), 'text/event-stream')
  const sent = await made(bench, `${path}/events`, { events: [message('Hello')] })
  t.match(rows(sent), [{ id: /^sevt_/, type: 'user.message' }])
  const types = ['user.message', 'session.status_running', 'agent.message', 'session.status_idle']
  let seen = ''
  for await (const chunk of stream.body ?? []) {
    seen += Buffer.from(chunk).toString()
    if (seen.includes('event: session.status_idle')) break
  }
  t.same(
    [...seen.matchAll(/^event: (.+)$/gm)].map(([, type]) => type),
    types,
  )
  const history = rows((await bench.request('GET', `${path}/events`)).body)
  t.same(
    history.map(({ type }) => type),
    types,
  )
  t.equal(await refused(bench, 'GET', `${path}/events?after_id=x`), '400 invalid_request_error')

  t.equal(await refused(bench, 'DELETE', `/environments/${environment.id}`), '409 conflict_error')
  t.match((await bench.request('POST', `${path}/archive`, {})).body, { status: 'terminated' })
  t.equal(await refused(bench, 'POST', `${path}/events`, { events: [message('x')] }), '400 invalid_request_error')
  t.equal((await bench.request('DELETE', `/environments/${environment.id}`)).status, 200)
  t.match((await bench.request('DELETE', path)).body, { type: 'session_deleted' })
})

t.test('a running session is neither deleted nor archived before it is interrupted', async (t) => {
  const bench = await openClaude(t)
  const { agent, environment } = await withDeployment(bench)
  await bench.request('PUT', '/_emulator/knobs', { claude: { turns: 'stay' } })
  const body = { agent: agent.id, environment_id: environment.id, initial_events: [message('Go.')] }
  const session = await made(bench, '/sessions', body)
  t.equal(session['status'], 'running')
  t.equal(await refused(bench, 'DELETE', `/sessions/${session.id}`), '400 invalid_request_error')
  await made(bench, `/sessions/${session.id}/events`, { events: [{ type: 'user.interrupt' }] })
  t.equal((await bench.request('DELETE', `/sessions/${session.id}`)).status, 200)
})

t.test('every top-level kind can be seeded', async (t) => {
  const bench = await openClaude(t)
  for (const kind of ['environment', 'vault', 'skill', 'file', 'agent', 'memory_store']) {
    const { status } = await bench.request('POST', '/_emulator/objects', {
      provider: 'claude',
      kind,
      id: `${kind}_given`,
    })
    t.equal(status, 201, kind)
  }
  const body = { agent: 'agent_given', environment_id: 'environment_given' }
  for (const kind of ['deployment', 'session'])
    t.equal((await bench.request('POST', '/_emulator/objects', { provider: 'claude', kind, body })).status, 201, kind)
  const { objects } = (await bench.request('GET', '/_emulator/objects')).body
  t.equal(Array.isArray(objects) && objects.length, 8)
  t.match(objects, Array(8).fill({ provider: 'claude', seeded: true, archived: false, permanent: false }))
})

t.test('injected faults look like those of the API, whether they come before or after the effect', async (t) => {
  const bench = await openClaude(t)
  const status = async (kind: string) => {
    await bench.request('PUT', '/_emulator/knobs', { faults: { rate: 1, kinds: [kind] } })
    const { status, body } = await bench.request('POST', '/vaults', { display_name: kind })
    return `${status} ${String(isObject(body['error']) && body['error']['type'])}`
  }
  t.equal(await status('rateLimited'), '429 rate_limit_error')
  t.equal(await status('overloaded'), '529 overloaded_error')
  t.equal(await status('serverError'), '500 api_error')
})
