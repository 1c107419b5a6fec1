// Removal of members that a loose schema does not know, at any depth.
import t from 'tap'
import { type TSchema, Type } from 'typebox'
import { Check, Clean } from 'typebox/value'
import { cleanerOf } from '../../../server/http/cleaner.js'
import { findOpContract } from '../../../workers/contract/ops/index.js'
import { ReadOnly } from '../../../workers/contract/read-only.js'

const Place = Type.Object({ kind: Type.Literal('page'), page: Type.Object({ number: Type.Integer() }) })
const Name = Type.Object({ kind: Type.Literal('name'), name: Type.String() })
const more = { added: 1 }

t.test('unknown members are removed at every depth', async (t) => {
  const schema = Type.Object({ at: Place, all: Type.Array(Name), by: Type.Record(Type.String(), Name) })
  const at = { kind: 'page', page: { number: 1 } }
  const name = { kind: 'name', name: 'x' }
  const value = {
    ...more,
    at: { ...at, ...more, page: { number: 1, ...more } },
    all: [{ ...name, ...more }],
    by: { a: { ...name, ...more } },
  }
  const before = structuredClone(value)
  t.strictSame(cleanerOf(schema)(value), { at, all: [name], by: { a: name } })
  t.strictSame(value, before, 'what came is left as it is')
})

t.test('in a union, the variant that accepts a value decides which members are kept', async (t) => {
  const Loose = Type.Union([Type.Null(), Place, Name, Type.Array(Name), Type.Literal('first')])
  const clean = cleanerOf(Type.Object({ one: Loose }))
  const cases: readonly (readonly [unknown, unknown])[] = [
    [null, null],
    ['first', 'first'],
    [
      { kind: 'name', name: 'x', page: { number: 1 } },
      { kind: 'name', name: 'x' },
    ],
    [
      { kind: 'page', page: { number: 1, ...more }, name: 'x' },
      { kind: 'page', page: { number: 1 } },
    ],
    [[{ kind: 'name', name: 'x', ...more }], [{ kind: 'name', name: 'x' }]],
  ]
  for (const [given, retained] of cases) t.strictSame(clean({ one: given }), { one: retained })
})

t.test('if several variants accept a value, the one with more of its members is used', async (t) => {
  const Short = Type.Object({ a: Type.Integer() })
  const Long = Type.Object({ a: Type.Integer(), b: Type.Integer() })
  t.strictSame(cleanerOf(Type.Union([Short, Long]))({ a: 1, b: 2, ...more }), { a: 1, b: 2 })
})

t.test('an explicitly open schema keeps members that it does not name', async (t) => {
  const schema = Type.Object({ at: Place }, { additionalProperties: true })
  const value: unknown = JSON.parse('{"at":{"kind":"page","page":{"number":1},"added":1},"__proto__":{"a":1}}')
  const retained: unknown = JSON.parse('{"at":{"kind":"page","page":{"number":1}},"__proto__":{"a":1}}')
  t.strictSame(JSON.stringify(cleanerOf(schema)(value)), JSON.stringify(retained))
})

t.test('read-only members are removed, in a strict schema too', async (t) => {
  const schema = Type.Object({ name: Type.String(), size: ReadOnly }, { additionalProperties: false })
  t.strictSame(cleanerOf(schema)({ name: 'x', size: 3 }), { name: 'x' })
})

t.test('the same members of ops are removed as by Clean of the library', async (t) => {
  const page = { kind: 'objectNumber', objectNumber: 3, ...more }
  const ref = { kind: 'objectNumber', page, objectNumber: 9, ...more }
  const rect = { x: 1, y: 2, width: 3, height: 4, ...more }
  const data = { subtype: 'square', rect, color: '#ff0000', reply: { to: ref, type: 'reply' } }
  const ops = [
    { type: 'annotations.create', page, data },
    { type: 'annotations.delete', ref, expect: { rect } },
    { type: 'annotations.reorder', page, refs: [ref], position: { before: ref } },
    {
      type: 'forms.setValue',
      field: { kind: 'objectNumber', objectNumber: 4, ...more },
      value: { value: 'x' },
    },
  ]
  for (const op of ops) {
    const schema: TSchema | undefined = findOpContract(op.type)?.op
    if (schema === undefined) return t.fail(`The op ${op.type} has no schema`)
    t.ok(Check(schema, op), `${op.type} sample is valid`)
    t.strictSame(cleanerOf(schema)(op), Clean(schema, structuredClone(op)), op.type)
  }
})
