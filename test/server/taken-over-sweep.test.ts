// A deletion that a killed process left unfinished is completed by another process on the same store.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { RedisConnection } from '../../server/storage/redis/redis-connection.js'
import { RedisLeases } from '../../server/storage/redis/redis-leases.js'
import { program } from '../cli/program.js'
import { scratchFolder } from '../cli/scratch.js'
import { needsPostgres, PostgresServer } from '../support/engines/postgres.js'
import { needsRedis, startRedis } from '../support/engines/redis.js'
import { onePage } from '../support/pdf/raw-pdf.js'
import { Client } from './support/client.js'
import { done, makers, runServer } from './support/running-server.js'

const env = {
  STEWARD_API_TOKEN: 'an-api-token-of-the-test',
  STEWARD_SIGNING_SECRET: Buffer.alloc(48, 1).toString('base64'),
  STEWARD_SEALING_KEY: Buffer.alloc(32, 2).toString('base64'),
}
const patienceMs = 120_000
const needed = { skip: needsPostgres.skip || needsRedis().skip }

t.test('a sweep of a killed process is continued by another one', needed, async (t) => {
  const [postgres, redis] = await Promise.all([PostgresServer.start(t), startRedis(t)])
  const store = postgres.address()
  const folder = scratchFolder(t, 'killed')
  const serve = ['serve', '--json', '--port', '0', '--data', folder, '--threads', '1']
  const child = spawn(process.execPath, [program, ...serve, '--store', store, '--redis', redis.address], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], ...env },
  })
  t.teardown(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url } = JSON.parse(line)
  const killed = new Client(url, env.STEWARD_API_TOKEN)
  await makers(killed).upload(onePage('0 0 10 10 re f'))

  // It looks for unfinished sweeps at an interval.
  await runServer(t, { env, folder, settings: { store, redis: redis.address } })
  const connection = await RedisConnection.open(redis.address)
  t.teardown(() => connection.close())
  const sweeps = async () =>
    (await postgres.sql(`select key from steward.rows where position('sweep' in encode(key, 'escape')) > 0`)).length
  // No sweep removes anything meanwhile.
  await new RedisLeases(connection).holdExclusively('removals', async () => {
    done(await killed.delete('/v1/tenants/acme'))
    child.kill('SIGKILL')
    await exited
    t.equal(await sweeps(), 1, 'the sweep is not finished')
  })
  const end = performance.now() + patienceMs
  while ((await sweeps()) > 0 && performance.now() < end) await setTimeout(200)
  t.equal(await sweeps(), 0)
})
