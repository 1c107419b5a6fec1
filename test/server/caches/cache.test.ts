// The cache of the server: values are computed once, bounded in bytes, and never returned after they were erased.
import t from 'tap'
import { Cache } from '../../../server/caches/cache.js'

const cacheOf = (bytesMax = 100_000) => new Cache<string>({ bytesMax, bytesOf: ({ length }) => length })

t.test('a value is computed once, and again only after it was erased', async (t) => {
  const cache = cacheOf()
  const read = (content: string) => cache.compute(['layer', 7, 'text'], async () => content)
  t.same([await read('first'), await read('second')], ['first', 'first'])
  cache.clear()
  t.same([await read('third'), await read('fourth')], ['third', 'third'])
})

t.test('another version in the key is another value', async (t) => {
  const cache = cacheOf()
  for (const version of [1, 2]) await cache.compute(['layer', version], async () => `version ${version}`)
  t.same(
    [cache.get(['layer', 1]), cache.get(['layer', 2]), cache.get(['layer', 3])],
    ['version 1', 'version 2', undefined],
  )
})

t.test('a value that was being computed during an erase is returned to waiting callers only', async (t) => {
  const cache = cacheOf()
  const { promise: started, resolve: finish } = signal()
  const slow = cache.compute('key', () => started.then(() => 'before'))
  cache.clear()
  t.equal(await cache.compute('key', async () => 'after'), 'after')
  finish()
  t.equal(await slow, 'before')
  t.equal(await cache.compute('key', async () => 'again'), 'after')
})

t.test('requests of one account share one computation; those of another account do not', async (t) => {
  const cache = cacheOf()
  const { promise: started, resolve: finish } = signal()
  let runs = 0
  const work = () => {
    runs += 1
    return started.then(() => 'value')
  }
  const all = ['a', 'a', 'b'].map((account) => cache.compute('key', work, { account }))
  t.equal(runs, 2)
  finish()
  t.same(await Promise.all(all), ['value', 'value', 'value'])
})

t.test(
  'a waiting request repeats a computation that was refused for another account; other failures are shared',
  async (t) => {
    const cache = cacheOf()
    const refused = new Error('refused')
    const refusal = () => Promise.reject(refused)
    const isOfAccount = (error: unknown) => error === refused
    const first = cache.compute('key', refusal, { isOfAccount })
    const second = cache.compute('key', async () => 'value', { isOfAccount })
    await t.rejects(first, refused)
    t.equal(await second, 'value')

    const third = cache.compute('other', refusal)
    const fourth = cache.compute('other', async () => 'value')
    await t.rejects(third, refused)
    await t.rejects(fourth, refused)
    t.equal(await cache.compute('other', async () => 'value'), 'value', 'a failure is not cached')
  },
)

t.test('the sum of all values stays within the bound, and the least recently used one is evicted', async (t) => {
  const cache = cacheOf(3000)
  for (const name of ['a', 'b']) cache.set(name, 'x'.repeat(1000))
  cache.get('a')
  cache.set('c', 'x'.repeat(1000))
  t.same(
    ['a', 'b', 'c'].filter((name) => cache.get(name) !== undefined),
    ['a', 'c'],
  )
  cache.set('large', 'x'.repeat(5000))
  t.equal(cache.get('large'), undefined, 'a value larger than the bound is not cached')
})

function signal() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
