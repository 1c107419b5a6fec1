// Engines to restore into, a data folder with documents, and its backup.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import type { Test } from 'tap'
import { agents, printed, start } from '../../cli/program.js'
import { scratchFolder } from '../../cli/scratch.js'
import { holdingProxy } from '../../support/engines/holding-proxy.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'
import { needsSwift, startSwift } from '../../support/engines/swift.js'
import { onePage } from '../../support/pdf/raw-pdf.js'

/** `t.test(title, needsEngines, …)` */
export const needsEngines = { skip: needsPostgres.skip || needsSwift.skip }

/** Starts the engines, and makes `backup-1` of the data folder `origin` in a scratch folder. */
export async function startRestoring(t: Test) {
  const [postgres, swift] = await Promise.all([PostgresServer.start(t), startSwift(t)])
  const client = new S3Client({ endpoint: swift.endpoint, region: 'us-east-1', forcePathStyle: true })
  t.teardown(() => client.destroy())
  await client.send(new CreateBucketCommand({ Bucket: 'steward' }))
  const folder = scratchFolder(t)
  const options = { folder, env: { ...swift.env } }
  const run = (...words: readonly string[]) => agents([...words, '--json'], options)
  const proxy = await holdingProxy(t, swift.endpoint)
  const engines = (name: string, endpoint = swift.endpoint) => [
    ...['--store', postgres.address(name)],
    ...['--blobs', `s3://steward/${name}?endpoint=${endpoint}&pathStyle=true`],
  ]
  const names = ['a', 'b', 'c']
  for (const name of names) writeFileSync(join(folder, `${name}.pdf`), onePage(`0 0 10 ${name.charCodeAt(0)} re f`))

  const keysBelow = async (Prefix: string) => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'steward', Prefix }))
    return Contents.map(({ Key }) => Key)
  }
  /** Serves, and returns after the work. */
  const serving = async (words: readonly string[], work: () => Promise<void>) => {
    const running = start(['serve', '--port', '0', '--threads', '1', '--json', ...words], options)
    t.teardown(() => running.child.kill('SIGKILL'))
    await printed(running, 'stdout', '\n')
    await work()
    running.child.kill('SIGTERM')
    const { code, stderr } = await running.ended
    t.equal(code, 0, stderr.slice(-800))
  }
  const downloads = async (t: Test, data: string) => {
    for (const id of names) {
      const file = `${id}-${data}.pdf`
      const { code, stdout, stderr } = await run('documents', 'download', id, '--out', file, '--data', data)
      t.equal(code, 0, stdout + stderr)
      t.ok(readFileSync(join(folder, file)).equals(readFileSync(join(folder, `${id}.pdf`))))
    }
  }
  await serving(['--data', 'origin'], async () => {
    for (const id of names) {
      t.equal((await run('documents', 'upload', `${id}.pdf`, '--id', id, '--data', 'origin')).code, 0)
    }
    t.equal((await run('documents', 'backup', 'backup-1', '--data', 'origin')).code, 0)
  })
  return { postgres, client, folder, options, run, proxy, engines, keysBelow, serving, downloads }
}
