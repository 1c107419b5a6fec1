// Addresses and headers of calls, and classification of failures.
import t from 'tap'
import { systemClock } from '../../../core/ports/clock.js'
import type { Http } from '../../../core/ports/http.js'
import { systemRandom } from '../../../core/ports/random.js'
import { type ClaudeClient, connect, identify, paging } from '../../../plugins/claude/client.js'
import { classify } from '../../../plugins/claude/failure.js'
import { claude } from '../../../plugins/claude/index.js'
import { kinds } from '../../../plugins/kinds/index.js'

function recorded(configuration: Record<string, string>, emulatorUrl?: string) {
  const seen: { url: string; headers: Readonly<Record<string, string>> }[] = []
  const http: Http = async ({ url, headers }) => {
    seen.push({ url, headers })
    return { status: 200, headers: new Headers(), text: '{"id":"x","data":[]}' }
  }
  const environment = { http, clock: systemClock, random: systemRandom, ...(emulatorUrl ? { emulatorUrl } : {}) }
  const client: ClaudeClient = connect({ api_key: 'key', ...configuration }, environment)
  return { client, seen }
}

t.test('calls go to the service, to base_url, or to the emulator', async (t) => {
  const urlOf = async (configuration: Record<string, string>, emulatorUrl?: string) => {
    const { client, seen } = recorded(configuration, emulatorUrl)
    await client.get('/agents/a')
    return seen[0]?.url
  }
  t.equal(await urlOf({}), 'https://api.anthropic.com/v1/agents/a')
  t.equal(await urlOf({ base_url: 'https://proxy.example/v1/' }), 'https://proxy.example/v1/agents/a')
  t.equal(
    await urlOf({ base_url: 'https://proxy.example' }, 'http://127.0.0.1:1'),
    'http://127.0.0.1:1/claude/v1/agents/a',
  )
  t.same(identify({ api_key: 'key' }), { host: 'https://api.anthropic.com/v1' })
  t.same(identify({ api_key: 'key', base_url: 'https://proxy.example/' }), { host: 'https://proxy.example' })
})

t.test('5 beta replaces the beta header, but not that of memory stores', async (t) => {
  const betaOf = async (path: string, configuration: Record<string, string> = {}) => {
    const { client, seen } = recorded(configuration)
    await client.get(path)
    t.match(seen[0]?.headers, { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' })
    return seen[0]?.headers['anthropic-beta']
  }
  t.equal(await betaOf('/agents'), 'managed-agents-2026-04-01,skills-2025-10-02,files-api-2025-04-14')
  t.equal(await betaOf('/agents', { beta: 'other' }), 'other')
  t.equal(await betaOf('/memory_stores/m/memories', { beta: 'other' }), 'agent-memory-2026-07-22')
})

t.test('pages continue by token, or after the last id', async (t) => {
  t.same(paging.next({ next_page: 'page_2' }, []), { page: 'page_2' })
  t.same(paging.next({ has_more: true, last_id: 'file_9' }, []), { after_id: 'file_9' })
  for (const last of [
    { next_page: null },
    {},
    { has_more: false, last_id: 'file_9' },
    { has_more: true, last_id: null },
  ])
    t.equal(paging.next(last, []), undefined)
})

t.test('a failure is classified by its code, then its type, then the call', async (t) => {
  const classOf = (status: number, error: object, method = 'POST', path = '/agents') =>
    classify({ method, path, status, body: { type: 'error', error } }).class
  t.equal(classOf(400, { type: 'invalid_request_error', message: 'x' }), 'invalid')
  const archived = { type: 'invalid_request_error', details: { error_code: 'environment_archived' } }
  t.equal(classOf(400, archived), 'gone')
  t.equal(classOf(401, { type: 'authentication_error' }), 'denied')
  t.equal(classOf(404, { type: 'not_found_error' }), 'gone')
  t.equal(classOf(409, { type: 'conflict_error' }, 'POST', '/agents/agent_1'), 'stale')
  t.equal(classOf(409, { type: 'conflict_error' }, 'POST', '/vaults/vlt_1/credentials'), 'nameTaken')
  t.equal(classOf(409, { type: 'conflict_error' }, 'DELETE', '/environments/env_1'), 'inUse')
  t.equal(classOf(409, { type: 'memory_precondition_failed_error' }), 'stale')
  t.equal(classOf(409, { type: 'memory_path_conflict_error' }), 'nameTaken')
  t.equal(classOf(429, { type: 'rate_limit_error' }), 'retry')
  t.equal(classOf(529, { type: 'overloaded_error' }), 'retry')
  t.same(classify({ method: 'GET', path: '/agents', status: 502, body: '<html>' }), { class: 'retry' })
  t.same(classify({ method: 'POST', path: '/agents', status: 400, body: { error: { ...archived, message: 'why' } } }), {
    class: 'gone',
    code: 'environment_archived',
    message: 'why',
  })
})

t.test('every kind has a handler, or a reason and an alternative', async (t) => {
  const { handlers, missing = [] } = claude
  const stated = [...handlers, ...missing].map(({ kind }) => kind)
  t.same(stated.sort(), kinds.map(({ kind }) => kind).sort())
  for (const { kind, reason, instead } of missing) t.ok(reason && instead, kind)
})
