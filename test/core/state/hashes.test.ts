import fc from 'fast-check'
import t from 'tap'
import { createHasher } from '../../../core/state/hashes.js'
import { canonical, type Json } from '../../../core/value/tree.js'

const ordered = { unordered: false }

/** Fast, and counts. */
function countingHasher(salt = 'salt') {
  const derived: string[] = []
  const hasher = createHasher({
    salt,
    derive: async (secrets, usedSalt) => {
      derived.push(secrets)
      return new TextEncoder().encode(`${usedSalt}:${secrets}`)
    },
  })
  return { hasher, derived }
}

t.test('equal values have equal hashes, whatever the order of their keys', async (t) => {
  const { plain } = createHasher({ salt: 's' })
  t.equal(plain([{ a: 1, b: [2] }], ordered), plain([{ b: [2], a: 1 }], ordered))
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), fc.jsonValue({ maxDepth: 2 }), (a, b) => {
      const isSameText = canonical(a as Json) === canonical(b as Json)
      return (plain(a as Json, ordered) === plain(b as Json, ordered)) === isSameText
    }),
  )
})

t.test('different texts have different hashes of eleven characters', async (t) => {
  const { plain } = createHasher({ salt: 's' })
  const hashes = new Set(Array.from({ length: 10_000 }, (_, index) => plain(`value ${index}`, ordered)))
  t.equal(hashes.size, 10_000)
  t.ok([...hashes].every((hash) => /^[\w-]{11}$/.test(hash)))
})

t.test('an unordered array is hashed as a set, an ordered one as a list', async (t) => {
  const { plain } = createHasher({ salt: 's' })
  t.equal(plain(['b', 'a', 'b'], { unordered: true }), plain(['a', 'b'], { unordered: true }))
  t.not(plain(['b', 'a'], ordered), plain(['a', 'b'], ordered))
  t.equal(
    plain([{ x: 1, y: 2 }, 'a'], { unordered: true }),
    plain(['a', { y: 2, x: 1 }], { unordered: true }),
    'members may be objects',
  )
})

t.test('a keyed hash depends on the value, the secrets and the salt', async (t) => {
  const { hasher } = countingHasher()
  const hash = await hasher.keyed('Bearer one', { unordered: false, secrets: ['one'] })
  t.equal(await hasher.keyed('Bearer one', { unordered: false, secrets: ['one'] }), hash)
  t.not(await hasher.keyed('Bearer two', { unordered: false, secrets: ['one'] }), hash)
  t.not(await hasher.keyed('Bearer one', { unordered: false, secrets: ['one', 'more'] }), hash)
  t.not(hasher.plain('Bearer one', ordered), hash)
  const { hasher: elsewhere } = countingHasher('another salt')
  t.not(await elsewhere.keyed('Bearer one', { unordered: false, secrets: ['one'] }), hash)
})

t.test('a key is derived once for a distinct set of secrets, however many leaves ask at once', async (t) => {
  const { hasher, derived } = countingHasher()
  const sets = [['a'], ['b'], ['a', 'b'], ['b', 'a', 'a']]
  await Promise.all(
    Array.from({ length: 400 }, (_, index) =>
      hasher.keyed(`leaf ${index}`, { unordered: false, secrets: sets[index % sets.length] ?? [] }),
    ),
  )
  t.strictSame([...derived].sort(), ['["a","b"]', '["a"]', '["b"]'])
})

t.test('an unordered array that contains a secret is hashed as a set too', async (t) => {
  const { hasher } = countingHasher()
  const options = { unordered: true, secrets: ['a'] }
  t.equal(await hasher.keyed(['b', 'a'], options), await hasher.keyed(['a', 'b'], options))
})

t.test('the key is derived by a function that is slow on purpose', async (t) => {
  const startedAtMs = performance.now()
  const hash = await createHasher({ salt: 'salt' }).keyed('x', { unordered: false, secrets: ['x'] })
  t.ok(performance.now() - startedAtMs > 5, 'a guess costs milliseconds')
  t.equal(hash, await createHasher({ salt: 'salt' }).keyed('x', { unordered: false, secrets: ['x'] }))
  t.not(hash, await createHasher({ salt: 'pepper' }).keyed('x', { unordered: false, secrets: ['x'] }))
})
