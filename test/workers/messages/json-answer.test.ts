// The JSON that a thread makes of an answer is what `JSON.stringify` makes, and its runs are the items of its lists.
import fc from 'fast-check'
import t from 'tap'
import { jsonOf } from '../../../workers/messages/json-answer.js'
import { seed } from '../../support/sample.js'

const bounds = { runItems: 3, answerBytesMax: 100_000 }
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8')

t.test('any answer is the text that JSON.stringify makes of it, whatever is undefined in it', async () => {
  const value = fc.oneof(fc.jsonValue(), fc.constant(undefined))
  const answer = fc.oneof(
    fc.jsonValue(),
    fc.dictionary(fc.string({ unit: 'binary' }), fc.oneof(value, fc.array(value, { maxLength: 8 }))),
  )
  const property = fc.property(answer, (answer) => text(jsonOf(answer, bounds).bytes) === JSON.stringify(answer))
  fc.assert(property, { seed })
})

t.test('runs have all items of the lists of the answer, in order', async (t) => {
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

t.test('an answer of too many bytes is refused', async (t) => {
  const answer = { items: Array.from({ length: 20_000 }, () => 'xxxxxxxxxx') }
  t.throws(() => jsonOf(answer, bounds), { code: 'PayloadTooLarge', details: { limit: 'answerBytesMax' } })
})
