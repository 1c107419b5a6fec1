// Servers on one database that have not the same Redis or not the same files are refused; so is a copy of rows that are served.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis } from 'ioredis'
import t from 'tap'
import { limits } from '../../server/limits.js'
import { agents, printed, records, start } from '../cli/program.js'
import { scratchFolder } from '../cli/scratch.js'
import { needsPostgres, PostgresServer } from '../support/engines/postgres.js'
import { needsRedis, startRedis } from '../support/engines/redis.js'
import { onePage } from '../support/pdf/raw-pdf.js'

const skip = needsPostgres.skip || needsRedis().skip

t.test('servers on one database', { skip, timeout: 280_000 }, async (t) => {
  const postgres = await PostgresServer.start(t)
  const [redis, otherRedis] = [await startRedis(t), await startRedis(t)]
  const folder = scratchFolder(t)
  const run = (...words: readonly string[]) => agents([...words, '--json'], { folder })
  const words = (data: string, ...more: readonly string[]) => ['--port', '0', '--threads', '1', '--data', data, ...more]
  const serve = async (...flags: readonly string[]) => {
    const running = start(['serve', '--json', ...flags], { folder })
    t.teardown(() => running.child.kill('SIGKILL'))
    await printed(running, 'stdout', '\n')
    return running
  }
  const stop = async ({ child, ended }: Awaited<ReturnType<typeof serve>>) => {
    child.kill('SIGTERM')
    const { code, stderr } = await ended
    t.equal(code, 0, stderr.slice(-800))
  }
  const refusal = async (...flags: readonly string[]) => {
    const { stdout } = await run('serve', ...flags)
    return records(stdout)[0]
  }
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

  await t.test('the files of a folder go where the rows were copied', async (t) => {
    writeFileSync(join(folder, 'a.pdf'), onePage('0 0 10 10 re f'))
    const store = postgres.address('moved')
    let copies = 0
    const isServed = async (...flags: readonly string[]) => {
      const server = await serve(...words('files', ...flags))
      const { code, stdout } = await run('documents', 'download', 'a', '--out', `${copies++}.pdf`, '--data', 'files')
      t.equal(code, 0, stdout)
      await stop(server)
    }
    const server = await serve(...words('files'))
    t.equal((await run('documents', 'upload', 'a.pdf', '--id', 'a', '--data', 'files')).code, 0)
    await stop(server)
    t.equal((await run('store', 'copy', '--from', 'files', '--to', store)).code, 0)
    await isServed('--store', store)
    t.match(await refusal(...words('files')), { code: 'serve.other-files', detail: /--store names none/ })
    rmSync(join(folder, 'files/store'), { recursive: true })
    t.equal((await run('store', 'copy', '--from', store, '--to', 'files')).code, 0)
    await isServed()
    t.match(await refusal(...words('files', '--store', store)), { code: 'serve.other-files' })
    await isServed('--store', store, '--accept-moved-files')
    const copy = postgres.address('copied')
    t.equal((await run('store', 'copy', '--from', store, '--to', copy)).code, 0)
    await isServed('--store', copy)
    t.match(await refusal(...words('files', '--store', store)), { code: 'serve.other-files' })
    t.match(await refusal(...words('files')), { code: 'serve.other-files' })
    await isServed('--accept-moved-files')
  })

  await t.test('files that a database does not know are neither served nor removed', async (t) => {
    const upload = async () => t.equal((await run('documents', 'upload', 'a.pdf', '--data', 'known')).code, 0)
    const files = () => readdirSync(join(folder, 'known/blobs'), { recursive: true }).filter(isPdf)
    const server = await serve(...words('known'))
    await upload()
    const fresh = ['--store', postgres.address('fresh')]
    t.match(await refusal(...words('known', ...fresh)), { code: 'serve.other-files', detail: /no record of the data/ })
    await stop(server)
    t.match(await refusal(...words('known', ...fresh)), { code: 'serve.other-files', detail: /no record of the data/ })
    t.equal(files().length, 1)
    await stop(await serve(...words('known')))
    t.equal((await run('store', 'copy', '--from', 'known', '--to', postgres.address('known'))).code, 0)
    const other = await serve(...words('known', '--store', postgres.address('known')))
    t.match(await refusal(...words('known')), { code: 'serve.other-files' })
    await upload()
    t.equal(files().length, 2, 'the refused start has left the running server alone')
    await stop(other)
  })

  await t.test('of two copies of one database, one has the files', async (t) => {
    const [source, one, two] = ['source', 'one', 'two'].map((name) => postgres.address(name))
    const first = await serve(...words('split', '--store', source ?? ''))
    t.equal((await run('documents', 'upload', 'a.pdf', '--data', 'split')).code, 0)
    await stop(first)
    for (const copy of [one, two])
      t.equal((await run('store', 'copy', '--from', source ?? '', '--to', copy ?? '')).code, 0)
    const starts = [one, two].map((copy) =>
      start(['serve', '--json', ...words('split', '--store', copy ?? '')], { folder }),
    )
    for (const { child } of starts) t.teardown(() => child.kill('SIGKILL'))
    const outcomes = await Promise.all(
      starts.map((running) =>
        Promise.race([printed(running, 'stdout', '"url"').then(() => running), running.ended.then(() => undefined)]),
      ),
    )
    const serving = outcomes.filter((running) => running !== undefined)
    t.equal(serving.length, 1)
    for (const running of serving) await stop(running)
  })
})

const isPdf = (name: string | Buffer): boolean => String(name).endsWith('.pdf')
