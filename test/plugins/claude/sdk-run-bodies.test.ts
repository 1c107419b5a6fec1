// The bodies that run agents, written here with the types of the official client: deployments, sessions, memories.
import { createHash } from 'node:crypto'
import t from 'tap'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import { type Beta, type Given, hidden, lastSent } from './sdk-given.js'
import { openClaude } from './subject.js'

function csv(): FormData {
  const form = new FormData()
  form.set('file', new Blob(['a;b']), 'a.csv')
  return form
}

t.test('a deployment, a session, their events, memories', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'dev', { config: { type: 'cloud' } })
  bench.declare('vault', 'keys', {})
  bench.declare('memory_store', 'notes', { description: 'Notes', entries: [{ key: 'a.md', content: 'a' }] })
  bench.declare('agent', 'reviewer', {
    model: 'claude-opus-5',
    instructions: 'Review.',
    environment: 'dev',
    budget: { amount: 2.5 },
  })
  for (const [kind, name] of [
    ['environment', 'dev'],
    ['vault', 'keys'],
    ['memory_store', 'notes'],
    ['agent', 'reviewer'],
  ] as const)
    await bench.create(kind, name)
  const store: Given<Beta['memoryStores']['create'], 0> = { name: 'notes', description: 'Notes' }
  t.strictSame(await lastSent(bench, '/memory_stores'), store)
  const memory: Given<Beta['memoryStores']['memories']['create'], 1> = { path: '/a.md', content: 'a' }
  t.strictSame(await lastSent(bench, '/memories'), memory)

  const repository = { type: 'git_repository', url: 'https://github.com/acme/shop', authorization_token: 't' }
  bench.declare('deployment', 'nightly', {
    agent: 'reviewer',
    vaults: ['keys'],
    memory_stores: ['notes'],
    resources: [{ ...repository, checkout: { branch: 'main' } }],
    initial_events: [
      { type: 'user.message', content: 'Go.' },
      { type: 'system.message', content: 'Be brief.' },
      { type: 'user.define_outcome', description: 'A report', rubric: 'It has a summary.' },
    ],
    schedule: { expression: '0 2 * * *', timezone: 'Europe/Berlin' },
  })
  await bench.create('deployment', 'nightly')
  const budget = { type: 'limit', max_list_cost: { amount: '250', currency: 'USD' } } as const
  const nightly: Given<Beta['deployments']['create'], 0> = {
    name: 'nightly',
    agent: { type: 'agent', id: bench.id('agent', 'reviewer'), version: 1 },
    environment_id: bench.id('environment', 'dev'),
    vault_ids: [bench.id('vault', 'keys')],
    initial_events: [
      { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
      { type: 'system.message', content: [{ type: 'text', text: 'Be brief.' }] },
      {
        type: 'user.define_outcome',
        description: 'A report',
        rubric: { type: 'text', content: 'It has a summary.' },
        max_iterations: 3,
      },
    ],
    resources: [
      {
        type: 'github_repository',
        url: 'https://github.com/acme/shop',
        authorization_token: hidden,
        checkout: { type: 'branch', name: 'main' },
        mount_path: '/workspace/shop',
      },
      { type: 'memory_store', memory_store_id: bench.id('memory_store', 'notes'), access: 'read_write' },
    ],
    schedule: { type: 'cron', expression: '0 2 * * *', timezone: 'Europe/Berlin' },
    budget,
  }
  t.strictSame(await lastSent(bench, '/deployments'), nightly)

  bench.declare('deployment', 'nightly', {
    agent: 'reviewer',
    vaults: [],
    initial_events: [{ type: 'user.message', content: 'Go on.' }],
    description: 'At night',
  })
  t.same(await bench.update('deployment', 'nightly'), [])
  const changed: Given<Beta['deployments']['update'], 1> = {
    description: 'At night',
    vault_ids: [],
    initial_events: [{ type: 'user.message', content: [{ type: 'text', text: 'Go on.' }] }],
    resources: [],
    schedule: null,
  }
  t.strictSame(await lastSent(bench, bench.id('deployment', 'nightly')), changed)
  bench.declare('memory_store', 'notes', { entries: [{ key: 'a.md', content: 'b' }], entries_mode: 'sync' })
  t.same(await bench.update('memory_store', 'notes'), [])
  const emptied: Given<Beta['memoryStores']['update'], 1> = { description: '' }
  t.strictSame(await lastSent(bench, bench.id('memory_store', 'notes')), emptied)
  const entry: Given<Beta['memoryStores']['memories']['update'], 1> = {
    content: 'b',
    precondition: { type: 'content_sha256', content_sha256: createHash('sha256').update('a').digest('hex') },
  }
  const [{ id: entryId } = { id: '' }] = (await bench.parts('memory_store', 'notes')).values()
  t.strictSame(await lastSent(bench, String(entryId)), entry)

  const asked: SessionRequest = { title: 'Try', vaults: ['keys'], memoryStores: ['notes'], files: [], variables: {} }
  const body = bench.sessions.request(
    bench.declaration('agent', 'reviewer'),
    asked,
    bench.scope(bench.declaration('agent', 'reviewer')),
  )
  const wanted: Given<Beta['sessions']['create'], 0> = {
    agent: bench.id('agent', 'reviewer'),
    environment_id: bench.id('environment', 'dev'),
    title: 'Try',
    vault_ids: [bench.id('vault', 'keys')],
    resources: [{ type: 'memory_store', memory_store_id: bench.id('memory_store', 'notes'), access: 'read_write' }],
    budget,
  }
  const session = await bench.sessions.create(bench.call, bench.expanded(body))
  t.strictSame(await lastSent(bench, '/sessions'), wanted)
  await bench.sessions.send(bench.call, String(session['id']), 'Hello')
  const message: Given<Beta['sessions']['events']['send'], 1> = {
    events: [{ type: 'user.message', content: [{ type: 'text', text: 'Hello' }] }],
  }
  t.strictSame(await lastSent(bench, '/events'), message)
  const answers: Given<Beta['sessions']['events']['send'], 1> = {
    events: [
      { type: 'user.tool_confirmation', tool_use_id: 'a', result: 'allow' },
      { type: 'user.tool_confirmation', tool_use_id: 'b', result: 'deny', deny_message: 'No.' },
    ],
  }
  const given = [
    { id: 'a', isAllowed: true },
    { id: 'b', isAllowed: false, message: 'No.' },
  ]
  await bench.sessions.confirm?.(bench.call, String(session['id']), given).catch(() => undefined)
  t.strictSame(await lastSent(bench, '/events'), answers)
  const { body: file } = await bench.request('POST', '/files', csv())
  await bench.sessions.attach?.(bench.call, String(session['id']), { id: String(file['id']), name: 'a.csv' })
  const mount: Given<Beta['sessions']['resources']['add'], 1> = {
    type: 'file',
    file_id: String(file['id']),
    mount_path: '/workspace/a.csv',
  }
  t.strictSame(await lastSent(bench, '/resources'), mount)
  await bench.turn({ turns: 'stay' })
  await bench.sessions.send(bench.call, String(session['id']), 'Hello')
  await bench.sessions.archive(bench.call, String(session['id']))
  const interrupt: Given<Beta['sessions']['events']['send'], 1> = { events: [{ type: 'user.interrupt' }] }
  t.strictSame(await lastSent(bench, '/events'), interrupt)
})
