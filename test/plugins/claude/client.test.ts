// Headers, pages and error bodies of Claude.
import t from 'tap'
import { systemClock } from '../../../core/ports/clock.js'
import type { Http } from '../../../core/ports/http.js'
import { systemRandom } from '../../../core/ports/random.js'
import { type ClaudeClient, connect, paging } from '../../../plugins/claude/client.js'
import { classify } from '../../../plugins/claude/failure.js'

function recorded(configuration: Record<string, string>) {
  const seen: { url: string; headers: Readonly<Record<string, string>> }[] = []
  const http: Http = async ({ url, headers }) => {
    seen.push({ url, headers })
    return { status: 200, headers: new Headers(), text: '{"id":"x","data":[]}' }
  }
  const environment = { http, clock: systemClock, random: systemRandom }
  const client: ClaudeClient = connect({ api_key: 'key', ...configuration }, environment)
  return { client, seen }
}

t.test('5 beta replaces the beta header, but not that of memory stores', async (t) => {
  const betaOf = async (path: string, configuration: Record<string, string> = {}) => {
    const { client, seen } = recorded(configuration)
    await client.get(path)
    t.match(seen[0]?.headers, { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' })
    return seen[0]?.headers['anthropic-beta']
  }
  t.equal(await betaOf('/agents'), 'managed-agents-2026-04-01', 'no value that selects an older form')
  t.equal(await betaOf('/agents', { beta: 'other' }), 'other')
  t.equal(await betaOf('/memory_stores/m/memories', { beta: 'other' }), 'agent-memory-2026-07-22')
})

t.test('pages continue by token, or after the last id', async (t) => {
  t.same(paging.next({ next_page: 'page_2' }, [], new Headers()), { page: 'page_2' })
  t.same(paging.next({ has_more: true, last_id: 'file_9' }, [], new Headers()), { after_id: 'file_9' })
  for (const last of [
    { next_page: null },
    {},
    { has_more: false, last_id: 'file_9' },
    { has_more: true, last_id: null },
  ])
    t.equal(paging.next(last, [], new Headers()), undefined)
})

t.test('code and message of an error are kept', async (t) => {
  const archived = { type: 'invalid_request_error', details: { error_code: 'environment_archived' } }
  const failure = {
    method: 'POST',
    path: '/agents',
    status: 400,
    headers: new Headers(),
    body: { error: { ...archived, message: 'why' } },
  }
  t.same(classify(failure), { class: 'gone', code: 'environment_archived', message: 'why' })
  t.same(classify({ method: 'GET', path: '/agents', status: 502, headers: new Headers(), body: '<html>' }), {
    class: 'retry',
  })
})
