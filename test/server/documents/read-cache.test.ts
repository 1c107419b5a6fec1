// What is kept of reads, and that nothing of it is answered once it was thrown away.
import t from 'tap'
import { ReadCache } from '../../../server/caches/read-cache.js'
import { Metrics } from '../../../server/telemetry/metrics.js'

const ingredients = { scope: ['layer'], parts: ['text'], account: '' }
const made = (content: string) => ({ contentType: 'text/plain', bytes: Buffer.from(content) })

t.test('what was made is answered again; what was thrown away is made anew', async (t) => {
  const cache = new ReadCache(new Metrics())
  const read = async (content: string) => `${(await cache.get(ingredients, async () => made(content))).bytes}`
  t.same([await read('first'), await read('second')], ['first', 'first'])
  cache.clear()
  t.same([await read('third'), await read('fourth')], ['third', 'third'])
})

t.test('what was being made when the cache was cleared reaches only those who waited for it', async (t) => {
  const cache = new ReadCache(new Metrics())
  let finish = () => {}
  const slow = cache.get(ingredients, async () => {
    await new Promise<void>((done) => {
      finish = done
    })
    return made('before')
  })
  cache.clear()
  const after = cache.get(ingredients, async () => made('after'))
  t.equal(`${(await after).bytes}`, 'after')
  finish()
  t.equal(`${(await slow).bytes}`, 'before')
  t.equal(`${(await cache.get(ingredients, async () => made('again'))).bytes}`, 'after')
})
