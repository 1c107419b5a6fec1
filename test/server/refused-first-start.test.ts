// A first start that is refused leaves the database to the next one, whatever settings that has.
import { PutObjectCommand } from '@aws-sdk/client-s3'
import t from 'tap'
import { records } from '../cli/program.js'
import { needsEngines, startRestoring } from './support/restoring.js'

t.test('a refused first start on engines', { ...needsEngines, timeout: 300_000 }, async (t) => {
  const { postgres, client, run, engines, keysBelow, serving, downloads } = await startRestoring(t)
  const restored = await run('documents', 'restore', 'backup-1', '--data', 'other', ...engines('other'))
  t.equal(restored.code, 0, restored.stdout + restored.stderr)
  const otherFiles = engines('other').slice(2)
  const keysOfOther = await keysBelow('other/')
  const factsOf = async (schema: string) =>
    (await postgres.sql(`select * from ${schema}.facts order by 1`)).map((row) => JSON.stringify(row))
  /** Starts a server with the files of another deployment, which is refused. */
  const refused = async (schema: string, data = schema) => {
    const words = ['--port', '0', '--threads', '1', '--data', data, ...engines(schema).slice(0, 2)]
    const { stdout, stderr } = await run('serve', ...words, ...otherFiles)
    t.match(records(stdout), [{ code: 'serve.other-files', detail: /files of another deployment/ }], stderr)
    t.same(await keysBelow('other/'), keysOfOther, 'the other deployment keeps its files and its claim')
  }

  await t.test('is repeated with the right files, and with other secrets', async (t) => {
    await refused('one', 'wrong')
    t.notMatch(await factsOf('one'), /place of the files|fingerprint/)
    await serving(['--data', 'one', ...engines('one')], async () => {})
    t.match(await factsOf('one').then(String), /place of the files.*s3:\/\/steward\/one\//)
    t.equal((await keysBelow('one/deployments/')).length, 1)
    await refusedAsOther('one')
  })

  /** Starts a server that has the place of another deployment, or other secrets, on a database that is served already. */
  async function refusedAsOther(schema: string): Promise<void> {
    const before = await factsOf(schema)
    const words = ['--port', '0', '--threads', '1', ...engines(schema).slice(0, 2)]
    const elsewhere = engines('elsewhere').slice(2)
    const moved = await run('serve', '--data', schema, ...words, ...elsewhere)
    t.match(records(moved.stdout), [{ code: 'serve.other-files', detail: /are in s3:\/\/steward\/elsewhere\// }])
    t.same(await keysBelow('elsewhere/'), [], 'nothing is claimed in a storage that is not the recorded one')
    const stranger = await run('serve', '--data', 'stranger', ...words, ...engines(schema).slice(2))
    t.match(records(stranger.stdout), [{ code: 'serve.other-secrets' }])
    t.same(await factsOf(schema), before)
  }

  await t.test('does not stand in the way of a restore', async (t) => {
    await refused('two')
    const again = await run('documents', 'restore', 'backup-1', '--data', 'two', ...engines('two'))
    t.equal(again.code, 0, again.stdout + again.stderr)
    await serving(['--data', 'two', ...engines('two')], () => downloads(t, 'two'))
  })

  await t.test('is refused for files that no record names, and leaves the place to the next start', async (t) => {
    const Key = 'three/blobs/tenant/document/upload.pdf/stray'
    await client.send(new PutObjectCommand({ Bucket: 'steward', Key, Body: 'stray' }))
    const { stdout } = await run('serve', '--port', '0', '--threads', '1', '--data', 'three', ...engines('three'))
    t.match(records(stdout), [{ code: 'serve.other-files', detail: /no record of this server names/ }])
    t.same(await keysBelow('three/'), [Key])
    await serving(['--data', 'three', ...engines('three').slice(0, 2), ...engines('right').slice(2)], async () => {})
  })

  await t.test('a restore and a copy into a database without rows replace the place that it recorded', async (t) => {
    const stale = async (schema: string, data = schema) => {
      const words = ['--data', data, ...engines(schema).slice(0, 2), ...engines(`${schema}-old`).slice(2)]
      await serving(words, async () => {})
    }
    await stale('four')
    const again = await run('documents', 'restore', 'backup-1', '--data', 'four', ...engines('four'))
    t.equal(again.code, 0, again.stdout + again.stderr)
    await serving(['--data', 'four', ...engines('four')], () => downloads(t, 'four'))
    await stale('five', 'four')
    const [, from = ''] = engines('four')
    const [, to = ''] = engines('five')
    const copied = await run('store', 'copy', '--from', from, '--to', to)
    t.equal(copied.code, 0, copied.stdout + copied.stderr)
    await serving(['--data', 'four', '--store', to, ...engines('four').slice(2)], () => downloads(t, 'four'))
  })
})
