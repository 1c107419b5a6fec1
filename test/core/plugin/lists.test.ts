// Lists of providers: one that never ends is an error that names it, and a row that comes again counts once.
import t from 'tap'
import { explainFailure } from '../../../core/plan/explain.js'
import { ApiClient } from '../../../core/plugin/client.js'
import { classifyByStatus } from '../../../core/plugin/failure.js'
import { systemClock } from '../../../core/ports/clock.js'
import { systemRandom } from '../../../core/ports/random.js'
import type { JsonObject } from '../../../core/value/tree.js'

/** Requests that a list makes before it counts as endless here. */
const requestsMax = 2_000

function listOf(pageAt: (page: string | null, request: number) => JsonObject) {
  let requests = 0
  const client = new ApiClient({
    baseUrl: 'https://api.example/v1',
    headers: () => ({}),
    classify: ({ status }) => ({ class: classifyByStatus(status) }),
    environment: {
      http: async ({ url }) => {
        requests += 1
        if (requests > requestsMax) throw new Error('the list was read for ever')
        const page = pageAt(new URL(url).searchParams.get('page'), requests)
        return { status: 200, headers: new Headers({ 'content-type': 'application/json' }), text: JSON.stringify(page) }
      },
      clock: systemClock,
      random: systemRandom,
    },
  })
  return client.list('/agents')
}

async function all(rows: AsyncIterable<JsonObject>): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const { id } of rows) found.push(id)
  return found
}

t.test('a cursor that repeats or alternates, and pages without anything new, end the list with its name', async (t) => {
  const row = (request: number) => [{ id: `agent_${request}` }]
  const endless: Readonly<Record<string, (page: string | null, request: number) => JsonObject>> = {
    'the same cursor for ever': (_, request) => ({ data: row(request), next_page: 'same' }),
    'two cursors in turn': (page, request) => ({ data: row(request), next_page: page === 'one' ? 'two' : 'one' }),
    'empty pages under new cursors': (_, request) => ({ data: [], next_page: `page_${request}` }),
    'the same rows under new cursors': (_, request) => ({ data: row(1), next_page: `page_${request}` }),
  }
  for (const [name, pageAt] of Object.entries(endless)) {
    const error: unknown = await all(listOf(pageAt)).catch((error: unknown) => error)
    const [problem] = explainFailure(error, 'acme', (text) => text)
    t.match(problem, { code: 'provider.endless-list', detail: /^GET \/agents: the list does not end: / }, name)
  }
})

t.test('a row that comes again on a later page counts once, and versions of one object are several', async (t) => {
  const pages = [
    { data: [{ id: 'a' }, { id: 'b' }], next_page: '2' },
    { data: [{ id: 'b' }, { id: 'c' }], next_page: '3' },
    { data: [{ id: 'c' }], next_page: '4' },
    { data: [{ id: 'd' }], next_page: null },
  ]
  const inTurn = (all: readonly JsonObject[]) => listOf((page) => all[Number(page ?? '1') - 1] ?? {})
  t.same(await all(inTurn(pages)), ['a', 'b', 'c', 'd'])
  const version = (number: number) => ({ id: 'skill', version: number })
  const versions = [
    { data: [version(3), version(2)], next_page: '2' },
    { data: [version(2), version(1)], next_page: null },
  ]
  t.equal((await all(inTurn(versions))).length, 3)
})

t.test(
  'a page without rows that leads on is not the last one, as filters leave some; one that leads back is',
  async (t) => {
    const pages = [
      { data: [{ id: 'a' }], next_page: '2' },
      ...Array.from({ length: 20 }, (_, index) => ({ data: [], next_page: String(index + 3) })),
      { data: [{ id: 'b' }], next_page: '23' },
      { data: [], next_page: '23' },
    ]
    t.same(await all(listOf((page) => pages[Number(page ?? '1') - 1] ?? {})), ['a', 'b'])
  },
)
