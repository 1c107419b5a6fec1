// Renames detected by members that identify an object besides its name.
import t from 'tap'
import type { Resource } from '../../../core/graph/resource.js'
import { findMoves } from '../../../core/plan/moves.js'
import type { Handler } from '../../../core/plugin/handler.js'
import { createHasher } from '../../../core/state/hashes.js'
import type { Row } from '../../../core/state/row.js'
import { variablePlaceholder } from '../../../core/value/placeholder.js'
import type { Tree } from '../../../core/value/tree.js'

const hasher = createHasher({ salt: 'salt', derive: async (secrets) => new TextEncoder().encode(secrets) })
const never = () => Promise.reject(new Error('not called'))
const handler: Handler = {
  kind: 'thing',
  form: 1,
  fields: {},
  desired: () => ({}),
  observed: (remote) => remote,
  outputs: () => ({ id: '1' }),
  read: never,
  create: never,
  remove: never,
  removal: 'delete',
  replace: 'createFirst',
  lostCreate: { by: 'repeat' },
  identifiedBy: () => ['number'],
}

function resource(name: string, desired: Tree, changed: Partial<Handler> = {}): readonly [string, Resource] {
  const address = `acme.thing.${name}`
  const declaration = {
    kind: 'thing',
    name,
    body: {},
    providers: { names: ['acme'], by: 'default' as const },
    sources: new Map(),
  }
  return [
    address,
    {
      address,
      provider: 'acme',
      kind: 'thing',
      name,
      api: '',
      declaration,
      handler: { ...handler, ...changed },
      desired,
      follows: [],
      removeAfter: [],
      dependencies: new Set(),
    },
  ]
}

function row(name: string, number: string, more: Partial<Row> = {}): readonly [string, Row] {
  const leaves = { number: hasher.plain(number, { unordered: false }) }
  return [`acme.thing.${name}`, { id: `id-of-${name}`, form: 1, leaves, ...more }]
}

async function moved(
  resources: readonly (readonly [string, Resource])[],
  rows: readonly (readonly [string, Row])[],
): Promise<Readonly<Record<string, string>>> {
  const wanted = new Map(resources)
  const moves = await findMoves({
    resources: wanted,
    rows: new Map(rows),
    isDeclared: (address) => wanted.has(address),
    values: {
      output: () => undefined,
      variables: { value: (name) => (name === 'NUMBER' ? '7' : undefined), mask: (text) => text },
    },
    hasher,
  })
  for (const [to, from] of moves.from) {
    t.equal(moves.rows.get(to)?.id, new Map(rows).get(from)?.id)
    t.notOk(moves.rows.has(from))
  }
  return Object.fromEntries(moves.from)
}

t.test('a new declaration takes over an undeclared row with the same identifying values', async (t) => {
  t.same(await moved([resource('new', { number: '7', name: 'new' })], [row('old', '7'), row('other', '8')]), {
    'acme.thing.new': 'acme.thing.old',
  })
})

t.test('declared, unfinished and external rows, and rows of another form or API, are not moved', async (t) => {
  const wanted = resource('new', { number: '7' })
  t.same(await moved([wanted, resource('old', { number: '7' })], [row('old', '7')]), {})
  for (const more of [
    { operation: { type: 'removal' } },
    { form: 2 },
    { api: 'forward' },
    { ownership: 'external' },
    { id: null },
  ] as const)
    t.same(await moved([wanted], [row('old', '7', more)]), {})
})

t.test('with two candidates, no row is moved', async (t) => {
  t.same(await moved([resource('new', { number: '7' })], [row('a', '7'), row('b', '7')]), {})
})

t.test('a resource without a match, or with an unknown or missing identity, is a new one', async (t) => {
  t.same(await moved([resource('new', {})], [row('old', '7')]), {})
  t.same(await moved([resource('new', { number: variablePlaceholder('UNSET') })], [row('old', '7')]), {})
  t.same(await moved([resource('new', { number: '7' }, { identifiedBy: () => [] })], [row('old', '7')]), {})
})
