// Identities and channels of Qoder's forward API, against the emulator.
import t from 'tap'
import { isObject } from '../../../core/value/tree.js'
import { projectOf } from '../declared.js'
import type { Workbench } from '../workbench.js'
import { openForward } from './subject.js'

const person = { external_id: 'user-1', name: 'A person', enabled: true, metadata: { tier: 'gold', team: 'data' } }
const credentials = { client_id: 'ding-1', client_secret: 'very_secret' }
const fixed = { type: 'dingtalk', agent: 'front', identity: 'me', name: 'Front desk', credentials } as const
const pairing = { type: 'wecom', mode: 'pairing', credentials: { bot_id: 'bot-1', secret: 'also_secret' } } as const

async function withAgent(t: Parameters<typeof openForward>[0]): Promise<Workbench> {
  const bench = await openForward(t)
  bench.declare('environment', 'box', {})
  for (const name of ['front', 'back'])
    bench.declare('agent', name, {
      model: 'auto',
      instructions: 'Help.',
      environment: 'box',
      delivery: { qoder: { type: 'forward' } },
    })
  bench.declare('identity', 'me', person)
  bench.declare('identity', 'other', { external_id: 'user-2' })
  bench.declare('channel', 'desk', fixed)
  bench.declare('channel', 'group', pairing)
  await bench.create('environment', 'box')
  for (const name of ['front', 'back']) await bench.create('agent', name)
  for (const name of ['me', 'other']) await bench.create('identity', name)
  for (const name of ['desk', 'group']) await bench.create('channel', name)
  return bench
}

t.test('2.2 an identity just created needs no change', async (t) => {
  const bench = await withAgent(t)
  t.same(await bench.drift('identity', 'me'), [])
  t.same(await bench.drift('identity', 'other'), [])
  t.match(bench.remote('identity', 'other'), { name: 'other', enabled: true })
  t.equal((await bench.listed('identity')).length, 2)
})

t.test('2.2 every field of an identity can be changed and cleared', async (t) => {
  const bench = await withAgent(t)
  const changes = [
    { ...person, external_id: 'user-9' },
    { ...person, name: 'Somebody' },
    { ...person, name: undefined },
    { ...person, enabled: false },
    { ...person, metadata: { tier: 'silver' } },
    { ...person, metadata: undefined },
    person,
  ]
  for (const body of changes) {
    bench.declare('identity', 'me', body)
    t.not((await bench.drift('identity', 'me')).length, 0, 'the plan shows the change')
    t.same(await bench.update('identity', 'me'), [], 'the second plan is empty')
  }
  const id = bench.id('identity', 'me')
  await bench.change(id, { name: 'by hand', metadata: { stranger: 'yes' } })
  t.same(await bench.drift('identity', 'me'), ['metadata/stranger', 'name'])
  t.same(await bench.update('identity', 'me'), [])
  t.strictSame((await bench.sent('POST', id)).at(-1), {
    name: 'A person',
    metadata: { tier: 'gold', team: 'data', stranger: '' },
  })
})

t.test('an identity is found by its external id, never by its name', async (t) => {
  const bench = await withAgent(t)
  const { lostCreate } = bench.handler('identity')
  const desired = { external_id: 'user-1', name: 'A person' }
  if (lostCreate.by !== 'match') return t.fail('identities carry no mark')
  t.equal(lostCreate.matches(bench.remote('identity', 'me'), desired), true)
  t.equal(lostCreate.matches({ external_id: 'user-3', name: 'A person' }, desired), false)
  bench.declare('identity', 'twin', { external_id: 'user-1' })
  await t.rejects(bench.create('identity', 'twin'), { class: 'nameTaken', code: 'external_id_taken' })
})

t.test('2.3 a channel just created needs no change', async (t) => {
  const bench = await withAgent(t)
  t.same(await bench.drift('channel', 'desk'), [])
  t.same(await bench.drift('channel', 'group'), [])
  t.match(bench.remote('channel', 'desk'), {
    channel_type: 'dingtalk',
    name: 'Front desk',
    identity_id: bench.id('identity', 'me'),
    template_id: bench.id('agent', 'front'),
  })
  t.match(bench.remote('channel', 'group'), {
    name: 'group',
    identity_resolution: { mode: 'pairing' },
    identity_id: null,
  })
  const [first, second] = await bench.sent('POST', '/channels')
  t.notOk('identity_resolution' in (first ?? {}), 'a fixed channel has no identity lookup')
  t.notOk('identity_id' in (second ?? {}))
})

t.test('2.3 a fixed channel without an identity has the default one', async (t) => {
  const bench = await withAgent(t)
  const { identity: _identity, ...body } = fixed
  const declaration = bench.declare('channel', 'desk', body)
  const scope = {
    provider: 'qoder',
    api: 'forward',
    project: { ...projectOf([declaration]), defaults: { identity: 'other' } },
    output: (kind: string, name: string) => `${kind} ${name}`,
    source: () => t.fail('channels have no source') as never,
  }
  const desired = bench.handler('channel').desired(declaration, scope)
  t.match(desired, { identity_id: 'identity other', template_id: 'agent front' })
})

t.test('2.3 mutable members of a channel are changed in place', async (t) => {
  const bench = await withAgent(t)
  const id = bench.id('channel', 'desk')
  const changes = [
    { ...fixed, name: 'Renamed' },
    { ...fixed, name: undefined },
    { ...fixed, enabled: false },
    { ...fixed, agent: 'back' },
    { ...fixed, identity: 'other' },
    { ...fixed, options: { include_thinking: true, style: 'short' } },
    fixed,
  ]
  for (const body of changes) {
    bench.declare('channel', 'desk', body)
    t.not((await bench.drift('channel', 'desk')).length, 0, 'the plan shows the change')
    t.same(await bench.update('channel', 'desk'), [], 'the second plan is empty')
  }
  t.equal(bench.id('channel', 'desk'), id)
  await bench.change(id, { enabled: false, channel_config: { response_options: { include_thinking: true } } })
  t.same(await bench.drift('channel', 'desk'), ['enabled', 'response_options/include_thinking'])
  t.same(await bench.update('channel', 'desk'), [])
})

t.test('2.3 another type or mode replaces the channel, and the former one is removed first', async (t) => {
  const bench = await withAgent(t)
  const { fields, replace } = bench.handler('channel')
  for (const path of ['channel_type', 'mode']) t.match(fields[path], { immutable: true }, path)
  t.equal(replace, 'deleteFirst')
  await bench.remove('channel', 'desk')
  t.strictSame(await bench.listed('channel'), [bench.id('channel', 'group')])
})

t.test('credentials of a channel are sent when they change, and never returned', async (t) => {
  const bench = await withAgent(t)
  t.match(bench.handler('channel').fields['credentials'], { secret: true, writeOnly: true })
  const id = bench.id('channel', 'desk')
  const request = {
    id,
    desired: { credentials: { ...credentials, client_secret: 'rotated' }, response_options: {}, name: 'Front desk' },
    observed: {},
    remote: {},
    changes: [{ path: 'credentials/client_secret', before: undefined, after: 'rotated' }],
    sources: new Map(),
  }
  await bench.handler('channel').update?.(bench.call, request)
  t.strictSame((await bench.sent('POST', id)).at(-1), {
    channel_config: { credentials: { client_id: 'ding-1', client_secret: '(sensitive)' } },
  })
  const everything = JSON.stringify([
    (await bench.request('GET', '/channels')).body,
    (await bench.request('GET', '/_emulator/requests')).body,
    (await bench.request('GET', '/_emulator/objects')).body,
  ])
  t.match(everything, /Front desk/)
  t.notMatch(everything, /very_secret|also_secret|rotated/)
})

t.test('credentials that another channel uses are reported as such', async (t) => {
  const bench = await withAgent(t)
  bench.declare('channel', 'copy', { ...fixed, name: 'Copy' })
  await t.rejects(bench.create('channel', 'copy'), { class: 'nameTaken', code: 'CHANNEL_CREDENTIAL_CONFLICT' })
  const { lostCreate } = bench.handler('channel')
  if (lostCreate.by !== 'match') return t.fail('channels carry no mark')
  const made = bench.remote('channel', 'desk')
  t.equal(lostCreate.matches(made, { channel_type: 'dingtalk', name: 'Front desk' }), true)
  t.equal(lostCreate.matches(made, { channel_type: 'feishu', name: 'Front desk' }), false)
})

t.test('an identity used by a channel cannot be removed', async (t) => {
  const bench = await withAgent(t)
  await t.rejects(bench.remove('identity', 'me'), { class: 'inUse', code: 'identity_in_use' })
  await bench.remove('channel', 'desk')
  await bench.remove('identity', 'me')
  const external = await bench.seed('identity', { external_id: 'somebody' }, { api: 'forward' })
  const found = await bench.handler('identity').read(bench.call, external)
  t.ok(isObject(found) && found['external_id'] === 'somebody', '2.2 an external identity can be verified')
})
