// Addresses of calls, configurations and the interpretation of responses on every provider.
import t, { type Test } from 'tap'
import { Check } from 'typebox/value'
import { capabilitiesOf } from '../../../core/plugin/capabilities.js'
import type { FailureClass } from '../../../core/plugin/failure.js'
import type { Provider } from '../../../core/plugin/provider.js'
import type { HttpRequest } from '../../../core/ports/http.js'
import type { JsonObject } from '../../../core/value/tree.js'
import { ark } from '../../../plugins/ark/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { claude } from '../../../plugins/claude/index.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { qoder } from '../../../plugins/qoder/index.js'
import { openArk } from '../ark/subject.js'
import { openBailian } from '../bailian/subject.js'
import { openClaude } from '../claude/subject.js'
import { openQoder } from '../qoder/subject.js'
import { all, type Workbench } from '../workbench.js'

type Address = readonly [configuration: JsonObject, read: string, identity: object, emulatorUrl?: string]
type Meaning = readonly [call: string, status: number, error: object, FailureClass]

interface Row {
  readonly provider: Provider
  readonly open: (t: Test) => Promise<Workbench>
  /** URLs at which an agent is read, by the title of the test. */
  readonly addresses: Readonly<Record<string, readonly Address[]>>
  readonly headers: Readonly<Record<string, string>>
  readonly configuration: {
    readonly title: string
    readonly taken: readonly JsonObject[]
    readonly refused: readonly JsonObject[]
  }
  readonly meanings: readonly Meaning[]
}

const emulator = 'http://127.0.0.1:1'
const key = { api_key: 'secret' }
const workspace = { ...key, workspace_id: 'llm-42' }
const studio = 'https://llm-42.cn-beijing.maas.aliyuncs.com/api/v1/agentstudio'
const taken = { message: 'name: "x" already exists in project "default"' }

const rows: readonly Row[] = [
  {
    provider: ark,
    open: openArk,
    addresses: {
      'calls go to the fixed address, to base_url, or to the emulator alone': [
        [key, 'https://ark.cn-beijing.volces.com/api/v3', { host: 'https://ark.cn-beijing.volces.com/api/v3' }],
        [{ ...key, base_url: 'https://ark.example.com/api/v3/' }, 'https://ark.example.com/api/v3', {}],
        [{ ...key, base_url: 'https://ark.example.com/api/v3/' }, `${emulator}/ark/api/v3`, {}, emulator],
      ],
    },
    headers: { authorization: 'Bearer secret' },
    configuration: {
      title: '5 the configuration is an API key and nothing unknown',
      taken: [key],
      refused: [{}, workspace],
    },
    meanings: [
      ['POST /x', 400, { message: 'version: conflict' }, 'stale'],
      ['POST /x', 409, taken, 'nameTaken'],
      ['POST /x', 400, taken, 'nameTaken'],
      ['POST /x', 409, { message: 'duplicate' }, 'nameTaken'],
      ['POST /x', 400, { code: 'ResourceConflict', message: 'taken' }, 'nameTaken'],
      ['POST /x', 409, { message: 'a vault holds at most 100 credentials' }, 'invalid'],
      ['DELETE /x', 409, { message: 'the environment is used by session sesn-1' }, 'inUse'],
      ['POST /x', 400, { message: 'path must start with /' }, 'invalid'],
      ['POST /x', 422, { message: 'unprocessable' }, 'invalid'],
    ],
  },
  {
    provider: bailian,
    open: openBailian,
    addresses: {
      '5 the address follows from the workspace': [[workspace, studio, { host: studio, workspace: 'llm-42' }]],
      '5 base_url replaces the whole address': [
        [
          { ...workspace, base_url: 'https://proxy.example/studio/' },
          'https://proxy.example/studio',
          { host: 'https://proxy.example/studio', workspace: 'llm-42' },
        ],
      ],
      'an emulator takes every call, base_url or not': [
        [{ ...workspace, base_url: 'https://proxy.example' }, `${emulator}/bailian/api/v1/agentstudio`, {}, emulator],
      ],
    },
    headers: { authorization: 'Bearer secret' },
    configuration: {
      title: '5 the configuration needs a key and a workspace, and nothing unknown',
      taken: [workspace],
      refused: [key, { workspace_id: 'llm-42' }, { ...workspace, region: 'cn-beijing' }],
    },
    meanings: [
      ['POST /agents', 400, { code: 'AGENT_010' }, 'retry'],
      ['POST /skills', 500, { code: 'SKILL_FILE_NOT_FOUND' }, 'retry'],
      ['POST /agents/a', 409, { code: 'conflict_error' }, 'stale'],
      ['DELETE /sessions/s', 409, { code: 'conflict_error' }, 'inUse'],
      ['POST /deployments/d', 409, { code: 'DEPLOYMENT_STATE_CONFLICT' }, 'stale'],
      ['POST /memory_stores/m/memories', 409, { code: 'memory_path_conflict_error' }, 'nameTaken'],
      ['POST /memory_stores/m/memories/x', 409, { code: 'memory_path_conflict_error' }, 'stale'],
      ['POST /vaults/v/credentials', 409, { code: 'CREDENTIAL_AUTH_NETWORKING_ERROR' }, 'invalid'],
      ['DELETE /agents/a', 405, { code: 'method_not_allowed' }, 'invalid'],
      [
        'POST /environments',
        500,
        { code: 'api_error', message: 'config.networking.type must be one of [unrestricted]' },
        'invalid',
      ],
      ...[400, 409, 500].flatMap((status) =>
        [{ code: 11300026 }, { message: '环境名称已存在' }, { message: 'Vault Already Exists' }].map(
          (error): Meaning => ['POST /environments', status, error, 'nameTaken'],
        ),
      ),
    ],
  },
  {
    provider: claude,
    open: openClaude,
    addresses: {
      'calls go to the service, to base_url, or to the emulator': [
        [key, 'https://api.anthropic.com/v1', { host: 'https://api.anthropic.com/v1' }],
        [
          { ...key, base_url: 'https://proxy.example/v1/' },
          'https://proxy.example/v1',
          { host: 'https://proxy.example/v1' },
        ],
        [{ ...key, base_url: 'https://proxy.example' }, `${emulator}/claude/v1`, {}, emulator],
      ],
    },
    headers: { 'x-api-key': 'secret', 'anthropic-version': '2023-06-01' },
    configuration: {
      title: 'the configuration is an API key, and a beta header if need be',
      taken: [key, { ...key, beta: 'other' }],
      refused: [{}, workspace],
    },
    meanings: [
      ['POST /agents', 400, { type: 'invalid_request_error', message: 'x' }, 'invalid'],
      ['POST /agents', 400, { type: 'invalid_request_error', details: { error_code: 'environment_archived' } }, 'gone'],
      ['POST /agents/agent_1', 409, { type: 'conflict_error' }, 'stale'],
      ['POST /vaults/vlt_1/credentials', 409, { type: 'conflict_error' }, 'nameTaken'],
      ['DELETE /environments/env_1', 409, { type: 'conflict_error' }, 'inUse'],
      ['POST /agents', 409, { type: 'memory_precondition_failed_error' }, 'stale'],
      ['POST /agents', 409, { type: 'memory_path_conflict_error' }, 'nameTaken'],
      ['POST /agents', 529, { type: 'overloaded_error' }, 'retry'],
    ],
  },
  {
    provider: qoder,
    open: openQoder,
    addresses: {},
    headers: {},
    configuration: {
      title: '5 the configuration is a token and two optional addresses, and nothing unknown',
      taken: [key, { ...key, gateway: 'https://a', forward_gateway: 'https://b' }],
      refused: [{}, workspace],
    },
    meanings: [
      ['POST /x', 400, { message: 'tunnel_id: unknown field' }, 'invalid'],
      ['POST /x', 409, { message: 'an agent named "x" already exists' }, 'nameTaken'],
      ['PUT /x', 409, { message: 'version 1 is not the current version 2' }, 'stale'],
      ['DELETE /x', 409, { message: 'environment in use' }, 'inUse'],
      ['DELETE /x', 400, { message: 'Environment is in use' }, 'inUse'],
      ['DELETE /x', 409, { message: 'the store is still mounted' }, 'inUse'],
      ['DELETE /x', 409, { message: 'conflict' }, 'inUse'],
      ['PUT /x', 409, { message: 'conflict' }, 'stale'],
      ['POST /x', 409, { message: 'conflict' }, 'nameTaken'],
      ['POST /x', 409, { message: 'the template is archived' }, 'invalid'],
      ['POST /x', 409, { code: 'CHANNEL_CREDENTIAL_CONFLICT', message: 'no' }, 'nameTaken'],
      ['POST /x', 409, { code: 'idempotency_key_reused', message: 'no' }, 'invalid'],
    ],
  },
]

/** What every provider answers alike. */
const meanings: readonly Meaning[] = [
  ['GET /agents', 401, { type: 'authentication_error', code: 'InvalidApiKey', message: 'no' }, 'denied'],
  ['GET /agents', 403, { type: 'permission_error', code: 'permission_error', message: 'no' }, 'denied'],
  ['GET /agents/a', 404, { type: 'not_found_error', code: 'not_found_error', message: 'no' }, 'gone'],
  ['GET /agents', 429, { type: 'rate_limit_error', code: 'rate_limit_error', message: 'slow down' }, 'retry'],
  ['GET /agents', 503, { type: 'api_error', code: 'overloaded_error', message: 'no' }, 'retry'],
]

/** Requests that reading an agent sends. */
async function sentBy({ connect, handlers }: Provider, configuration: JsonObject, emulatorUrl?: string) {
  const seen: HttpRequest[] = []
  const client = connect(configuration, {
    http: async (request) => {
      seen.push(request)
      return { status: 200, headers: new Headers(), text: '{"id":"agent_1","version":1}' }
    },
    clock: { now: () => 0, sleep: async () => {} },
    random: { uuid: () => '', fraction: () => 0 },
    ...(emulatorUrl === undefined ? {} : { emulatorUrl }),
  })
  const call = {
    client,
    signal: new AbortController().signal,
    content: () => Promise.reject(new Error('no source')),
    report: () => {},
  }
  await handlers.find(({ kind }) => kind === 'agent')?.read(call, 'agent_1')
  return seen
}

for (const row of rows)
  t.test(row.provider.name, async (t) => {
    const { provider, open, addresses, headers, configuration } = row

    for (const [title, cases] of Object.entries(addresses))
      t.test(title, async (t) => {
        for (const [given, prefix, identity, emulatorUrl] of cases) {
          const [request] = await sentBy(provider, given, emulatorUrl)
          t.match(request, { url: `${prefix}/agents/agent_1`, headers })
          if (emulatorUrl === undefined) t.match(provider.identify(given), identity)
        }
      })

    t.test(configuration.title, async (t) => {
      for (const given of configuration.taken) t.ok(Check(provider.configuration, given), JSON.stringify(given))
      for (const given of configuration.refused) t.notOk(Check(provider.configuration, given), JSON.stringify(given))
    })

    t.test('a failure is classified by what was called, its status, its code and its words', async (t) => {
      for (const [call, status, error, expected] of [...row.meanings, ...meanings]) {
        const [method = '', path = ''] = call.split(' ')
        const actual = provider.classify({
          method,
          path,
          status,
          headers: new Headers(),
          body: { type: 'error', error },
        })
        t.equal(actual.class, expected, `${call} ${status} ${JSON.stringify(error)}`)
      }
      t.match(provider.classify({ method: 'GET', path: '/x', status: 502, headers: new Headers(), body: '<html>' }), {
        class: 'retry',
      })
    })

    t.test('the provider states its support of every kind, and has a handler for each supported one', async (t) => {
      const { handlers, missing = [] } = provider
      const handled = new Set(handlers.map(({ kind }) => kind))
      const lacking = kinds.map(({ kind }) => kind).filter((kind) => !handled.has(kind))
      t.same(missing.map(({ kind }) => kind).sort(), lacking.sort())
      for (const { kind, reason, instead } of missing) t.ok(reason && instead, kind)
      for (const { kind } of kinds) t.not(capabilitiesOf(provider, kind).length, 0, kind)
    })

    t.test('faults of the service are overcome, and a create is never repeated blindly', async (t) => {
      const bench = await open(t)
      const { create, list } = bench.handler('vault')
      bench.declare('vault', 'keys', {})
      await bench.turn({}, { faults: { rate: 0.4, seed: 7 } })
      for (let index = 0; index < 20; index++) await all(list?.(bench.call)).catch(() => t.fail('a read gave up'))
      let failures = 0
      for (let index = 0; index < 20; index++) {
        const request = { desired: { display_name: 'x' }, sources: new Map(), nonce: `n${index}` }
        await create(bench.call, request).catch(() => failures++)
      }
      await bench.turn({}, { faults: 0 })
      t.ok(failures > 0, 'some creates failed with an unknown outcome')
      t.ok((await bench.listed('vault')).length <= 20, 'nothing was created twice')
    })
  })
