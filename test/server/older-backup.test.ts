// Records and files of an earlier release: a backup that the program of commit 42f0c328 made is restored, served and changed.
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { restoreBackup } from '../../server/backup/restore.js'
import { digestHere } from '../../server/backup/verify.js'
import { checkStorage } from '../../server/check/check.js'
import { scratchFolder } from '../cli/scratch.js'
import { change, changesIn, layerPath, outcomes } from './changes/support/changing.js'
import { done, runServer } from './support/running-server.js'

const archive = 'test/server/support/older-backup.tgz'
const share = { shareToken: 'shr_q9d4fc2DEVBpi-1rGnnRjLP0', password: 'friend' }
const origin = { origin: 'https://app.example.com' }
const uploaded = '4d968e611a8eb1a13bba8dddf108618baf43f2326a7456ec43e9420cfcff1593'
const env = {
  STEWARD_SIGNING_SECRET: Buffer.alloc(48, 1).toString('base64'),
  STEWARD_SEALING_KEY: Buffer.alloc(32, 2).toString('base64'),
}

t.test('what an earlier release stored is read, replayed, undone and changed', async (t) => {
  const scratch = scratchFolder(t)
  const [from, folder] = [join(scratch, 'backup'), join(scratch, 'data')]
  mkdirSync(from)
  execFileSync('tar', ['-xzf', archive, '-C', from])
  await restoreBackup({ from, folder })
  const report = ({ code, where }: { readonly code: string; readonly where: string }) => t.fail(`${code} ${where}`)
  await checkStorage({ folder, digest: digestHere, report })
  const server = await runServer(t, { folder, env })
  const { api } = server

  const listed = await api.get(`${layerPath({ docId: 'plain' })}/annotations/items`).then(done)
  t.match(listed.json(), { annotations: [{ contents: 'by Ada', author: 'Ada', userId: 'ada' }] })
  const password = { 'x-document-password': Buffer.from('user').toString('base64') }
  for (const [docId, value, headers] of [
    ['plain', 'kept', {}],
    ['locked', 'sealed', password],
  ] as const) {
    const path = `${layerPath({ docId })}/metadata/custom`
    t.same((await api.get(path, headers).then(done)).json(), { a: value })
    const send = async (one: object) => {
      const answer = await api.post(`${layerPath({ docId })}/changes`, { changes: [one] }, headers)
      return [...outcomes(answer), changesIn(answer)[0]?.status]
    }
    const ops = (patch: object) => [{ type: 'metadata.updateCustom', patch }]
    const before = (await api.get(`${layerPath({ docId })}/manifest`, headers).then(done)).at('/docVersion')
    await send({ opId: 'first', ops: ops({ a: value }) })
    const after = (await api.get(`${layerPath({ docId })}/manifest`, headers).then(done)).at('/docVersion')
    t.equal(after, before, 'the answer is replayed')
    t.same(await send({ opId: 'second', ops: ops({ b: 'new' }) }), ['applied', 'applied'])
    t.same(await send({ opId: 'back', undoOf: 'first' }), ['applied', 'applied'])
    t.same((await api.get(path, headers).then(done)).json(), { b: 'new' })
  }

  const guest = (await api.post('/v1/share-sessions', share, origin).then(done)).word('/token')
  const download = await api.as(guest).get(`${layerPath({ docId: 'plain' })}/download`, origin)
  t.equal(download.status, 200)
  const reader = api.as(await server.documentToken('redacted', ['*']))
  t.notMatch((await reader.get(`${layerPath({ docId: 'redacted' })}/text/pages/obj:3/data`).then(done)).text, 'Hedwig')
  t.equal((await reader.get(`/v1/docs/redacted/versions/download/${uploaded}`)).status, 403)
  t.equal((await api.get(`/v1/docs/redacted/versions/download/${uploaded}`)).status, 200)
  t.match((await api.get('/v1/tenants/acme/webhooks').then(done)).json(), { webhooks: [{ status: 'active' }] })
  t.same(
    outcomes(
      await change(
        api,
        { docId: 'redacted' },
        { opId: 'on', ops: [{ type: 'metadata.updateCustom', patch: { c: 'd' } }] },
      ),
    ),
    ['applied'],
  )
  await server.close()
  await checkStorage({ folder, digest: digestHere, report })
})
