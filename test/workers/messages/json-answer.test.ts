// Threads serialise answers exactly like `JSON.stringify`, divided into runs of list items.
import fc from 'fast-check'
import t from 'tap'
import { jsonOf } from '../../../workers/messages/json-answer.js'
import { seed } from '../../support/sample.js'

const bounds = { runItems: 3, answerBytesMax: 100_000 }
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

t.test('any answer, also with undefined members, is serialised exactly like JSON.stringify', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.constant(undefined))
  const answer = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(value, fc.array(value, { maxLength: 8 }))),
  )
  const property = fc.property(answer, (answer) => text(jsonOf(answer, bounds).bytes) === JSON.stringify(answer))
  fc.assert(property, { seed })
})

t.test('runs contain all list items of the answer, in order', async (t) => {
  const answer = { first: ['ä', '"', 3, 4, 5, 6, 7].map((id) => ({ id })), note: 'x', none: [], last: [1] }
  const { bytes, runs } = jsonOf(answer, bounds)
  const found = runs.map(({ member, from, to }) => [member, JSON.parse(`[${text(bytes.subarray(from, to))}]`)])
  t.same(found, [
    ['first', answer.first.slice(0, 3)],
    ['first', answer.first.slice(3, 6)],
    ['first', answer.first.slice(6)],
    ['last', [1]],
  ])
})

t.test('an answer above the byte limit is refused', async (t) => {
  const answer = { items: Array.from({ length: 20_000 }, () => 'xxxxxxxxxx') }
  t.throws(() => jsonOf(answer, bounds), { code: 'PayloadTooLarge', details: { limit: 'answerBytesMax' } })
})
