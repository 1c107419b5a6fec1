// Blobs on a real S3-compatible storage.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import t from 'tap'
import { blobsConformance } from '../../../server/storage/conformance/blobs.js'
import { sharedBlobsConformance } from '../../../server/storage/conformance/shared-blobs.js'
import { S3Blobs, type S3BlobsOptions } from '../../../server/storage/s3/s3-blobs.js'
import { scratchFolder } from '../../cli/scratch.js'
import { failingProxy } from '../../support/engines/failing-proxy.js'
import { holdingProxy } from '../../support/engines/holding-proxy.js'
import { needsSwift, startSwift } from '../../support/engines/swift.js'

t.test('blobs on S3-compatible storage', needsSwift, async (t) => {
  const swift = await startSwift(t)
  const folder = scratchFolder(t)
  const client = new S3Client({
    endpoint: swift.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  t.teardown(() => client.destroy())
  await client.send(new CreateBucketCommand({ Bucket: 'steward' }))

  const open = async (name: string, options: Partial<S3BlobsOptions> = {}): Promise<S3Blobs> => {
    const root = join(folder, name)
    mkdirSync(root, { recursive: true })
    const blobs = await S3Blobs.open({
      address: `s3://steward/${name}?endpoint=${swift.endpoint}&pathStyle=true`,
      staging: join(root, 'workshop'),
      copies: join(root, 'copies'),
      copiesBytesMax: 64 * 1024 * 1024,
      ...options,
    })
    t.teardown(() => blobs.close())
    return blobs
  }

  await t.test('conformance', (t) => blobsConformance(t, open))
  await t.test('conformance between processes', (t) =>
    sharedBlobsConformance(t, (name, process) => {
      const own = join(folder, `${name}-${process}`)
      mkdirSync(own, { recursive: true })
      return open(name, { staging: join(own, 'workshop'), copies: join(own, 'copies') })
    }),
  )

  const megabyte = 1024 * 1024
  const named = (name: string) => ({ tenant: 't', document: 'd', name })
  const contentOf = async (bytes: AsyncIterable<Uint8Array>) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  async function* each(...parts: Uint8Array[]) {
    yield* parts
  }
  const listed = async (blobs: S3Blobs) => {
    const names: string[] = []
    for await (const { name } of blobs.list()) names.push(name)
    return names
  }

  await t.test('a large file goes up in parts; another process reads it whole and in ranges', async (t) => {
    const bytes = randomBytes(17 * megabyte)
    const first = await open('large')
    await first.write(named('a'), each(bytes.subarray(0, megabyte), bytes.subarray(megabyte)), {
      sizeBytesMax: bytes.length,
    })
    const second = await open('large', { staging: join(folder, 'other'), copies: join(folder, 'other-copies') })
    t.ok((await contentOf(second.read(named('a')))).equals(bytes))
    const range = { first: 9 * megabyte, last: 9 * megabyte + 4 }
    t.ok((await contentOf(second.read(named('a'), range))).equals(bytes.subarray(range.first, range.last + 1)))
    const copies = await Promise.all(Array.from({ length: 5 }, () => second.openLocal(named('a'))))
    t.equal(new Set(copies.map(({ path }) => path)).size, 1, 'fetched once')
    t.equal(readdirSync(join(folder, 'other-copies')).length, 1)
    t.ok(readFileSync(copies[0]?.path ?? '').equals(bytes))
    for (const { release } of copies) release()
    await first.remove(named('a'))
    await second.checkCopies(-1)
    t.same(readdirSync(join(folder, 'other-copies')), [], 'what another process removed leaves the copies')
  })

  await t.test('local copies are bounded, and open ones stay', async (t) => {
    const blobs = await open('bounded', { copiesBytesMax: 3 * megabyte })
    for (const name of ['a', 'b', 'c']) {
      await blobs.write(named(name), each(Buffer.alloc(megabyte, name)), { sizeBytesMax: megabyte })
    }
    const a = await blobs.openLocal(named('a'))
    for (const name of ['d', 'e', 'f']) {
      await blobs.write(named(name), each(Buffer.alloc(megabyte, name)), { sizeBytesMax: megabyte })
    }
    t.equal(readdirSync(join(folder, 'bounded', 'copies')).length, 3)
    t.equal(readFileSync(a.path)[0], 97)
    a.release()
    t.equal((await contentOf(blobs.read(named('b'))))[0], 98, 'what was evicted is fetched again')
  })

  await t.test('a storage that is down refuses for a while', async (t) => {
    const blobs = await open('down')
    await swift.pause()
    const write = () => blobs.write(named('a'), each(Buffer.from('x')), { sizeBytesMax: 9 })
    await t.rejects(write(), { name: 'BlobsUnavailable', reason: 'failed' })
    await t.rejects(blobs.probe(), { name: 'BlobsUnavailable' })
    await swift.resume()
    await write()
    t.same(await listed(blobs), ['a'])
  })

  await t.test(
    'a storage that is killed in the middle of a read sends the rest later, or the read fails',
    async (t) => {
      const bytes = randomBytes(17 * megabyte)
      const writer = await open('killed')
      await writer.write(named('a'), each(bytes), { sizeBytesMax: bytes.length })
      const reader = await open('killed', { staging: join(folder, 'k'), copies: join(folder, 'k-copies') })
      const readWhile = async (interrupt: () => Promise<void>) => {
        const chunks: Uint8Array[] = []
        for await (const chunk of reader.read(named('a'))) {
          if (chunks.push(chunk) === 1) await interrupt()
        }
        return Buffer.concat(chunks)
      }
      await t.rejects(readWhile(swift.pause), { name: 'BlobsUnavailable' }, 'no short content is taken for the whole')
      await t.rejects(reader.openLocal(named('a')), { name: 'BlobsUnavailable' })
      t.same(readdirSync(join(folder, 'k-copies')), [], 'no unfinished copy is left')
      await swift.resume()
      const whole = await readWhile(async () => {
        await swift.pause()
        await swift.resume()
      })
      t.ok(whole.equals(bytes), 'continued where it broke')
    },
  )

  await t.test(
    'a storage that is killed in the middle of an upload shows nothing, and the upload can be repeated',
    async (t) => {
      const proxy = await holdingProxy(t, swift.endpoint)
      const bytes = randomBytes(17 * megabyte)
      const blobs = await open('torn', { address: `s3://steward/torn?endpoint=${proxy.endpoint}&pathStyle=true` })
      const write = () => blobs.write(named('a'), each(bytes), { sizeBytesMax: bytes.length })
      const uploads = async () =>
        (await client.send(new ListMultipartUploadsCommand({ Bucket: 'steward', Prefix: 'torn/' }))).Uploads ?? []
      const held = proxy.hold('PUT', /partNumber=3/)
      const writing = t.rejects(write(), { name: 'BlobsUnavailable', reason: 'failed' })
      const last = await held
      await swift.pause()
      last.release()
      await writing
      await swift.resume()
      t.same(await listed(blobs), [])
      t.equal(await blobs.size(named('a')), undefined)
      t.same(readdirSync(join(folder, 'torn', 'workshop')), [])
      t.equal((await uploads()).length, 1, 'the parts could not be removed then')
      await blobs.removeAll({ tenant: 't', document: 'd' })
      t.same(await uploads(), [])
      await write()
      const other = await open('torn', { staging: join(folder, 'x'), copies: join(folder, 'x-copies') })
      t.ok((await contentOf(other.read(named('a')))).equals(bytes))
    },
  )

  await t.test('more objects than a page of the storage has are listed and removed', async (t) => {
    const blobs = await open('paged')
    const count = 250
    let next = 0
    const putSome = async () => {
      while (next < count) {
        const Key = `paged/blobs/t/d/n${next++}/x`
        await client.send(new PutObjectCommand({ Bucket: 'steward', Key, Body: 'x' }))
      }
    }
    await Promise.all(Array.from({ length: 16 }, putSome))
    t.equal(new Set(await listed(blobs)).size, count)
    await blobs.removeAll({ tenant: 't', document: 'd' })
    t.same(await listed(blobs), [])
  })

  await t.test('parts of an upload whose process was killed are removed after their time', async (t) => {
    const blobs = await open('parts')
    const named = { Bucket: 'steward', Key: 'parts/blobs/t/d/a/x' }
    const uploads = async () =>
      (await client.send(new ListMultipartUploadsCommand({ Bucket: 'steward', Prefix: 'parts/' }))).Uploads ?? []
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(named))
    const Body = Buffer.alloc(5 * megabyte)
    await client.send(new UploadPartCommand({ ...named, UploadId, PartNumber: 1, Body }))
    await blobs.tidy()
    t.equal((await uploads()).length, 1, 'it may go on')
    await blobs.tidy(-60_000)
    t.same(await uploads(), [])
    t.same(await listed(blobs), [])
  })

  await t.test('presigned URLs have the public endpoint, and uploads through it arrive', async (t) => {
    const proxy = await holdingProxy(t, swift.endpoint)
    const address = `s3://steward/public?endpoint=${swift.endpoint}&publicEndpoint=${proxy.endpoint}&pathStyle=true`
    const blobs = await open('public', { address })
    const bytes = randomBytes(1000)
    const owner = { tenant: 't', document: 'd' }
    const { url, headers } = await blobs.presign(owner, { sizeBytes: bytes.length, ttlSeconds: 60 })
    t.ok(url.startsWith(`${proxy.endpoint}/steward/public/`))
    t.equal((await fetch(url, { method: 'PUT', headers, body: bytes })).status, 200)
    const contents: Buffer[] = []
    for await (const upload of blobs.arrived(owner)) contents.push(await contentOf(upload.read()))
    t.same(contents, [bytes])
  })

  await t.test('a storage that throttles, resets and cuts off gives whole content or a refusal', async (t) => {
    const proxy = await failingProxy(t, swift.endpoint, 7)
    const address = `s3://steward/failing?endpoint=${proxy.endpoint}&pathStyle=true`
    const blobs = await open('failing', { address, copiesBytesMax: 0 })
    const sound = await open('failing', { staging: join(folder, 'f'), copies: join(folder, 'f-copies') })
    proxy.share = 0.45
    const outcomes = { written: 0, refused: 0, read: 0, unread: 0 }
    for (let number = 0; number < 14; number++) {
      const name = named(`n${number}`)
      const bytes = randomBytes(number === 9 ? 9 * megabyte : 100_000)
      const isWritten = await blobs.write(name, each(bytes), { sizeBytesMax: bytes.length }).then(
        () => true,
        (error: Error) => t.equal(error.name, 'BlobsUnavailable', error.message) && false,
      )
      outcomes[isWritten ? 'written' : 'refused'] += 1
      if (isWritten) t.ok((await contentOf(sound.read(name))).equals(bytes), 'what was acknowledged is stored whole')
      const read = await contentOf(blobs.read(name)).catch((error: Error) => error)
      const isRead = Buffer.isBuffer(read)
      outcomes[isRead ? 'read' : 'unread'] += 1
      if (isRead) t.ok(read.equals(bytes))
      else t.match(read.name, isWritten ? /^BlobsUnavailable$/ : /^Blobs?(Unavailable|Missing)$/)
    }
    t.ok(outcomes.written > 0 && outcomes.read > 0, JSON.stringify(outcomes))
    t.equal(proxy.failures.size, 4, 'every kind of failure')
    proxy.share = 0
    t.same(readdirSync(join(folder, 'failing', 'workshop')), [], 'nothing unfinished is left')
    await blobs.probe()
  })

  await t.test('a wrong address, bucket or credential is refused at the start', async (t) => {
    await t.rejects(open('w', { address: 's3://key:secret@bucket/x' }), { name: 'S3AddressUnfit' })
    await t.rejects(open('w', { address: 's3://bucket/x?colour=red' }), { name: 'S3AddressUnfit' })
    const address = `s3://nobody/x?endpoint=${swift.endpoint}&pathStyle=true`
    await t.rejects(open('w', { address }), { name: 'BlobsUnavailable', reason: 'no-bucket' })
  })
})
