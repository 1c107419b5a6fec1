// Connection to a bucket of a real S3-compatible storage.
import { createServer } from 'node:http'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import t from 'tap'
import { S3Connection } from '../../../server/imports/s3-connection.js'
import { needsSwift, startSwift } from '../../support/engines/swift.js'
import { refuses, textOf } from './support/source.js'

t.setTimeout(580_000)

t.test('a file of a bucket is read, and what is missing or too large is refused', needsSwift, async (t) => {
  const { endpoint, env } = await startSwift(t)
  const credentials = { accessKeyId: env.AWS_ACCESS_KEY_ID ?? '', secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '' }
  const region = 'us-east-1'
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  t.teardown(() => client.destroy())
  await client.send(new CreateBucketCommand({ Bucket: 'scans' }))
  await client.send(new PutObjectCommand({ Bucket: 'scans', Key: 'in/a b.pdf', Body: 'the file' }))
  const names = { accessKeyId: 'ID', secretAccessKey: 'SECRET' }
  const settings = {
    type: 's3',
    bucket: 'scans',
    region,
    endpoint,
    prefixes: ['in'],
    tenants: ['*'],
    credentials: names,
  } as const
  const open = (more: object = {}) =>
    new S3Connection('scans', { ...settings, prefixes: ['in'], tenants: ['*'], ...more }, credentials)
  const connection = open()
  t.teardown(() => connection.close())
  const bounds = { sizeBytesMax: 100, totalMs: 30_000, signal: new AbortController().signal }
  const read = (key: string, more: object = {}) =>
    connection.read({ key, revision: null }, { ...bounds, ...more }, textOf)
  t.equal(await read('in/a b.pdf'), 'the file')
  await refuses(t, read('in/none.pdf'), 'SourceRefused', /no file under this key/)
  await refuses(t, read('in/a b.pdf', { sizeBytesMax: 3 }), 'ImportRefused', /above 3 bytes/)
  const unreachable = open({ endpoint: 'http://127.0.0.1:1' })
  t.teardown(() => unreachable.close())
  await refuses(
    t,
    unreachable.read({ key: 'in/a b.pdf', revision: null }, bounds, textOf),
    'UpstreamFailed',
    /cannot be read/,
  )
  t.notOk(connection.allows({ key: 'other/a.pdf', revision: null }))
})

t.test('an error of any length is bounded, and one about the clock is no missing file', async (t) => {
  const code = { current: '' }
  let sentBytes = 0
  const storage = createServer((_, response) => {
    response.writeHead(403, { 'content-type': 'application/xml', date: new Date().toUTCString() })
    if (code.current !== '') return response.end(`<Error><Code>${code.current}</Code></Error>`)
    const send = () => {
      while (!response.destroyed && sentBytes < 200e6) {
        sentBytes += 1e6
        if (!response.write(Buffer.alloc(1e6, 'x'))) return response.once('drain', send)
      }
      return response.end()
    }
    return send()
  })
  await new Promise<void>((resolve) => storage.listen(0, '127.0.0.1', resolve))
  t.teardown(() => storage.close())
  const endpoint = `http://127.0.0.1:${Object(storage.address()).port}`
  const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' }
  const names = { accessKeyId: 'ID', secretAccessKey: 'SECRET' }
  const place = { type: 's3', bucket: 'scans', region: 'us-east-1', endpoint, credentials: names } as const
  const connection = new S3Connection('scans', { ...place, prefixes: [''], tenants: ['*'] }, credentials)
  t.teardown(() => connection.close())
  const bounds = { sizeBytesMax: 100, totalMs: 30_000, signal: new AbortController().signal }
  const read = () => connection.read({ key: 'a.pdf', revision: null }, bounds, textOf)
  code.current = 'RequestTimeTooSkewed'
  await refuses(t, read(), 'UpstreamFailed', /status 403/)
  code.current = 'AccessDenied'
  await refuses(t, read(), 'SourceRefused', /no file under this key/)
  code.current = ''
  await refuses(t, read(), 'SourceRefused', /no file under this key/)
  t.ok(sentBytes < 100e6, `${sentBytes} bytes were sent`)
})
