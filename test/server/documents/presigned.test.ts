// Presigned uploads: clients send the bytes straight to a real S3-compatible storage.
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import t, { type Test } from 'tap'
import { needsSwift, startSwift } from '../../support/engines/swift.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { done, runServer } from '../support/running-server.js'
import { commit, documents, requestFor, sha256Of } from '../support/uploads.js'

t.test('presigned uploads', needsSwift, async (t) => {
  const swift = await startSwift(t)
  const client = new S3Client({ endpoint: swift.endpoint, region: 'us-east-1', forcePathStyle: true })
  t.teardown(() => client.destroy())
  await client.send(new CreateBucketCommand({ Bucket: 'steward' }))
  const blobs = `s3://steward/served?endpoint=${swift.endpoint}&pathStyle=true`
  const server = await runServer(t, { settings: { blobs } })
  const { api, clock, log } = server
  await api.post('/v1/tenants', { id: 'acme' })

  let made = 0
  const anyPdf = () => onePage(`${++made} 0 100 100 re f`)
  const put = (url: string, body: Uint8Array) => fetch(url, { method: 'PUT', body: new Uint8Array(body) })
  const begin = async (pdf: Uint8Array, more: object = {}) => {
    const init = done(await api.post(`${documents}/init`, requestFor(pdf, { ...more })))
    return { init, id: init.word('/document/id'), url: init.word('/upload/presigned/url') }
  }
  const keys = async () => {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: 'steward' }))
    return Contents.map(({ Key = '' }) => Key)
  }
  const content = async (id: string) => (await api.get(`${documents}/${id}/download`)).bytes
  const isRefused = async (t: Test, id: string, sha256: string) => {
    const answer = await commit(api, id, sha256)
    t.match([answer.status, answer.code], [400, 'UploadMismatch'], answer.text)
  }

  await t.test('a bare PUT and a commit make a document; then nothing that was uploaded is left', async (t) => {
    const pdf = anyPdf()
    const { init, id, url } = await begin(pdf)
    t.match(init.at('/upload'), { kind: 'presigned', presigned: { method: 'PUT', headers: {} } })
    await isRefused(t, id, sha256Of(pdf))
    t.equal((await put(url, pdf)).status, 200)
    t.match((await commit(api, id, sha256Of(pdf))).at('/document'), { state: 'ready', baseSha: sha256Of(pdf) })
    t.ok((await content(id)).equals(pdf))
    t.notOk((await keys()).some((key) => key.includes('presigned')))
  })

  await t.test('the proxy is used where the client prefers it', async (t) => {
    const pdf = anyPdf()
    const init = done(await api.post(`${documents}/init`, requestFor(pdf, { uploadPreference: 'proxy' })))
    t.match(init.at('/upload'), { kind: 'proxy' })
    done(await api.sendFile(init.word('/upload/url'), pdf))
    t.match((await commit(api, init.word('/document/id'), sha256Of(pdf))).at('/document'), { state: 'ready' })
  })

  await t.test('another length is refused by the storage, other bytes by the commit', async (t) => {
    const pdf = anyPdf()
    const { id, url } = await begin(pdf)
    t.equal((await put(url, pdf.subarray(1))).status, 403)
    t.equal((await put(url, Buffer.concat([pdf, Buffer.from('more')]))).status, 403)
    const other = Buffer.from(pdf).fill(0x20, 20, 40)
    t.equal((await put(url, other)).status, 200)
    await isRefused(t, id, sha256Of(pdf))
    t.match((await api.get(`${documents}/${id}`)).at('/document'), { state: 'pending' })
    t.equal((await put(url, pdf)).status, 200)
    t.match((await commit(api, id, sha256Of(pdf))).at('/document'), { state: 'ready' })
  })

  await t.test('what arrives after the commit changes nothing', async (t) => {
    const pdf = anyPdf()
    const { id, url } = await begin(pdf)
    await put(url, pdf)
    done(await commit(api, id, sha256Of(pdf)))
    t.equal((await put(url, Buffer.alloc(pdf.length, 'x'))).status, 200)
    t.match((await commit(api, id, sha256Of(pdf))).at('/document'), { state: 'ready', baseSha: sha256Of(pdf) })
    t.ok((await content(id)).equals(pdf))
  })

  await t.test('a repeated init has a URL of its own; either may be used', async (t) => {
    const pdf = anyPdf()
    const key = { idempotencyKey: 'twice' }
    const [first, second] = [await begin(pdf, key), await begin(pdf, key)]
    t.equal(first.id, second.id)
    await put(second.url, Buffer.alloc(pdf.length, 'x'))
    await put(first.url, pdf)
    t.match((await commit(api, first.id, sha256Of(pdf))).at('/document'), { state: 'ready' })
  })

  await t.test('wrong uploads are removed, a few for each commit', async (t) => {
    const pdf = anyPdf()
    const key = { idempotencyKey: 'many' }
    const begun = [...(await Promise.all(Array.from({ length: 6 }, () => begin(pdf, key))))]
    for (const [index, { url }] of begun.entries()) await put(url, Buffer.alloc(pdf.length, `${index}`))
    const id = begun[0]?.id ?? ''
    const left = async () => (await keys()).filter((name) => name.includes('presigned')).length
    const before = await left()
    await isRefused(t, id, sha256Of(pdf))
    t.equal(before - (await left()), 4)
    await isRefused(t, id, sha256Of(pdf))
    t.equal(before - (await left()), 6)
    await put((await begin(pdf, key)).url, pdf)
    t.match((await commit(api, id, sha256Of(pdf))).at('/document'), { state: 'ready' })
  })

  await t.test('an expired upload is not committed', async (t) => {
    const pdf = anyPdf()
    const { id, url, init } = await begin(pdf, { uploadTtlSec: 60 })
    const until = Number(init.at('/upload/presigned/expiresAt'))
    t.ok(until > Date.now() + 50_000 && until <= Date.now() + 60_000)
    t.match(url, /X-Amz-Expires=60/)
    await put(url, pdf)
    clock.advance(61_000)
    await isRefused(t, id, sha256Of(pdf))
  })

  await t.test('a deleted document cannot be committed, and its uploads are removed', async (t) => {
    const pdf = anyPdf()
    const { id, url } = await begin(pdf)
    await put(url, pdf)
    const before = (await keys()).filter((key) => key.includes('presigned')).length
    t.equal((await api.delete(`${documents}/${id}`)).status, 204)
    t.equal((await commit(api, id, sha256Of(pdf))).status, 404)
    for (let tries = 0; tries < 100; tries++) {
      if ((await keys()).filter((key) => key.includes('presigned')).length < before) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    t.equal((await keys()).filter((key) => key.includes('presigned')).length, before - 1)
  })

  await t.test('while the storage is down, requests are refused for a while; then they succeed', async (t) => {
    const pdf = anyPdf()
    const { id, url } = await begin(pdf)
    await put(url, pdf)
    await swift.pause()
    const refused = await commit(api, id, sha256Of(pdf))
    t.match([refused.status, refused.code], [503, 'RuntimeUnavailable'], refused.text)
    t.equal(refused.headers.get('retry-after'), '5')
    await swift.resume()
    t.match((await commit(api, id, sha256Of(pdf))).at('/document'), { state: 'ready' })
  })

  await t.test('no credential is in the log', async (t) => {
    t.notMatch(log(), /testing|X-Amz-Signature|test:tester/)
  })

  await t.test('a file that the storage lost is told as damage and named; others are served', async (t) => {
    const [pdf, other] = [anyPdf(), anyPdf()]
    const publish = async (bytes: Buffer) => {
      const { id, url } = await begin(bytes)
      await put(url, bytes)
      done(await commit(api, id, sha256Of(bytes)))
      return id
    }
    const [lost, kept] = [await publish(pdf), await publish(other)]
    // Local copies are gone after a restart.
    await server.close()
    for (const Key of (await keys()).filter((key) => key.includes('.pdf'))) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'steward', Key }))
      if (!Buffer.from((await Body?.transformToByteArray()) ?? []).equals(pdf)) continue
      await client.send(new DeleteObjectCommand({ Bucket: 'steward', Key }))
    }
    const again = await runServer(t, { folder: server.dataFolder, settings: { blobs } })
    const answer = await again.api.get(`/v1/docs/${lost}/layers/default/layout`)
    t.match([answer.status, answer.at('/details/reason')], [500, 'stored-file-damaged'], answer.text)
    t.equal((await again.api.get(`${documents}/${lost}/download`)).at('/error/reason'), 'stored-file-damaged')
    t.match(again.log(), /There is no blob .*\/upload\.pdf/)
    t.ok((await again.api.get(`${documents}/${kept}/download`)).bytes.equals(other))
  })
})
