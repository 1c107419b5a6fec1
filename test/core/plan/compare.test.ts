// Comparison: changed leaves and their causes, from desired, observed and recorded values.
import t from 'tap'
import { absentHash } from '../../../core/plan/base.js'
import { compare } from '../../../core/plan/compare.js'
import { present } from '../../../core/plan/observation.js'
import type { FieldTable, Handler } from '../../../core/plugin/handler.js'
import { createHasher } from '../../../core/state/hashes.js'
import type { Row } from '../../../core/state/row.js'
import { outputPlaceholder, variablePlaceholder } from '../../../core/value/placeholder.js'
import type { Tree } from '../../../core/value/tree.js'

const hasher = createHasher({ salt: 'salt', derive: async (secrets) => new TextEncoder().encode(secrets) })
const plain = (value: Tree[string], unordered = false) => hasher.plain(value ?? null, { unordered })

const never = () => Promise.reject(new Error('not called'))

function handlerWith(fields: FieldTable): Handler {
  return {
    kind: 'thing',
    form: 1,
    fields,
    desired: () => ({}),
    observed: (remote) => remote,
    outputs: () => ({ id: '1' }),
    read: never,
    create: never,
    update: never,
    remove: never,
    removal: 'delete',
    replace: 'createFirst',
    lostCreate: { by: 'repeat' },
  }
}

interface Case {
  readonly fields?: FieldTable
  readonly desired: Tree
  readonly held?: Tree
  readonly leaves?: Row['leaves']
  readonly inputs?: NonNullable<Row['inputs']>
  readonly form?: number
  readonly variables?: Readonly<Record<string, string>>
  readonly outputs?: Readonly<Record<string, string>>
}

async function changes(given: Case) {
  const handler = handlerWith(given.fields ?? {})
  const result = await compare({
    handler,
    desired: given.desired,
    row: given.leaves
      ? { id: '1', form: given.form ?? 1, leaves: given.leaves, ...(given.inputs && { inputs: given.inputs }) }
      : undefined,
    found: given.held ? present(handler, '1', given.held) : undefined,
    partPolicy: 'own',
    values: {
      output: (address, name) => given.outputs?.[`${address}#${name}`],
      variables: { value: (name) => given.variables?.[name], mask: (text) => text },
    },
    hasher,
  })
  const summary = Object.fromEntries(result.changes.map(({ path, cause }) => [path, cause]))
  return { ...result, summary }
}

t.test('a leaf with the desired value does not change, whatever is recorded', async (t) => {
  t.same((await changes({ desired: { name: 'a' }, held: { name: 'a' }, leaves: { name: 'other' } })).summary, {})
})

t.test('the cause of a change follows from what was recorded', async (t) => {
  const recorded = { name: plain('old') }
  const cases = [
    { wanted: 'new', held: 'old', cause: 'intent' },
    { wanted: 'old', held: 'moved', cause: 'drift' },
    { wanted: 'new', held: 'moved', cause: 'both' },
  ]
  for (const { wanted, held, cause } of cases) {
    const { summary } = await changes({ desired: { name: wanted }, held: { name: held }, leaves: recorded })
    t.same(summary, { name: cause }, `${wanted} wanted, ${held} held`)
  }
})

t.test('a leaf that is no longer declared is removed, unless it is managed only while declared', async (t) => {
  const leaves = { 'map/key': plain('value') }
  const given = { desired: {}, held: { map: { key: 'value' } }, leaves }
  const summaries = []
  for (const owner of ['all', 'declared', 'whileDeclared'] as const)
    summaries.push((await changes({ ...given, fields: { map: { owner } } })).summary)
  t.same(summaries, [{ 'map/key': 'intent' }, { 'map/key': 'intent' }, {}])
  const declared = await changes({
    ...given,
    desired: { map: { key: 'new' } },
    fields: { map: { owner: 'whileDeclared' } },
  })
  t.same(declared.summary, { 'map/key': 'intent' })
})

t.test('normalisation by the provider at the last apply is not a change', async (t) => {
  const given = { desired: { host: 'EXAMPLE.com' }, held: { host: 'example.com' } }
  t.same((await changes({ ...given, leaves: { host: [plain('EXAMPLE.com'), plain('example.com')] } })).summary, {})
  t.same((await changes(given)).summary, { host: 'intent' }, 'without a record it is')
})

t.test('hashes of another form are not compared', async (t) => {
  const given = {
    desired: { host: 'B' },
    held: { host: 'b' },
    leaves: { host: [plain('B'), plain('b')] } as Row['leaves'],
  }
  t.same((await changes({ ...given, leaves: { host: [plain('B'), plain('b')] }, form: 0 })).summary, { host: 'intent' })
})

t.test('empty values are the same as absent ones', async (t) => {
  const desired = { a: '', b: [], c: {}, d: null }
  t.same((await changes({ desired, held: {} })).summary, {})
  t.same((await changes({ desired: {}, held: desired })).summary, {})
})

t.test('a leaf that someone added is removed, unless its map belongs to others as well', async (t) => {
  const given = { desired: { metadata: { ours: '1' } }, held: { metadata: { ours: '1', theirs: '2' } } }
  const leaves = { 'metadata/ours': plain('1') }
  t.same((await changes({ ...given, leaves })).summary, { 'metadata/theirs': 'drift' })
  t.same((await changes({ ...given, leaves, fields: { metadata: { owner: 'declared' } } })).summary, {})
})

t.test('a key that is no longer declared is removed although its map belongs to others as well', async (t) => {
  const { summary, changes: found } = await changes({
    fields: { metadata: { owner: 'declared' } },
    desired: { metadata: {} },
    held: { metadata: { ours: '1', theirs: '2' } },
    leaves: { 'metadata/ours': plain('1') },
  })
  t.same(summary, { 'metadata/ours': 'intent' })
  t.equal(found[0]?.afterHash, absentHash)
})

t.test('the order of an unordered array is no change', async (t) => {
  const given = { desired: { hosts: ['a', 'b'] }, held: { hosts: ['b', 'a'] } }
  t.same((await changes({ ...given, fields: { hosts: { unordered: true } } })).summary, {})
  t.same((await changes(given)).summary, { hosts: 'intent' })
})

t.test(
  'a write-only leaf changes with the declaration only, and is unverified while nothing is recorded',
  async (t) => {
    const fields = { content: { writeOnly: true } } as const
    const current = { name: 'a' }
    const unrecorded = await changes({ fields, desired: { name: 'a', content: 'x' }, held: current, leaves: {} })
    t.same([unrecorded.summary, unrecorded.unverified], [{}, ['content']])
    const leaves: Row['leaves'] = { content: [plain('x'), null] }
    t.same((await changes({ fields, desired: { name: 'a', content: 'x' }, held: current, leaves })).summary, {})
    t.same((await changes({ fields, desired: { name: 'a', content: 'y' }, held: current, leaves })).summary, {
      content: 'intent',
    })
    t.same(
      (await changes({ fields, desired: { name: 'a' }, held: current, leaves })).summary,
      { content: 'intent' },
      'removed',
    )
  },
)

t.test('an immutable leaf forces a replacement, but not of an object that is only created', async (t) => {
  const fields = { type: { immutable: true } } as const
  const replaced = await changes({ fields, desired: { type: 'b' }, held: { type: 'a' } })
  t.equal(replaced.changes[0]?.forcesReplacement, true)
  const created = await changes({ fields, desired: { type: 'b' } })
  t.equal(created.changes[0]?.forcesReplacement, false)
})

t.test('a leaf with a variable is sensitive on both sides and hashed with a key', async (t) => {
  const desired = { system: `use ${variablePlaceholder('TOKEN')}` }
  const { changes: found } = await changes({ desired, held: { system: 'use old' }, variables: { TOKEN: 'hunter2' } })
  t.same([found[0]?.before.type, found[0]?.after.type], ['sensitive', 'sensitive'])
  t.match(found[0]?.afterHash, /^!/)
  t.not(found[0]?.afterHash, `!${plain('use hunter2')}`)
})

t.test('a value that was sensitive stays hidden after its variable is gone from the declaration', async (t) => {
  const { changes: found } = await changes({
    desired: { system: 'plain' },
    held: { system: 'use hunter2' },
    leaves: { system: '!somehash' },
  })
  t.equal(found[0]?.before.type, 'sensitive')
})

t.test('a rotated variable is an intent, not a drift', async (t) => {
  const desired = { system: variablePlaceholder('TOKEN') }
  const first = await changes({ desired, variables: { TOKEN: 'one' } })
  const leaves = { system: first.changes[0]?.afterHash ?? '' }
  const { summary } = await changes({ desired, held: { system: 'one' }, leaves, variables: { TOKEN: 'two' } })
  t.same(summary, { system: 'intent' })
})

t.test('an unset variable is reported only when its value must be sent', async (t) => {
  const desired = { system: variablePlaceholder('TOKEN') }
  t.same((await changes({ desired })).unset, ['TOKEN'])
  const unchanged = await changes({ desired, held: { system: 'x' }, leaves: { system: '!abc' } })
  t.same([unchanged.summary, unchanged.unset], [{}, ['TOKEN']])
})

t.test('an output that is not known yet makes the leaf unknown, also as a key of a map', async (t) => {
  const id = outputPlaceholder('p.skill.review', 'id')
  const given = {
    desired: { skill: id, files: { [id]: { enabled: true } } },
    held: { skill: 's1' },
    leaves: { skill: plain('s1') },
    inputs: { 'p.skill.review#id': 's1' },
  }
  const open = await changes(given)
  t.same(Object.values(open.summary), ['dependency', 'dependency'])
  t.same(
    open.changes.map(({ after }) => after.type),
    ['unknown', 'unknown'],
  )
  const { inputs: _, ...unused } = given
  t.equal((await changes(unused)).summary['skill'], 'intent', 'what it did not use before, the declaration changed')
  const known = await changes({ ...given, outputs: { 'p.skill.review#id': 's1' } })
  t.same(known.summary, { 'files/s1/enabled': 'intent' })
})

t.test('the word for a field of a part names the part as well', async (t) => {
  const fields: FieldTable = { name: { label: 'title' } }
  const parts: NonNullable<Handler['parts']> = {
    name: 'secrets',
    fields: { 'auth/token': { label: 'access_token' } },
    policy: () => 'own',
    desired: () => ({}),
    list: async function* () {},
    key: () => '',
    id: () => '',
    observed: () => ({}),
    create: never,
    remove: never,
  }
  const key = outputPlaceholder('toy.thing.other', 'id')
  const { changes } = await compare({
    handler: { ...handlerWith(fields), parts },
    desired: { name: 'a', secrets: { one: { auth: { token: 'x' } }, [key]: { auth: { token: 'y' }, size: 1 } } },
    row: undefined,
    found: undefined,
    partPolicy: 'own',
    values: { output: () => undefined, variables: { value: () => undefined, mask: (text) => text } },
    hasher,
  })
  t.same(
    changes.map(({ label }) => label),
    ['title', 'secrets.one.access_token', 'secrets["toy.thing.other"].access_token', 'secrets["toy.thing.other"].size'],
  )
})
