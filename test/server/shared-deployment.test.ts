import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { limits } from '../../server/limits.js'
import { records } from '../cli/program.js'
import { needsEngines, startSharing } from './support/sharing.js'

t.test('servers on one database and their Redis', { ...needsEngines, timeout: 580_000 }, async (t) => {
  const { postgres, redis, otherRedis, run, words, serve, stop, refusal } = await startSharing(t)
  const other = { code: 'serve.other-redis' }

  await t.test('without Redis there may be one', async (t) => {
    const store = ['--store', postgres.address('alone')]
    const first = await serve(...words('alone', ...store))
    const [second, third, copied] = await Promise.all([
      refusal(...words('alone', ...store)),
      refusal(...words('alone', ...store, '--redis', redis.address)),
      run('store', 'copy', '--from', postgres.address('alone'), '--to', 'copied'),
    ])
    t.match(second, { ...other, detail: /this one has no --redis/ })
    t.match(third, { ...other, detail: /another Redis, or through none/ })
    t.match(records(copied.stdout), [{ code: 'documents.copy-refused', detail: /A server runs on postgres/ }])
    await stop(first)
    const killed = await serve(...words('alone', ...store))
    killed.child.kill('SIGKILL')
    await stop(await serve(...words('alone', ...store, '--redis', redis.address)))
    t.equal((await run('store', 'copy', '--from', postgres.address('alone'), '--to', 'copied')).code, 0)
  })

  await t.test('all have the same Redis, also after it lost its data', async (t) => {
    const store = ['--store', postgres.address('several'), '--redis']
    const here = words('several', ...store, redis.address)
    const [first, second] = await Promise.all([serve(...here), serve(...here)])
    const client = new Redis(redis.address)
    await client.flushall()
    const third = await serve(...here)
    await client.flushall()
    client.disconnect()
    t.match(await refusal(...words('several', ...store, otherRedis.address)), other)
    for (const one of [first, second, third]) await stop(one)
    await stop(await serve(...words('several', ...store, otherRedis.address)))
  })

  await t.test('a lost Redis admits neither another server nor a copy', async (t) => {
    const store = ['--store', postgres.address('lost')]
    const first = await serve(...words('lost', ...store, '--redis', otherRedis.address))
    await otherRedis.stop()
    await sleep(limits.processGoneMs + 2000)
    const [second, copied] = await Promise.all([
      refusal(...words('lost', ...store)),
      run('store', 'copy', '--from', postgres.address('lost'), '--to', 'copied-lost'),
    ])
    t.match(second, other)
    t.match(records(copied.stdout), [{ code: 'documents.copy-refused', detail: /A server runs on postgres/ }])
    await otherRedis.start()
    await stop(first)
  })
})
