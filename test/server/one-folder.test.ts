// Several servers on one data folder whose records and files are elsewhere, and the folder after them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { printed, records, start } from '../cli/program.js'
import { needsRedis, startRedis } from '../support/engines/redis.js'
import { needsEngines, startRestoring } from './support/restoring.js'

const needsAll = { skip: needsEngines.skip || needsRedis().skip }

t.test('servers with records and files elsewhere share a folder', { ...needsAll, timeout: 580_000 }, async (t) => {
  const { folder, options, run, engines, serving, downloads } = await startRestoring(t)
  const redis = await startRedis(t)
  const shared = (name: string) => [...engines(name), '--redis', redis.address]
  const serve = async (...words: readonly string[]) => {
    const running = start(['serve', '--port', '0', '--threads', '1', '--json', ...words], options)
    t.teardown(() => running.child.kill('SIGKILL'))
    await printed(running, 'stdout', '"url"')
    return running
  }

  await t.test('several processes become one, and leave a folder to restore with', async (t) => {
    const data = ['--data', 'several']
    t.equal((await run('documents', 'restore', 'backup-1', ...data, ...engines('several'))).code, 0)
    await serving([...data, ...shared('several'), '--processes', '2'], () => downloads(t, 'several'))
    t.match(readdirSync(join(folder, 'several')), ['format.json', 'process-0', 'process-1', 'secrets.json'])
    await serving([...data, ...shared('several'), '--processes', '1'], () => downloads(t, 'several'))
    t.equal((await run('documents', 'restore', 'backup-1', ...data, ...engines('new'))).code, 0)
    await serving([...data, ...shared('new')], () => downloads(t, 'several'))
  })

  await t.test('so does a folder that an earlier release did not lay out', async (t) => {
    for (const name of ['process-0', 'process-1']) mkdirSync(join(folder, 'earlier', name), { recursive: true })
    writeFileSync(join(folder, 'earlier/server.json'), '{}')
    const words = ['--data', 'earlier', ...engines('earlier')]
    t.equal((await run('documents', 'restore', 'backup-1', ...words)).code, 0)
    await serving([...words, '--processes', '1'], () => downloads(t, 'earlier'))
  })

  await t.test('a server takes nothing from another one', async (t) => {
    const words = ['--data', 'shared', ...shared('shared')]
    t.equal((await run('documents', 'restore', 'backup-1', ...words.slice(0, -2))).code, 0)
    const running = await serve(...words)
    const copies = () => readdirSync(join(folder, 'shared/blob-copies'), { recursive: true, encoding: 'utf8' }).sort()
    const staging = join(folder, 'shared/workshop', readdirSync(join(folder, 'shared/workshop'))[0] ?? '')
    t.equal((await run('documents', 'text', 'a', '--data', 'shared')).code, 0)
    const before = copies()
    t.ok(before.length > 1, 'the file was copied')
    const { stdout } = await run('serve', '--port', '0', '--data', 'shared')
    t.match(records(stdout), [{ code: 'serve.data-unfit', detail: /A server with --store uses/ }])
    t.notOk(existsSync(join(folder, 'shared/store')))
    const second = await serve(...words)
    t.ok(
      before.every((name) => copies().includes(name)),
      'the copies of the first server',
    )
    t.ok(existsSync(staging))
    const announced = join(folder, 'shared/server.json')
    for (const { child, ended } of [running, second]) {
      t.equal(JSON.parse(readFileSync(announced, 'utf8')).pid, second.child.pid, 'the server that started last')
      child.kill('SIGTERM')
      await ended
    }
    t.notOk(existsSync(announced))
    await serving(['--data', 'shared'], async () => {})
  })
})
