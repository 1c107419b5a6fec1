// The emulated bailian API is as strict and as awkward as the real one.
import t from 'tap'
import type { JsonObject } from '../../../core/value/tree.js'
import { openBailian } from './subject.js'

const refused = (status: number, code: string) => ({ status, body: { type: 'error', error: { code } } })

t.test('a missing or broken bearer is refused before anything else', async (t) => {
  const bench = await openBailian(t)
  for (const authorization of ['', 'Basic abc', 'Bearer '])
    t.match(await bench.request('GET', '/nowhere', undefined, { authorization }), refused(401, 'InvalidApiKey'))
})

t.test('unknown ids, unknown fields and wrong verbs get their own errors', async (t) => {
  const bench = await openBailian(t)
  const { body: agent } = await bench.request('POST', '/agents', { name: 'a', model: { id: 'qwen3.8-max' } })
  t.match(await bench.request('GET', '/agents/agent_nobody'), refused(404, 'not_found_error'))
  t.match(await bench.request('GET', '/credentials'), refused(404, 'not_found_error'))
  t.match(await bench.request('DELETE', `/agents/${agent['id']}`), { status: 405 })
  t.match(await bench.request('PATCH', `/agents/${agent['id']}`, { name: 'b' }), { status: 405 })
  t.match(await bench.request('POST', '/vaults', { display_name: 'v', colour: 'red' }), {
    ...refused(400, 'invalid_request_error'),
    body: { error: { message: 'colour: unknown field' } },
  })
  t.match(await bench.request('GET', '/vaults?colour=red'), refused(400, 'invalid_request_error'))
})

t.test('every answer names its request, in the header and nearly always in the body', async (t) => {
  const bench = await openBailian(t)
  const vault = await bench.request('POST', '/vaults', { display_name: 'v' })
  t.match(vault.headers.get('x-request-id'), /^req_/)
  t.equal(vault.body['request_id'], vault.headers.get('x-request-id'))
  const environment = await bench.request('POST', '/environments', { name: 'e' })
  t.equal(environment.body['requestId'], environment.headers.get('x-request-id'))
  t.notMatch(environment.body, { request_id: /./ })
  const failed = await bench.request('GET', '/vaults/nobody')
  t.equal(failed.body['request_id'], failed.headers.get('x-request-id'))
})

t.test('lists come in pages of twenty, newest first, without archived rows', async (t) => {
  const bench = await openBailian(t)
  const ids: unknown[] = []
  for (let made = 0; made < 25; made++)
    ids.push((await bench.request('POST', '/vaults', { display_name: 'v' })).body['id'])
  await bench.request('POST', `/vaults/${ids[24]}/archive`)
  const idsOf = (page: JsonObject) => (page['data'] as { id: string }[]).map(({ id }) => id)
  const first = await bench.request('GET', '/vaults')
  t.same(idsOf(first.body), ids.slice(4, 24).reverse())
  const second = await bench.request('GET', `/vaults?page=${encodeURIComponent(String(first.body['next_page']))}`)
  t.same(idsOf(second.body), ids.slice(0, 4).reverse())
  t.equal(second.body['next_page'], null)
  t.equal(idsOf((await bench.request('GET', '/vaults?include_archived=true&limit=100')).body).length, 25)
  t.match(await bench.request('GET', '/vaults?page=guess'), { status: 400 })
  t.match(await bench.request('GET', '/vaults?limit=101'), { status: 400 })
})

t.test('environments are merged, their packages replaced, filled in and sorted', async (t) => {
  const bench = await openBailian(t)
  const { body } = await bench.request('POST', '/environments', {
    name: 'e',
    description: 'd',
    config: { packages: { pip: ['b', 'a'], go: ['x'] } },
    metadata: { a: '1' },
  })
  t.match(body, { scope: 'organization', archived_at: null, description: 'd' })
  t.same(body['config'], {
    type: 'cloud',
    networking: { type: 'unrestricted' },
    packages: { apt: [], pip: ['a', 'b'], npm: [], go: ['x'] },
  })
  const path = `/environments/${body['id']}`
  t.match((await bench.request('POST', path, { config: { packages: { apt: ['jq'] } } })).body, {
    description: 'd',
    config: { packages: { apt: ['jq'], pip: { length: 0 } } },
  })
  t.same((await bench.request('POST', path, { metadata: { b: '2' } })).body['metadata'], { b: '2' })
  t.match(await bench.request('POST', path, { config: { type: 'self_hosted' } }), { status: 400 })
  t.match(await bench.request('POST', path, { config: { networking: { type: 'limited' } } }), {
    status: 500,
    body: { error: { message: /must be one of \[unrestricted\]/ } },
  })
  t.match(await bench.request('POST', '/environments', { name: 'e' }), {
    status: 409,
    body: { error: { code: '11300026', message: /已存在/ } },
  })
  const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`k${index}`, 'v']))
  t.match(await bench.request('POST', path, { metadata }), { status: 400 })
  t.match(await bench.request('DELETE', path), { body: { id: body['id'], type: 'environment_deleted' } })
})

t.test('credentials need hosts, have an immutable name, and remain when their vault is removed', async (t) => {
  const bench = await openBailian(t)
  const vault = `/vaults/${(await bench.request('POST', '/vaults', { display_name: 'v' })).body['id']}`
  const auth = { type: 'environment_variable', secret_name: 'A', secret_value: 's3cret' }
  const create = (more: object) =>
    bench.request('POST', `${vault}/credentials`, { display_name: 'c', auth: { ...auth, ...more } })
  t.match(await create({}), refused(409, 'CREDENTIAL_AUTH_NETWORKING_ERROR'))
  t.match(await create({ networking: { type: 'unrestricted' } }), { status: 400 })
  t.match(await create({ networking: { allowed_hosts: Array(11).fill('a.example') } }), { status: 400 })
  t.match(await create({ type: 'mcp_oauth' }), refused(400, 'CREDENTIAL_AUTH_TYPE_ERROR'))
  const made = await create({ networking: { allowed_hosts: Array(10).fill('a.example') } })
  t.match(made, { status: 200, body: { type: 'credential', vault_id: /^vlt_/, auth: { secret_name: 'A' } } })
  t.notMatch(JSON.stringify(made.body), /s3cret/)
  t.match(await create({ networking: { allowed_hosts: ['*'] } }), refused(409, 'conflict_error'))

  const path = `${vault}/credentials/${made.body['id']}`
  t.match(await bench.request('POST', path, { auth: { secret_name: 'B' } }), { status: 400 })
  t.match((await bench.request('POST', path, { auth: { secret_value: '' } })).body, { auth: { secret_name: 'A' } })
  await bench.request('POST', `${path}/archive`)
  t.match(await create({ networking: { allowed_hosts: ['*'] } }), { status: 200 }, 'an archived one frees its name')
  await bench.request('DELETE', vault)
  t.match(await bench.request('GET', path), { status: 200 })
  t.match(await create({ secret_name: 'C', networking: { allowed_hosts: ['*'] } }), { status: 404 })
  t.match(await bench.request('GET', `/vaults/vlt_other/credentials/${made.body['id']}`), { status: 404 })
})

t.test('files take one part named file, and uploaded ones cannot be downloaded', async (t) => {
  const bench = await openBailian(t)
  const form = (...names: string[]) => {
    const data = new FormData()
    for (const name of names) data.append(name, new Blob(['x']), 'a.txt')
    return data
  }
  t.match(await bench.request('POST', '/files', form('other')), { status: 400 })
  t.match(await bench.request('POST', '/files', form('file', 'file')), { status: 400 })
  const { body } = await bench.request('POST', '/files', form('file'))
  t.match(body, { type: 'file', filename: 'a.txt', mime_type: 'text/plain', size_bytes: 1, requestId: /^req_/ })
  t.match(await bench.request('GET', `/files/${body['id']}/content`), { status: 403 })
  t.match((await bench.request('GET', '/files')).body, { data: [{ id: body['id'] }] })
  t.same((await bench.request('GET', '/files?scope_id=sess_1')).body['data'], [], 'an uploaded file is of no session')
})

t.test('agents are replaced whole, by version, and keep their versions', async (t) => {
  const bench = await openBailian(t)
  const config = { name: 'a', model: { id: 'qwen3.8-max' }, metadata: { a: '1' }, description: 'd' }
  t.match(await bench.request('POST', '/agents', { model: { id: 'qwen3.8-max' } }), refused(400, 'AGENT_005'))
  t.match(await bench.request('POST', '/agents', { ...config, model: 'm' }), { status: 400 })
  const { body } = await bench.request('POST', '/agents', config)
  const path = `/agents/${body['id']}`
  t.match(await bench.request('POST', path, { ...config, version: 2 }), refused(409, 'conflict_error'))
  t.match(await bench.request('POST', path, config), { status: 400 })
  const updated = await bench.request('POST', path, { name: 'b', model: { id: 'qwen3.8-max' }, version: 1 })
  t.match(updated.body, { version: 2, description: '', metadata: {} })
  t.match((await bench.request('GET', `${path}?version=1`)).body, { version: 1, name: 'a', description: 'd' })
  t.match((await bench.request('GET', `${path}/versions`)).body, { data: [{ version: 2 }, { version: 1 }] })
  await bench.request('POST', `${path}/archive`, {})
  t.match((await bench.request('GET', path)).body, { archived_at: /^2026/, version: 2 })
  t.match(await bench.request('POST', path, { ...config, version: 2 }), { status: 409 })
})

t.test('references of agents are checked', async (t) => {
  const bench = await openBailian(t)
  const create = (more: object) =>
    bench.request('POST', '/agents', { name: 'a', model: { id: 'qwen3.8-max' }, ...more })
  const skill = { type: 'official', skill_id: 'pptx', version: '1.0' }
  t.match(await create({ skills: [skill] }), { status: 200 })
  t.match(await create({ skills: [{ ...skill, version: 'latest' }] }), { status: 400 })
  t.match(await create({ skills: [{ ...skill, version: '2.0' }] }), { status: 400 })
  t.match(await create({ skills: [{ ...skill, type: 'customer' }] }), { status: 400 })
  t.match(await create({ tools: [{ type: 'builtin_toolkit' }, { type: 'builtin_toolkit' }] }), { status: 400 })
  t.match(await create({ tools: [{ type: 'builtin_toolkit', configs: [{ name: 'web_search', enabled: true }] }] }), {
    status: 400,
  })
  const { body: member } = await create({})
  const roster = (...ids: unknown[]) => ({ type: 'coordinator', agents: ids.map((id) => ({ type: 'agent', id })) })
  const { body: coordinator } = await create({ multiagent: roster(member['id']) })
  t.match(await create({ multiagent: roster('agent_nobody') }), { status: 400 })
  t.match(await create({ multiagent: roster(coordinator['id']) }), { status: 400 })
  t.match(await create({ multiagent: roster(...Array(20).fill(member['id'])) }), { status: 200 })
  t.match(await create({ multiagent: roster(...Array(21).fill(member['id'])) }), { status: 400 })
})

t.test('seeded objects, catalogues and permanent objects are distinguished', async (t) => {
  const bench = await openBailian(t)
  for (const kind of ['environment', 'vault', 'agent'])
    t.match(await bench.request('POST', '/_emulator/objects', { provider: 'bailian', kind }), { status: 201 })
  const { body } = await bench.request('GET', '/_emulator/objects')
  const objects = body['objects'] as { kind: string; name: string; seeded: boolean; permanent: boolean }[]
  t.same(objects.map(({ kind, seeded, permanent }) => [kind, seeded, permanent]).sort(), [
    ['agent', true, false],
    ['environment', true, false],
    ['vault', true, false],
  ])
  const official = await bench.request('GET', '/skills?source=official')
  t.match(official.body, { data: [{ id: 'xlsx', source: 'official', status: 'active' }] })
})

t.test('keys of metadata have 64 characters, wherever there is metadata', async (t) => {
  const bench = await openBailian(t)
  const bodies = {
    '/agents': { name: 'a', model: { id: 'qwen3.8-max' } },
    '/vaults': { display_name: 'v' },
    '/environments': { name: 'e' },
  }
  for (const [path, body] of Object.entries(bodies)) {
    const make = (length: number) => bench.request('POST', path, { ...body, metadata: { ['k'.repeat(length)]: 'v' } })
    t.match(await make(65), refused(400, 'invalid_request_error'), path)
    t.match(await make(64), { status: 200 }, path)
  }
})

t.test('7 an unknown model is refused; a knob lists the known ones', async (t) => {
  const bench = await openBailian(t)
  const make = () => bench.request('POST', '/agents', { name: 'a', model: { id: 'some-model' } })
  t.match(await make(), refused(400, 'invalid_request_error'))
  await bench.request('PUT', '/_emulator/knobs', { bailian: { models: ['some-model'] } })
  t.match(await make(), { status: 200 })
})
