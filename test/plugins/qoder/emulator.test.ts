// The emulated managed API, including unusual behaviour of the real one.
import t from 'tap'
import { isObject } from '../../../core/value/tree.js'
import { all, openAccount } from './account.js'

const agent = { name: 'helper', model: 'auto' }

t.test('both APIs check for a bearer token first, and have their own error shapes', async (t) => {
  const { cloud, forward } = await openAccount(t)
  for (const path of ['/agents', '/nowhere']) {
    const refused = await cloud('GET', path, undefined, { authorization: '' })
    t.match(refused, { status: 401, body: { type: 'error', error: { type: 'authentication_error' } } }, path)
    t.equal((await cloud('GET', path, undefined, { authorization: '', 'x-api-key': 'pt-any' })).status, 401)
  }
  const managed = await cloud('GET', '/agents/agent_none')
  t.match(managed.body, { type: 'error', error: { type: 'not_found_error', message: String }, request_id: String })
  t.equal(managed.headers.get('x-request-id'), managed.body['request_id'])
  t.notOk(isObject(managed.body['error']) && 'code' in managed.body['error'], 'no code in the managed envelope')
  const { body } = await forward('GET', '/templates/tmpl_none')
  t.match(body, { type: 'error', error: { type: 'not_found_error', code: 'not_found' } })
  t.equal((await cloud('PATCH', '/agents')).status, 405)
  t.equal((await cloud('GET', '/agents?limit=1', undefined, { authorization: 'Bearer other' })).status, 200)
})

t.test('unknown fields, parameters and verbs are refused', async (t) => {
  const { cloud, forward } = await openAccount(t)
  const environment = await cloud('POST', '/environments', { name: 'box', config: { type: 'cloud' } })
  const made = await cloud('POST', '/agents', agent)
  const deployment = {
    name: 'nightly',
    agent: made.id,
    environment_id: environment.id,
    initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Go.' }] }],
  }
  const refusals = [
    await cloud('POST', '/agents', { ...agent, colour: 'red' }),
    await cloud('POST', '/deployments', { ...deployment, tunnel_id: 'tnl_emulator' }),
    await forward('POST', '/environments', {
      name: 'box',
      config: { type: 'cloud', networking: { type: 'unrestricted' } },
    }),
    await cloud('GET', '/agents?colour=red'),
  ]
  for (const { status, body } of refusals)
    t.match({ status, body }, { status: 400, body: { error: { message: /unknown field/ } } })
  t.equal((await cloud('POST', '/deployments', deployment)).status, 201)
  t.equal((await cloud('PUT', `/environments/${environment.id}`, {})).status, 405)
})

t.test('a list has five members about its page, and continues by id or by token but not both', async (t) => {
  const { cloud, forward, turn } = await openAccount(t)
  for (let index = 0; index < 5; index++) await cloud('POST', '/agents', { ...agent, name: `agent ${index}` })
  const { body } = await cloud('GET', '/agents?limit=2')
  t.strictSame(Object.keys(body).sort(), ['data', 'first_id', 'has_more', 'last_id', 'next_page'])
  const names = ['agent 4', 'agent 3', 'agent 2', 'agent 1', 'agent 0']
  const byId = await all(cloud, '/agents', ({ last_id }) => `&after_id=${last_id}`)
  const byToken = await all(cloud, '/agents', ({ next_page }) => `&page=${next_page}`)
  for (const rows of [byId, byToken])
    t.strictSame(
      rows.map(({ name }) => name),
      names,
      'newest first',
    )
  const both = `/agents?after_id=${body['last_id']}&page=${body['next_page']}`
  t.match(await cloud('GET', both), { status: 400, body: { error: { param: 'page' } } })
  t.equal((await cloud('GET', '/agents?page=page_none')).status, 400)
  t.equal((await cloud('GET', '/agents?limit=101')).status, 400)
  t.equal((await forward('GET', '/identities?limit=101')).status, 200, 'identities lower the limit instead')
  t.equal((await forward('GET', '/templates?page=x')).status, 400, 'templates know no token')
  await turn({ dialect: 'pages' })
  t.equal((await cloud('GET', '/agents?limit=2')).body['next_page'], null)
})

t.test('a repeated create with the same key returns the first response, and another body is refused', async (t) => {
  const { cloud, control } = await openAccount(t)
  const key = { 'idempotency-key': 'k1' }
  const first = await cloud('POST', '/agents', agent, key)
  const again = await cloud('POST', '/agents', agent, key)
  t.strictSame([again.status, again.body], [first.status, first.body])
  t.match(await cloud('POST', '/agents', { ...agent, model: 'ultimate' }, key), {
    status: 409,
    body: { error: { type: 'conflict_error' } },
  })
  const other = { ...agent, name: 'another' }
  t.not((await cloud('POST', '/agents', other, { 'idempotency-key': 'k2' })).id, first.id)
  const { objects } = (await control('GET', '/objects')).body
  t.equal(Array.isArray(objects) && objects.filter((one) => isObject(one) && one['kind'] === 'agent').length, 2)
})

t.test('agents merge what is sent, compare the version, and count only real changes', async (t) => {
  const { cloud } = await openAccount(t)
  const made = await cloud('POST', '/agents', { ...agent, system: 'Help.', metadata: { a: '1', b: '2' } })
  t.match(made, { status: 201, body: { type: 'agent', version: 1, instructions: 'Help.', archived_at: null } })
  const path = `/agents/${made.id}`
  const changed = await cloud('PUT', path, { version: 1, description: 'New', metadata: { a: null, c: '3' } })
  t.match(changed.body, { version: 2, description: 'New', system: 'Help.' })
  t.strictSame(changed.body['metadata'], { b: '2', c: '3' })
  t.match(await cloud('PUT', path, { version: 1, description: 'Late' }), {
    status: 409,
    body: { error: { type: 'conflict_error' } },
  })
  t.equal((await cloud('PUT', path, { description: 'Blind' })).status, 400, 'PUT demands the version')
  t.equal((await cloud('POST', path, { description: 'New' })).body['version'], 2, 'nothing changed')
  t.equal((await cloud('POST', path, { description: null })).body['version'], 3, 'POST does not demand it')
  t.equal((await cloud('POST', path, { name: null })).status, 400, 'a name cannot be cleared')
  t.equal((await cloud('GET', `${path}?version=2`)).body['description'], 'New')
  t.match((await cloud('GET', `${path}/versions`)).body['data'], [{ version: 3 }, { version: 2 }, { version: 1 }])
  const archived = await cloud('POST', `${path}/archive`)
  t.match(archived.body, { archived_at: String })
  t.equal((await cloud('POST', path, { description: 'x' })).status, 409)
  t.equal((await cloud('GET', path)).status, 200)
  t.strictSame((await cloud('GET', '/agents')).body['data'], [])
  t.match((await cloud('GET', '/agents?include_archived=true')).body['data'], [{ id: made.id }])
})

t.test('a roster is pinned when it is saved; cycles are accepted, an empty one is not', async (t) => {
  const { cloud } = await openAccount(t)
  const toolset = { tools: [{ type: 'agent_toolset_20260401' }] }
  const roster = (...ids: string[]) => ({
    multiagent: { type: 'coordinator', agents: ids.map((id) => ({ type: 'agent', id })) },
  })
  const a = await cloud('POST', '/agents', { ...agent, ...toolset })
  const b = await cloud('POST', '/agents', { ...agent, name: 'lead', ...toolset, ...roster(a.id) })
  t.match(b.body['multiagent'], { agents: [{ type: 'agent', id: a.id, version: 1 }] })
  t.equal((await cloud('POST', `/agents/${a.id}`, roster(b.id))).status, 200, 'a cycle')
  t.match((await cloud('GET', `/agents/${b.id}`)).body['multiagent'], { agents: [{ version: 1 }] }, 'still the old pin')
  await cloud('POST', `/agents/${b.id}`, { description: 'x' })
  t.match((await cloud('GET', `/agents/${b.id}`)).body['multiagent'], { agents: [{ version: 1 }] }, 'omitting keeps')
  t.match((await cloud('POST', `/agents/${b.id}`, roster(a.id))).body['multiagent'], { agents: [{ version: 2 }] })
  t.equal((await cloud('POST', `/agents/${b.id}`, roster())).status, 400)
  t.equal((await cloud('POST', `/agents/${b.id}`, roster('agent_none'))).status, 400)
  t.equal((await cloud('POST', '/agents', { ...agent, ...roster(a.id) })).status, 400, 'no toolset to delegate with')
  t.equal((await cloud('POST', `/agents/${b.id}`, { multiagent: null })).body['multiagent'], null)
})

t.test('tools and packages are returned with all defaults', async (t) => {
  const { cloud } = await openAccount(t)
  const { body } = await cloud('POST', '/agents', {
    ...agent,
    tools: [{ type: 'agent_toolset_20260401' }, { type: 'mcp_toolset', mcp_server_name: 'maps' }],
    mcp_servers: [{ name: 'maps', type: 'http', url: 'https://mcp.example' }],
  })
  const policy = { enabled: true, permission_policy: { type: 'always_allow' } }
  t.match(body['tools'], [
    { default_config: policy, configs: [{ name: 'Bash', ...policy }] },
    { default_config: policy, configs: { length: 0 } },
  ])
  const lowerCase = { tools: [{ type: 'agent_toolset_20260401', configs: [{ name: 'bash', enabled: true }] }] }
  t.equal((await cloud('POST', '/agents', { ...agent, ...lowerCase })).status, 400, 'names are Pascal case')
  const orphan = { tools: [{ type: 'mcp_toolset', mcp_server_name: 'nobody' }] }
  t.equal((await cloud('POST', '/agents', { ...agent, ...orphan })).status, 400)

  const config = { type: 'cloud', packages: { pip: ['httpx'] } }
  const environment = await cloud('POST', '/environments', { name: 'box', config })
  t.strictSame(environment.body['config'], {
    type: 'cloud',
    networking: { type: 'unrestricted' },
    packages: { type: 'packages', apt: [], cargo: [], gem: [], go: [], npm: [], pip: ['httpx'] },
    setup_script: '',
  })
  t.match(environment.body, { status: 'ready', archived: false, description: '' })
  const path = `/environments/${environment.id}`
  const merged = await cloud('POST', path, { config: { packages: { npm: ['tsx'] }, setup_script: 'true' } })
  t.match(merged.body['config'], { packages: { pip: ['httpx'], npm: ['tsx'] }, setup_script: 'true' })
  const refused = [{ packages: { cargo: ['x'] } }, { setup_script: 'x'.repeat(65_537) }, { type: 'self_hosted' }]
  for (const change of refused) t.equal((await cloud('POST', path, { config: change })).status, 400)
  const own = { name: 'own', config: { type: 'self_hosted', packages: {} } }
  t.equal((await cloud('POST', '/environments', own)).status, 400)
})

t.test('skills come as one archive or as loose files below the folder that SKILL.md names', async (t) => {
  const { cloud } = await openAccount(t)
  const text = '---\nname: review\ndescription: Reviews\n---\nRead.\n'
  const form = (field: string, files: Readonly<Record<string, string>>) => {
    const made = new FormData()
    for (const [path, content] of Object.entries(files)) made.append(field, new Blob([content]), path)
    return made
  }
  const loose = await cloud('POST', '/skills', form('files', { 'review/SKILL.md': text, 'review/a/b.txt': 'x' }))
  t.match(loose, { status: 201, body: { display_title: 'review', source: 'custom', latest_version: '1' } })
  const wrong: readonly (readonly [string, FormData])[] = [
    ['another folder', form('files', { 'other/SKILL.md': text })],
    ['no folder', form('files', { 'SKILL.md': text })],
    ['two folders', form('files', { 'review/SKILL.md': text, 'more/b.txt': 'x' })],
    ['no manifest', form('files', { 'review/README.md': text })],
    ['no name', form('files', { 'review/SKILL.md': 'Read.' })],
    ['no archive', form('files', { 'review.zip': 'not a zip' })],
    ['another field', form('attachment', { 'review/SKILL.md': text })],
  ]
  for (const [title, body] of wrong) t.equal((await cloud('POST', '/skills', body)).status, 400, title)
  const files = { 'review/SKILL.md': text }
  t.equal((await cloud('POST', '/skills', form('files', files))).status, 409, 'the name is taken')
  t.match(await cloud('POST', `/skills/${loose.id}/versions`, form('files', files)), {
    status: 201,
    body: { version: '2', content_sha256: String, directory: 'review' },
  })
  const renamed = form('files', { 'renamed/SKILL.md': text.replace('review', 'renamed') })
  t.equal((await cloud('POST', `/skills/${loose.id}/versions`, renamed)).status, 400, 'the name cannot change')
  const old = form('file', { 'old/SKILL.md': text.replace('review', 'old') })
  t.equal((await cloud('POST', '/skills', old)).headers.get('deprecation'), 'true')
  const flat = form('file', { 'SKILL.md': text.replace('review', 'flat'), 'notes/tone.md': 'Be kind.' })
  t.match(await cloud('POST', '/skills', flat), { status: 201, body: { display_title: 'flat' } }, 'at the root, too')
  const flatNow = form('files', { 'SKILL.md': text.replace('review', 'flat-now') })
  t.equal((await cloud('POST', '/skills', flatNow)).status, 400, 'the newer form wants a folder')
  t.match((await cloud('GET', `/skills/${loose.id}/versions`)).body['data'], [{ version: '2' }, { version: '1' }])
  t.match((await cloud('GET', '/skills?source=qoder')).body['data'], [{ source: 'qoder' }, { source: 'qoder' }])
  t.equal((await cloud('GET', '/skills?source=official')).status, 400)
  t.equal((await cloud('DELETE', '/skills/skill_pdf')).status, 403, 'the service keeps its own')
})

t.test('memory stores have a history, check digests of updates and refuse writes once archived', async (t) => {
  const { cloud } = await openAccount(t)
  const { id } = await cloud('POST', '/memory_stores', { name: 'Notes', metadata: { a: '1' } })
  await cloud('POST', '/memory_stores', { name: 'Notes' })
  t.match(
    (await cloud('GET', '/memory_stores?name=Notes')).body['data'],
    [{ name: 'Notes' }, { id }],
    'names are not unique',
  )
  const path = `/memory_stores/${id}/memories`
  const made = await cloud('POST', path, { path: '/a/b.md', content: 'héllo' })
  t.match(made.body, { path: 'a/b.md', content_size_bytes: 6, content_sha256: /^[0-9a-f]{64}$/ })
  t.equal((await cloud('POST', path, { path: 'a/b.md', content: 'x' })).status, 409, 'a path is taken once')
  t.equal((await cloud('POST', path, { path: 'big', content: 'x'.repeat(102_401) })).status, 400)
  t.match((await cloud('GET', path)).body['data'], [{ path: 'a/b.md', content: null }])
  t.match((await cloud('GET', `${path}?view=full&path_prefix=a/`)).body['data'], [{ content: 'héllo' }])
  t.strictSame((await cloud('GET', `${path}?prefix=z`)).body['data'], [])
  const sha = made.body['content_sha256']
  const change = { content: 'new', content_sha256: String(sha) }
  t.equal((await cloud('POST', `${path}/${made.id}`, change)).status, 200)
  t.equal((await cloud('POST', `${path}/${made.id}`, change)).status, 409, 'the digest is not the current one')
  t.match((await cloud('GET', `/memory_stores/${id}`)).body, { entry_count: 1, total_size: 3 })
  await cloud('DELETE', `${path}/${made.id}`)
  for (const list of ['versions', 'memory_versions'])
    t.match(
      (await cloud('GET', `/memory_stores/${id}/${list}`)).body['data'],
      [{ operation: 'deleted' }, { operation: 'modified' }, { operation: 'created' }],
      list,
    )
  t.strictSame((await cloud('POST', `/memory_stores/${id}`, { metadata: { a: null, b: '2' } })).body['metadata'], {
    b: '2',
  })
  await cloud('POST', `/memory_stores/${id}/archive`)
  t.equal((await cloud('POST', path, { path: 'late', content: 'x' })).status, 409)
  t.match((await cloud('GET', `/memory_stores/${id}`)).body, { status: 'archived' })
  t.equal((await cloud('DELETE', `/memory_stores/${id}`)).status, 200)
})

t.test('sessions answer messages, list and stream their events, and hide tokens', async (t) => {
  const { cloud, emulator } = await openAccount(t)
  const environment = await cloud('POST', '/environments', { name: 'box', config: { type: 'cloud' } })
  const made = await cloud('POST', '/agents', agent)
  const base = { agent: made.id, environment_id: environment.id }
  const repository = {
    type: 'github_repository',
    url: 'https://git.example/a/repo.git',
    authorization_token: 'ghp_secret',
  }
  const session = await cloud('POST', '/sessions', {
    ...base,
    tunnel_id: 'tnl_emulator',
    environment_variables: 'A=1;B=x=y',
    resources: [repository],
  })
  t.match(session, {
    status: 201,
    body: {
      status: 'idle',
      agent: { id: made.id, version: 1 },
      resources: [{ type: 'github_repository', mount_path: '/data/workspace/repo' }],
    },
  })
  t.notMatch(JSON.stringify(session.body), /ghp_secret/)
  const refused = [
    { environment_variables: 'A' },
    { tunnel_id: 'tnl_none' },
    { vault_ids: ['vault_none'] },
    { resources: [{ ...repository, mount_path: '/workspace/repo' }] },
  ]
  for (const more of refused) t.equal((await cloud('POST', '/sessions', { ...base, ...more })).status, 400)
  const path = `/sessions/${session.id}/events`
  const message = { type: 'user.message', content: [{ type: 'text', text: 'Hello' }] }
  t.match((await cloud('POST', path, { events: [message] })).body, { data: [message] })
  const { data } = (await cloud('GET', `${path}?order=asc`)).body
  t.match(data, [
    { type: 'user.message' },
    { type: 'session.status_running' },
    { type: 'agent.message' },
    { type: 'session.status_idle' },
  ])

  const first = Array.isArray(data) && isObject(data[0]) ? String(data[0]['id']) : ''
  const stream = await fetch(`${emulator.url}/qoder/api/v1/cloud${path}/stream`, {
    headers: { authorization: 'Bearer pt-any', 'last-event-id': first },
  })
  t.equal(stream.headers.get('content-type'), 'text/event-stream')
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('session.status_idle')) text += (await reader?.read())?.value ?? ''
  t.match(text, /event: heartbeat\ndata: \{\}\n\nid: evt_\w+\ndata: \{/)
  t.notMatch(text, /user\.message/, 'the stream continues after the last event of the client')
  await cloud('POST', path, { events: [{ type: 'user.message', content: [{ type: 'text', text: 'Again' }] }] })
  while (!text.includes('Again')) text += (await reader?.read())?.value ?? ''
  await reader?.cancel()

  t.match((await cloud('GET', `/sessions?agent_id=${made.id}`)).body['data'], [{ agent_id: made.id }])
  t.equal((await cloud('DELETE', `/agents/${made.id}`)).status, 409)
  t.equal((await cloud('DELETE', `/environments/${environment.id}`)).status, 409)
  await cloud('POST', `/sessions/${session.id}/archive`)
  t.equal((await cloud('DELETE', `/agents/${made.id}`)).status, 200)
  t.equal((await cloud('DELETE', `/environments/${environment.id}`)).status, 200)
})

t.test('deployments pin their agent, pause, run, and are archived instead of deleted', async (t) => {
  const { cloud } = await openAccount(t)
  const environment = await cloud('POST', '/environments', { name: 'box', config: { type: 'cloud' } })
  const made = await cloud('POST', '/agents', agent)
  const body = {
    name: 'nightly',
    agent: made.id,
    environment_id: environment.id,
    initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Go.' }] }],
    schedule: { type: 'cron', expression: '0 3 * * *', timezone: 'Europe/Berlin' },
    environment_variables: 'A=1',
  }
  const { id, ...created } = await cloud('POST', '/deployments', body)
  t.match(created, {
    status: 201,
    body: {
      status: 'active',
      agent: { type: 'agent', id: made.id, version: 1 },
      schedule: { upcoming_runs_at: [String] },
    },
  })
  t.equal((await cloud('POST', '/deployments', body)).status, 409, 'the name is taken')
  await cloud('POST', `/agents/${made.id}`, { description: 'New' })
  const path = `/deployments/${id}`
  t.match((await cloud('POST', path, { description: 'x' })).body['agent'], { version: 1 }, 'the pin stays')
  t.match((await cloud('POST', path, { agent: made.id })).body['agent'], { version: 2 }, 'and moves when it is sent')
  t.match((await cloud('POST', path, { agent: { type: 'agent', id: made.id, version: 1 } })).body['agent'], {
    version: 1,
  })
  t.equal((await cloud('POST', path, { agent: { id: made.id, version: 1 } })).status, 400, 'the object names its type')
  t.match((await cloud('POST', path, { schedule: null, environment_variables: null, description: '' })).body, {
    schedule: null,
    environment_variables: null,
    description: '',
  })
  const sixFields = { ...body.schedule, expression: '0 0 3 * * *' }
  t.equal((await cloud('POST', path, { schedule: sixFields })).status, 400)
  t.match((await cloud('POST', `${path}/pause`, {})).body, { status: 'paused', paused_reason: { type: 'manual' } })
  t.match((await cloud('POST', `${path}/unpause`, {})).body, { status: 'active', paused_reason: null })
  const run = await cloud('POST', `${path}/run`, {})
  t.match(run.body, { deployment_id: id, session_id: String, error: null, trigger_context: { type: 'manual' } })
  t.match((await cloud('GET', `/deployment_runs?deployment_id=${id}`)).body['data'], [{ id: run.id }])
  t.match((await cloud('GET', `/sessions/${run.body['session_id']}/events`)).body['data'], [{ type: 'user.message' }])
  t.equal((await cloud('DELETE', path)).status, 405)
  t.match((await cloud('POST', `${path}/archive`)).body, { status: 'active', archived_at: String })
})

t.test('a new account has a tunnel that cannot be removed, also after a reset', async (t) => {
  const { cloud, control } = await openAccount(t)
  await cloud('POST', '/agents', agent)
  await control('POST', '/reset')
  t.strictSame((await control('GET', '/objects')).body['objects'], [
    {
      provider: 'qoder',
      kind: 'tunnel',
      api: 'managed',
      id: 'tnl_emulator',
      name: 'emulator',
      archived: false,
      seeded: true,
      permanent: true,
    },
  ])
  t.match((await cloud('GET', '/models')).body, { data: [{ id: 'auto' }], has_more: false })
})

t.test('every kind can be seeded', async (t) => {
  const { control, cloud } = await openAccount(t)
  const bodies: readonly (readonly [string, string])[] = [
    ['environment', 'managed'],
    ['environment', 'forward'],
    ['vault', 'managed'],
    ['vault', 'forward'],
    ['skill', 'managed'],
    ['skill', 'forward'],
    ['file', 'managed'],
    ['file', 'forward'],
    ['agent', 'managed'],
    ['agent', 'forward'],
    ['identity', 'forward'],
    ['channel', 'forward'],
  ]
  for (const [kind, api] of bodies) {
    const answer = await control('POST', '/objects', { provider: 'qoder', kind, api, id: `${kind}_${api}` })
    t.match(answer, { status: 201, id: `${kind}_${api}` }, `${kind} ${api}`)
  }
  t.equal((await control('POST', '/objects', { provider: 'qoder', kind: 'memory_store' })).status, 201)
  await control('PATCH', '/objects/agent_managed', { system: 'by hand' })
  t.match((await cloud('GET', '/agents/agent_managed')).body, {
    version: 2,
    system: 'by hand',
    instructions: 'by hand',
  })
})

t.test('names of active agents and environments are unique, in each API', async (t) => {
  const { cloud, forward } = await openAccount(t)
  const environment = { name: 'base', config: { type: 'cloud' } }
  for (const [call, path, body] of [
    [cloud, '/agents', agent],
    [cloud, '/environments', environment],
    [forward, '/environments', environment],
  ] as const) {
    const { id } = await call('POST', path, body)
    const taken = { status: 409, body: { error: { type: 'conflict_error', message: /already exists/ } } }
    t.match(await call('POST', path, body), taken)
    const other = await call('POST', path, { ...body, name: 'other' })
    t.match(await call('POST', `${path}/${other.id}`, { name: body.name }), taken, 'renaming')
    t.equal((await call('POST', `${path}/${id}`, { name: body.name })).status, 200, 'its own name')
    await call('POST', `${path}/${id}/archive`, {})
    t.equal((await call('POST', path, body)).status, 201, 'an archived object has no name')
  }
})

t.test('a tunnel can be seeded, and used by sessions', async (t) => {
  const { cloud, control } = await openAccount(t)
  const seeded = await control('POST', '/objects', { provider: 'qoder', kind: 'tunnel', id: 'tnl_office' })
  t.match(seeded.body, { id: 'tnl_office' })
  const { id: environment_id } = await cloud('POST', '/environments', { name: 'base', config: { type: 'cloud' } })
  const { id } = await cloud('POST', '/agents', agent)
  const session = (tunnel_id: string) => cloud('POST', '/sessions', { agent: id, environment_id, tunnel_id })
  t.match(await session('tnl_office'), { status: 201, body: { tunnel_id: 'tnl_office' } })
  t.equal((await session('tnl_nowhere')).status, 400)
})
