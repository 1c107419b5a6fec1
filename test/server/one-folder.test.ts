// Several servers on one data folder whose records and files are elsewhere, and the folder after them.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { needsRedis, startRedis } from '../support/engines/redis.js'
import { needsEngines, startRestoring } from './support/restoring.js'

const needsAll = { skip: needsEngines.skip || needsRedis().skip }

t.test('servers with records and files elsewhere share a folder', { ...needsAll, timeout: 580_000 }, async (t) => {
  const { folder, run, engines, serving, downloads } = await startRestoring(t)
  const redis = await startRedis(t)
  const shared = (name: string) => [...engines(name), '--redis', redis.address]

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
})
