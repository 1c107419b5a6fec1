// The emulator toolkit by itself, with a toy provider, over real HTTP.
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulatedProviders } from '../../../plugins/builtin-emulators.js'
import { type Emulator, type EmulatorOptions, startEmulator } from '../../../plugins/start-emulator.js'
import { toyProvider } from './toy.js'

type Json = Record<string, unknown>

async function start(test: Test, options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator({ providers: [toyProvider], ...options })
  test.teardown(() => emulator.close())
  return emulator
}

async function call(emulator: Emulator, method: string, path: string, body?: unknown, more: RequestInit = {}) {
  const response = await fetch(emulator.url + path, {
    method,
    headers: { 'x-key': 'any', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...more,
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : {}) as Json }
}

const objects = async (emulator: Emulator) =>
  (await call(emulator, 'GET', '/_emulator/objects')).body['objects'] as Json[]

t.test('an emulated API answers its routes and refuses everything else in its own error shape', async (t) => {
  const emulator = await start(t)
  const made = await call(emulator, 'POST', '/toy/v1/toys', { name: 'one' })
  t.equal(made.status, 201)
  t.match(made.body, { id: /^toy_/, name: 'one' })
  t.match(made.headers.get('x-request-id'), /^req_/)
  const read = await call(emulator, 'GET', `/toy/v1/toys/${made.body['id']}`)
  t.same(read.body, made.body)

  t.match((await call(emulator, 'GET', '/toy/v1/nowhere')).body, { wrong: 'notFound' })
  t.match(await call(emulator, 'PATCH', '/toy/v1/toys'), { status: 405, body: { wrong: 'methodNotAllowed' } })
  t.match(await call(emulator, 'GET', '/toy/v1/toys', undefined, { headers: {} }), {
    status: 401,
    body: { wrong: 'unauthorized' },
  })
})

t.test('unknown, missing and ill-typed members are refused with their path', async (t) => {
  const emulator = await start(t)
  const refused = async (body: unknown) => (await call(emulator, 'POST', '/toy/v1/toys', body)).body['message']
  t.equal(await refused({ name: 'a', colour: 'red' }), 'colour: unknown field')
  t.equal(await refused({}), 'name: field required')
  t.match(await refused({ name: 7 }), /^name: must be string/)
  t.match(await call(emulator, 'GET', '/toy/v1/toys?colour=red'), { status: 400 })
  t.match(await call(emulator, 'GET', '/toy/v1/toys?limit=1&limit=2'), { status: 400 })
  t.match(await call(emulator, 'GET', '/toy/v1/toys/toy_given?x=1'), { status: 400 })
  t.match(await call(emulator, 'POST', '/toy/v1/toys', undefined, { body: '{"name":' }), {
    status: 400,
    body: { message: 'the body is not JSON' },
  })
})

t.test('forms keep field names, folders in file names, and bytes', async (t) => {
  const emulator = await start(t)
  const form = new FormData()
  form.append('label', 'a label')
  form.append('files[]', new Blob(['# hi']), 'top/SKILL.md')
  form.append('files[]', new Blob(['x']), 'top/sub/x.txt')
  const { body } = await call(emulator, 'POST', '/toy/v1/uploads', undefined, { body: form })
  t.same(body, {
    label: 'a label',
    files: [
      { field: 'files[]', filename: 'top/SKILL.md', text: '# hi' },
      { field: 'files[]', filename: 'top/sub/x.txt', text: 'x' },
    ],
  })
  t.match(await call(emulator, 'POST', '/toy/v1/uploads', { label: 'not a form' }), { status: 400 })
})

t.test('pages are newest first and stable while objects come and go', async (t) => {
  const emulator = await start(t)
  for (let index = 0; index < 5; index++) await call(emulator, 'POST', '/toy/v1/toys', { name: `toy ${index}` })
  const first = (await call(emulator, 'GET', '/toy/v1/toys?limit=2')).body
  const names = (page: Json) => (page['data'] as Json[]).map(({ name }) => name)
  t.same(names(first), ['toy 4', 'toy 3'])
  await call(emulator, 'POST', '/toy/v1/toys', { name: 'late' })
  await call(emulator, 'DELETE', `/_emulator/objects/${(first['data'] as Json[])[1]?.['id']}`)
  const second = (await call(emulator, 'GET', `/toy/v1/toys?limit=2&page=${first['next_page']}`)).body
  t.same(names(second), ['toy 2', 'toy 1'])
  t.match(await call(emulator, 'GET', '/toy/v1/toys?page=page_made-up'), { status: 400 })
})

t.test('objects are listed without catalogues, seeded, changed and removed', async (t) => {
  const emulator = await start(t)
  t.same(await objects(emulator), [
    { provider: 'toy', kind: 'toy', id: 'toy_given', name: 'given', archived: false, seeded: true, permanent: false },
  ])
  const seeded = await call(emulator, 'POST', '/_emulator/objects', { provider: 'toy', kind: 'toy', id: 'toy_mine' })
  t.match(seeded, { status: 201, body: { id: 'toy_mine', name: 'seeded' } })
  t.match(await call(emulator, 'POST', '/_emulator/objects', { provider: 'toy', kind: 'toy', body: { colour: 1 } }), {
    status: 400,
    body: { error: 'colour: unknown field' },
  })
  t.match(await call(emulator, 'POST', '/_emulator/objects', { provider: 'toy', kind: 'cat' }), { status: 400 })

  const drifted = await call(emulator, 'PATCH', '/_emulator/objects/toy_mine', {
    name: 'drifted',
    archived_at: 'now',
    extra: { a: 1, b: 2 },
  })
  t.match(drifted.body, { name: 'drifted', archived_at: 'now' })
  t.match(
    (await objects(emulator)).find(({ id }) => id === 'toy_mine'),
    { name: 'drifted', archived: true },
  )
  const again = await call(emulator, 'PATCH', '/_emulator/objects/toy_mine', { extra: { a: null }, archived_at: null })
  t.same([again.body['extra'], again.body['archived_at']], [{ b: 2 }, null])

  t.equal((await call(emulator, 'DELETE', '/_emulator/objects/toy_mine')).status, 204)
  t.match(await call(emulator, 'GET', '/toy/v1/toys/toy_mine'), { status: 404 })
})

t.test('a reset restores initial objects, log and knobs, without reusing ids', async (t) => {
  const emulator = await start(t, { latencyMs: 1 })
  const first = (await call(emulator, 'POST', '/toy/v1/toys', { name: 'one' })).body['id']
  await call(emulator, 'PUT', '/_emulator/knobs', { latencyMs: 0, toy: { color: 'blue' } })
  const empty = { method: 'POST', headers: { 'content-type': 'application/json' } }
  t.equal((await fetch(`${emulator.url}/_emulator/reset`, empty)).status, 204, 'a type without a body is no body')
  t.equal((await call(emulator, 'POST', '/_emulator/reset')).status, 204)
  t.equal((await objects(emulator)).length, 1)
  t.same((await call(emulator, 'GET', '/_emulator/requests')).body, { requests: [] })
  t.match((await call(emulator, 'GET', '/_emulator/knobs')).body, {
    latencyMs: 1,
    providers: { toy: { color: 'red' } },
  })
  t.not((await call(emulator, 'POST', '/toy/v1/toys', { name: 'one' })).body['id'], first)
})

t.test('knobs that do not exist are refused', async (t) => {
  const emulator = await start(t)
  for (const knobs of [
    { faultRate: 1 },
    { faults: { rate: 2 } },
    { hold: { write: 0, when: 'before' } },
    { latencyMs: -1 },
    { toy: { color: 'green' } },
  ])
    t.match(await call(emulator, 'PUT', '/_emulator/knobs', knobs), { status: 400 })
  t.match(await call(emulator, 'PUT', '/_emulator/knobs', { toy: { colour: 'blue' } }), {
    status: 400,
    body: { error: 'toy.colour: no such knob; toy has color' },
  })
  t.match(await call(emulator, 'PUT', '/_emulator/knobs', { toys: {} }), {
    status: 400,
    body: { error: 'toys: no such knob and no such provider; there are faults, scans, latencyMs, hold, toy' },
  })
})

t.test('docs/emulator.md has every switch of a provider, with its initial value first', async (t) => {
  const lines = readFileSync('docs/emulator.md', 'utf8').split('\n')
  const written = lines.filter((line) => /^\| `(ark|bailian|claude|qoder)\./.test(line))
  const described = await Promise.all(Object.values(emulatedProviders).map((load) => load()))
  const rows = described.flatMap(({ provider, knobs = {} }) =>
    Object.entries(knobs).map(([name, knob]) => {
      const values: readonly unknown[] = 'enum' in knob && Array.isArray(knob.enum) ? knob.enum : [knob.default]
      t.equal(values[0], knob.default, `${provider}.${name}`)
      const shown = values.map((value) => `\`${JSON.stringify(value).replaceAll(',', ', ')}\``).join(', ')
      return `| \`${provider}.${name}\` | ${shown} | ${knob.description} |`
    }),
  )
  t.same(written.toSorted(), rows.toSorted())
})

t.test('the request log contains every request, and no secret', async (t) => {
  const emulator = await start(t)
  await call(emulator, 'POST', '/toy/v1/toys', { name: 'one', secret_value: 'hunter2' })
  await call(emulator, 'GET', '/toy/v1/toys?limit=3', undefined, {
    headers: { 'x-key': 'any', authorization: 'Bearer hunter2', 'x-other': 'seen' },
  })
  const { requests } = (await call(emulator, 'GET', '/_emulator/requests')).body as { requests: Json[] }
  t.match(requests, [
    {
      number: 1,
      provider: 'toy',
      method: 'POST',
      path: '/toys',
      status: 201,
      body: { name: 'one', secret_value: '(sensitive)' },
    },
    { number: 2, method: 'GET', query: { limit: '3' }, status: 200, headers: { 'x-other': 'seen' } },
  ])
  t.notMatch(JSON.stringify(requests), /hunter2/)
  t.equal((await call(emulator, 'DELETE', '/_emulator/requests')).status, 204)
  t.same((await call(emulator, 'GET', '/_emulator/requests')).body, { requests: [] })
})

t.test(
  'injected faults repeat with their seed; a rate limit never takes effect, a server error sometimes does',
  async (t) => {
    const run = async () => {
      const emulator = await start(t, { faultRate: 0.5, seed: 7 })
      const seen: number[] = []
      for (let index = 0; index < 40; index++) {
        const { status, headers } = await call(emulator, 'POST', '/toy/v1/toys', { name: `toy ${index}` })
        seen.push(status)
        if (status === 429) t.match(headers.get('retry-after'), /^\d+$/)
      }
      await call(emulator, 'PUT', '/_emulator/knobs', { faults: 0 })
      return { seen, made: (await objects(emulator)).length - 1 }
    }
    const first = await run()
    t.same(await run(), first)
    const count = (status: number) => first.seen.filter((each) => each === status).length
    t.ok(count(429) > 0 && count(500) > 0)
    t.ok(first.made > count(201), 'some server errors came after the effect')
    t.ok(first.made < count(201) + count(500), 'and some before')
  },
)

t.test('a dropped connection is a fault too', async (t) => {
  const emulator = await start(t)
  await call(emulator, 'PUT', '/_emulator/knobs', { faults: { rate: 1, kinds: ['drop'] } })
  await t.rejects(call(emulator, 'GET', '/toy/v1/toys'))
})

t.test('the n-th write waits before it takes effect, until another PUT of the knobs', async (t) => {
  const emulator = await start(t)
  await call(emulator, 'PUT', '/_emulator/knobs', { hold: { write: 2, when: 'before' } })
  await call(emulator, 'POST', '/toy/v1/toys', { name: 'first' })
  const second = call(emulator, 'POST', '/toy/v1/toys', { name: 'second' })
  t.match((await call(emulator, 'GET', '/_emulator/held')).body, { hold: { write: 2, seen: 2, isHeld: true } })
  t.equal((await objects(emulator)).length, 2)
  await call(emulator, 'PUT', '/_emulator/knobs', {})
  t.equal((await second).status, 201)
  t.equal((await objects(emulator)).length, 3)
})

t.test(
  'a held write whose client disconnects has no effect if held before, and its effect if held after',
  async (t) => {
    for (const [when, count] of [
      ['before', 1],
      ['after', 2],
    ] as const) {
      const emulator = await start(t)
      await call(emulator, 'PUT', '/_emulator/knobs', { hold: { write: 1, when } })
      const client = new AbortController()
      const current = call(
        emulator,
        'POST',
        '/toy/v1/toys',
        { name: 'held' },
        {
          signal: client.signal,
          headers: { 'x-key': 'any' },
          body: JSON.stringify({ name: 'held' }),
        },
      )
      await call(emulator, 'GET', '/_emulator/held')
      client.abort()
      await t.rejects(current)
      await call(emulator, 'PUT', '/_emulator/knobs', {})
      await call(emulator, 'GET', '/toy/v1/toys')
      t.equal((await objects(emulator)).length, count, when)
    }
  },
)

t.test('with a data folder a new emulator continues where the last one stopped', async (t) => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'emulator-'))
  t.teardown(() => rm(dataFolder, { recursive: true, force: true }))
  const first = await startEmulator({ providers: [toyProvider], dataFolder })
  await Promise.all([1, 2, 3].map((index) => call(first, 'POST', '/toy/v1/toys', { name: `toy ${index}` })))
  const saved = await objects(first)
  await first.close()
  const second = await start(t, { dataFolder })
  t.same(await objects(second), saved)
  const made = (await call(second, 'POST', '/toy/v1/toys', { name: 'new' })).body['id']
  t.notOk(saved.some(({ id }) => id === made))
})

t.test('an exception in a handler is reported as a bug, with its stack in the log', async (t) => {
  const emulator = await start(t)
  t.match(await call(emulator, 'GET', '/toy/v1/defect'), { status: 500, body: { message: /defect of the emulator/ } })
  const { requests } = (await call(emulator, 'GET', '/_emulator/requests')).body as { requests: Json[] }
  t.match(requests[0]?.['bug'], /TypeError: a bug in a handler/)
})

t.test('close ends streams, held requests and everything else', async (t) => {
  const emulator = await startEmulator({ providers: [toyProvider] })
  const stream = await fetch(`${emulator.url}/toy/v1/stream`, { headers: { 'x-key': 'any' } })
  const reader = stream.body?.getReader()
  const seen = Buffer.from((await reader?.read())?.value ?? []).toString()
  t.match(seen, /^: connected\n\n/, 'headers and first bytes come at once')
  await call(emulator, 'PUT', '/_emulator/knobs', { hold: { write: 1, when: 'before' } })
  const current = call(emulator, 'POST', '/toy/v1/toys', { name: 'held' }).catch(() => 'ended')
  await call(emulator, 'GET', '/_emulator/held')
  await emulator.close()
  t.equal(await current, 'ended')
  await reader?.read().catch(() => undefined)
  await t.rejects(call(emulator, 'GET', '/toy/v1/toys'))
})
