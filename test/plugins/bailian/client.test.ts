// Addresses of calls to bailian, and classification of failures.
import t from 'tap'
import { Check } from 'typebox/value'
import { isFailure } from '../../../core/plugin/failure.js'
import type { HttpRequest } from '../../../core/ports/http.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { BailianClient } from '../../../plugins/bailian/client.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { openBailian } from './subject.js'

const account = { api_key: 'sk-1', workspace_id: 'llm-42' }

async function requestOf(configuration: JsonObject, emulatorUrl?: string): Promise<HttpRequest> {
  const sent: HttpRequest[] = []
  const client = bailian.connect(configuration, {
    http: async (request) => {
      sent.push(request)
      return { status: 200, headers: new Headers(), text: '{"id":"x"}' }
    },
    clock: { now: () => 0, sleep: async () => {} },
    random: { uuid: () => '', fraction: () => 0 },
    ...(emulatorUrl === undefined ? {} : { emulatorUrl }),
  }) as BailianClient
  await client.get('/agents')
  const [request] = sent
  if (!request) throw new Error('nothing was sent')
  return request
}

t.test('5 the address follows from the workspace', async (t) => {
  const host = 'https://llm-42.cn-beijing.maas.aliyuncs.com/api/v1/agentstudio'
  t.match(await requestOf(account), { url: `${host}/agents`, headers: { authorization: 'Bearer sk-1' } })
  t.same(bailian.identify(account), { host, workspace: 'llm-42' })
})

t.test('5 base_url replaces the whole address', async (t) => {
  const configuration = { ...account, base_url: 'https://proxy.example/studio/' }
  t.match(await requestOf(configuration), { url: 'https://proxy.example/studio/agents' })
  t.same(bailian.identify(configuration), { host: 'https://proxy.example/studio', workspace: 'llm-42' })
})

t.test('an emulator takes every call, base_url or not', async (t) => {
  const configuration = { ...account, base_url: 'https://proxy.example/studio' }
  t.match(await requestOf(configuration, 'http://127.0.0.1:1'), {
    url: 'http://127.0.0.1:1/bailian/api/v1/agentstudio/agents',
  })
})

t.test('5 the configuration needs a key and a workspace, and nothing unknown', async (t) => {
  t.equal(Check(bailian.configuration, account), true)
  t.equal(Check(bailian.configuration, { api_key: 'sk-1' }), false)
  t.equal(Check(bailian.configuration, { workspace_id: 'llm-42' }), false)
  t.equal(Check(bailian.configuration, { ...account, region: 'cn-beijing' }), false)
})

t.test('three forms of error bodies are understood', async (t) => {
  const classify = (body: unknown) => bailian.classify({ method: 'POST', path: '/agents', status: 400, body })
  const facts = { class: 'invalid', code: 'AGENT_005', message: 'no name' }
  t.same(classify({ type: 'error', error: { code: 'AGENT_005', message: 'no name' }, request_id: 'req_1' }), facts)
  t.same(classify({ type: 'error', error: { error_code: 'AGENT_005', error_message: 'no name' } }), facts)
  t.same(classify({ timestamp: '…', status: 400, error: 'Bad Request', path: '/agents' }), {
    class: 'invalid',
    message: 'Bad Request',
  })
  t.same(classify('<html>'), { class: 'invalid', message: '<html>' })
  t.same(classify({}), { class: 'invalid' })
})

t.test('a name conflict is recognised by its code or its text, whatever the status', async (t) => {
  for (const status of [400, 409, 500])
    for (const error of [{ code: 11300026 }, { message: '环境名称已存在' }, { message: 'Vault Already Exists' }])
      t.equal(
        bailian.classify({ method: 'POST', path: '/environments', status, body: { error } }).class,
        'nameTaken',
        `${status} ${JSON.stringify(error)}`,
      )
})

t.test('failures are classified by code, then by status', async (t) => {
  const rows = [
    ['POST', '/agents', 400, 'AGENT_010', 'retry'],
    ['POST', '/skills', 500, 'SKILL_FILE_NOT_FOUND', 'retry'],
    ['POST', '/agents/a', 409, 'conflict_error', 'stale'],
    ['DELETE', '/sessions/s', 409, 'conflict_error', 'inUse'],
    ['POST', '/deployments/d', 409, 'DEPLOYMENT_STATE_CONFLICT', 'stale'],
    ['POST', '/memory_stores/m/memories', 409, 'memory_path_conflict_error', 'nameTaken'],
    ['POST', '/memory_stores/m/memories/x', 409, 'memory_path_conflict_error', 'stale'],
    ['POST', '/vaults/v/credentials', 409, 'CREDENTIAL_AUTH_NETWORKING_ERROR', 'invalid'],
    ['GET', '/agents', 401, 'InvalidApiKey', 'denied'],
    ['GET', '/agents', 403, 'permission_error', 'denied'],
    ['GET', '/agents/a', 404, 'not_found_error', 'gone'],
    ['DELETE', '/agents/a', 405, 'method_not_allowed', 'invalid'],
    ['GET', '/agents', 429, 'rate_limit_error', 'retry'],
    ['GET', '/agents', 503, 'overloaded_error', 'retry'],
  ] as const
  for (const [method, path, status, code, wanted] of rows)
    t.equal(bailian.classify({ method, path, status, body: { error: { code } } }).class, wanted, `${method} ${code}`)
  const message = 'config.networking.type must be one of [unrestricted]'
  const body = { error: { code: 'api_error', message } }
  t.equal(bailian.classify({ method: 'POST', path: '/environments', status: 500, body }).class, 'invalid')
})

t.test('a create is repeated after 429 and never after an answer that may hide an effect', async (t) => {
  const bench = await openBailian(t)
  const client = bench.call.client as BailianClient
  const faults = (kinds: readonly string[]) =>
    bench.request('PUT', '/_emulator/knobs', { faults: { rate: 0.5, seed: 7, kinds } })
  await faults(['rateLimited'])
  for (let made = 0; made < 5; made++) await client.create('/vaults', { display_name: `v${made}` })
  await faults(['serverError'])
  let failed = 0
  for (let tried = 0; tried < 10; tried++)
    await client.create('/vaults', { display_name: 'w' }).catch((error: unknown) => {
      failed++
      t.match(isFailure(error, 'retry') && error.isAmbiguous, true)
    })
  await bench.request('PUT', '/_emulator/knobs', { faults: 0 })
  t.ok(failed > 0)
  const { body } = await bench.request('GET', '/vaults?limit=100')
  const rows = body['data'] as { display_name: string }[]
  t.equal(rows.filter(({ display_name }) => display_name !== 'w').length, 5)
  t.ok(rows.length <= 15)
})
