// Signings whose disk fills up, or whose client hangs up: the request can be repeated, and no files are left over.
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { smallDisk } from '../../support/small-disk.js'
import { change, layerPath, outcomes, titled } from '../changes/support/changing.js'
import { done, runServer } from '../support/running-server.js'
import { cmsOver, complete, download, field, popplerVerdicts, prepare, sign } from './support/signing.js'

const megabyte = 1024 * 1024
const pdf = onePage(`% ${'x'.repeat(3 * megabyte)}`)

t.test('a full disk refuses a signing, which goes on when there is room', async (t) => {
  const { folder, freeSpace, leave } = smallDisk(t, 600 * megabyte)
  const data = join(folder, 'data')
  const server = await runServer(t, { folder: data, access: { freeSpace } })
  const docId = await server.upload(pdf)
  const client = { api: server.api, docId }
  const versions = async () => Object((await server.api.get(`/v1/docs/${docId}/versions`).then(done)).json()).versions
  const staged = () => readdirSync(join(data, 'workshop'))
  t.same(outcomes(await change(server.api, client, { opId: 'a', ops: [titled('Edited')] })), ['applied'])

  leave(megabyte)
  const refused = await prepare(client, field('f'))
  t.same([refused.status, refused.code], [503, 'RuntimeUnavailable'], refused.text)
  leave(600 * megabyte)
  t.same(
    outcomes(await change(server.api, client, { opId: 'b', ops: [titled('Again')] })),
    ['applied'],
    'not read-only',
  )

  const prepared = await prepare(client, field('f')).then(done)
  const cms = cmsOver(prepared)
  leave(megabyte)
  const full = await complete(client, prepared, { cms })
  t.same([full.status, full.code], [503, 'RuntimeUnavailable'], full.text)
  t.equal((await versions()).length, 1, 'the old head')
  t.same(staged(), [])
  leave(600 * megabyte)
  t.equal((await complete(client, prepared, { cms }).then(done)).word('/status'), 'completed')
  t.equal((await versions()).length, 2)
  if (!needs('pdfsig').skip) t.match(popplerVerdicts(t, await download(client)), [{ isValid: true, isTotal: true }])
})

t.test('a client that hangs up repeats the request and gets the response of its signing', async (t) => {
  const server = await runServer(t)
  const { api, upload } = server
  for (const delayMs of [0, 1, 5, 20, 60]) {
    const docId = await upload(pdf)
    const client = { api, docId }
    const path = `${layerPath(client)}/signatures`
    await hangUp(`${path}/prepare`, field('f'), delayMs)
    const prepared = await prepare(client, field('f')).then(done)
    const body = { cms: cmsOver(prepared), expectedVersion: prepared.at('/expectedVersion') }
    await hangUp(`${path}/${prepared.word('/signingId')}/complete`, body, delayMs)
    const completed = await complete(client, prepared, { cms: body.cms }).then(done)
    t.match(completed.word('/status'), /^(already-)?completed$/)
    const { versions } = Object((await api.get(`/v1/docs/${docId}/versions`).then(done)).json())
    t.same(versions.length, 2, 'published once')
    await sign(client, field('second'))
  }

  /** Sends a request and closes the connection after a while, without reading the response. */
  async function hangUp(path: string, json: object, delayMs: number): Promise<void> {
    const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' }
    const sent = request(new URL(path, api.url), { method: 'POST', headers }).on('error', () => {})
    sent.end(JSON.stringify(json))
    await new Promise((resolve) => sent.on('finish', resolve))
    await setTimeout(delayMs)
    sent.destroy()
  }
})
