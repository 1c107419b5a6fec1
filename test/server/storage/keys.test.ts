// Properties of the key encoding: order, injectivity, and exact prefix ranges.
import fc from 'fast-check'
import t from 'tap'
import {
  Descending,
  decodeKey,
  descending,
  encodeKey,
  type KeyPart,
  keyBytesMax,
  prefixRange,
} from '../../../server/storage/keys.js'
import { seed } from '../../support/sample.js'

const options = { seed, numRuns: 2000 }
t.comment(`STEWARD_TEST_SEED=${seed}`)

/** Texts with characters that are difficult to encode. */
const text = fc.oneof(
  fc.string({
    unit: fc.constantFrom('\u0000', '\u0001', '\u0002', '\u00ff', 'a', 'b', 'ä', '\uffff', '\u{1f600}'),
    maxLength: 6,
  }),
  fc.string({ unit: 'binary', maxLength: 20 }),
)
const number = fc.oneof(fc.nat({ max: 3 }), fc.maxSafeNat())
const part: fc.Arbitrary<KeyPart> = fc.oneof(text, number, number.map(descending))
const tuple = fc.array(part, { maxLength: 4 })

/** Tuples of one shape, like the keys of one table. */
const pair = fc
  .array(fc.constantFrom(text, number, number.map(descending)), { maxLength: 4 })
  .chain((shape) => fc.tuple(fc.tuple(...shape), fc.tuple(...shape)))

const compareText = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

function comparePart(a: KeyPart | undefined, b: KeyPart | undefined): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return a instanceof Descending && b instanceof Descending ? b.value - a.value : Number.NaN
}

function compare(a: readonly KeyPart[], b: readonly KeyPart[]): number {
  for (const [index, part] of a.entries()) {
    const found = comparePart(part, b[index])
    if (found !== 0) return Math.sign(found)
  }
  return 0
}

const isIn = (key: Uint8Array, { from, to }: { from: Uint8Array; to: Uint8Array }) =>
  Buffer.compare(key, from) >= 0 && Buffer.compare(key, to) < 0

t.test('keys are ordered like their tuples', async () => {
  fc.assert(
    fc.property(pair, ([a, b]) => Math.sign(Buffer.compare(encodeKey(a), encodeKey(b))) === compare(a, b)),
    options,
  )
})

t.test('a key decodes to exactly its tuple, so different tuples have different keys', async (t) => {
  fc.assert(
    fc.property(tuple, (parts) => t.strictSame(decodeKey(encodeKey(parts)), parts)),
    { ...options, numRuns: 500 },
  )
})

t.test('a prefix range contains exactly the tuples that begin with the prefix', async () => {
  fc.assert(
    fc.property(tuple, tuple, tuple, (prefix, rest, other) => {
      const range = prefixRange(prefix)
      const beginsWith =
        other.length >= prefix.length && prefix.every((part, index) => comparePart(part, other[index]) === 0)
      return isIn(encodeKey([...prefix, ...rest]), range) && isIn(encodeKey(other), range) === beginsWith
    }),
    options,
  )
})

t.test('text chosen by a client cannot extend into the next part', async (t) => {
  const tricks = ['a', 'a\u0000', 'a\u0000\u0001b', 'a\u0000\u0001b\u0000', 'a\u0001b', 'ab', 'a\u0000\u00ff']
  const range = prefixRange(['row', 'a'])
  for (const trick of tricks) t.equal(isIn(encodeKey(['row', trick, 'x']), range), trick === 'a', JSON.stringify(trick))
})

t.test('bytes that the encoder cannot produce are not decoded as a key', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
      const parts = decodeKey(bytes)
      return parts === undefined || Buffer.from(encodeKey(parts)).equals(bytes)
    }),
    options,
  )
  t.equal(decodeKey(Uint8Array.of(1, 0x61)), undefined, 'an unterminated text')
  t.equal(decodeKey(Uint8Array.of(1, 0xff, 0)), undefined, 'not UTF-8')
  t.equal(decodeKey(Uint8Array.of(2, 0, 0)), undefined, 'an incomplete number')
  t.equal(decodeKey(Uint8Array.of(2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)), undefined, 'too large')
})

t.test('invalid key parts are refused', async (t) => {
  for (const part of [-1, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
    t.throws(() => encodeKey([part]), { name: 'RangeError' })
    t.throws(() => encodeKey([descending(part)]), { name: 'RangeError' })
  }
  t.throws(() => encodeKey(['\ud800']), { name: 'RangeError' }, 'a lone surrogate')
  t.throws(() => encodeKey(['x'.repeat(keyBytesMax)]), { name: 'RangeError' })
})
