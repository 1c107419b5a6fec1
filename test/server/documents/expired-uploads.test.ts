// Uploads that were announced and never arrived: reads of them, and how they can be restarted.
import t from 'tap'
import { Housekeeping } from '../../../server/expiry/housekeeping.js'
import { scratchFolder } from '../../cli/scratch.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { blobsOf, openScene } from '../support/scene.js'
import { commit, documents, requestFor, sha256Of } from '../support/uploads.js'

const pdf = onePage('0 0 100 100 re f')
const keyed = requestFor(pdf, { uploadTtlSec: 60, idempotencyKey: 'never came' })
const named = requestFor(pdf, { uploadTtlSec: 60, docId: 'named' })

/** Stops the server and advances time beyond the expiry. */
async function expire(folder: string): Promise<void> {
  const storage = await openScene(folder)
  const now = Date.now() + 61_000
  const onFailure = (error: unknown) => t.fail(String(error))
  const housekeeping = new Housekeeping({ storage, clock: { now: () => now, sleep: async () => {} }, onFailure })
  t.equal(await housekeeping.expire(), 2)
  t.equal(await housekeeping.expire(), 0, 'once')
  await housekeeping.stop()
  t.same(await blobsOf(storage), [], 'bytes that were sent and not committed are gone')
  await storage.close()
}

t.test('an upload that never arrived is read as failed; its key and id can be reused', async (t) => {
  const folder = scratchFolder(t, 'data')
  const before = await runServer(t, { folder })
  await before.api.post('/v1/tenants', { id: 'acme' })
  const first = done(await before.api.post(`${documents}/init`, keyed))
  done(await before.api.sendFile(first.word('/upload/url'), pdf))
  done(await before.api.post(`${documents}/init`, named))
  await before.close()
  await expire(folder)
  const { api } = await runServer(t, { folder })
  const id = first.word('/document/id')
  for (const one of [id, 'named']) {
    const read = await api.get(`${documents}/${one}`)
    t.match(read.at('/document'), { state: 'failed', failureReason: 'upload-expired', thumbnailState: 'failed' })
    t.match((await commit(api, one, sha256Of(pdf))).at('/document'), { state: 'failed' })
    const late = await api.sendFile(`${documents}/${one}/upload-proxy`, pdf)
    t.match([late.status, late.code], [409, 'NotAwaitingUpload'])
  }
  const listed = done(await api.get(`${documents}?state=failed`))
  t.equal(Object(listed.at('/documents')).length, 2)
  await api.post('/v1/tenants', { id: 'other' })
  const elsewhere = await api.post('/v1/tenants/other/documents/init', named)
  t.equal(elsewhere.code, 'Conflict', 'the id is not free for another tenant')
  const resumed = done(await api.post(`${documents}/init`, keyed))
  t.match(resumed.json(), { tag: 'resumed', document: { id, state: 'pending', failureReason: null } })
  const again = done(await api.post(`${documents}/init`, named))
  t.match(again.json(), { tag: 'created', document: { id: 'named', state: 'pending', failureReason: null } })
  for (const [one, url] of [
    [id, resumed.word('/upload/url')],
    ['named', again.word('/upload/url')],
  ] as const) {
    await isUploaded(api, one, url)
  }
})

async function isUploaded(api: Client, id: string, url: string): Promise<void> {
  done(await api.sendFile(url, pdf))
  t.match((await commit(api, id, sha256Of(pdf))).at('/document'), { state: 'ready', failureReason: null })
}
