// What clients do in a soak, with the share of each.
import { request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { EventReader } from '../../server/support/events.js'
import { sha256Of } from '../../server/support/uploads.js'
import type { DocumentSession } from '../document-session.js'
import { mutatePdf } from '../fuzz/mutate-pdf.js'
import { drawBase } from '../fuzz/pdf-bases.js'
import type { SoakClient, SoakDocument } from './client.js'

export interface Action {
  readonly name: string
  readonly weight: number
  run(client: SoakClient): Promise<void>
}

/** Documents above this number are deleted, so that the amount of data is constant. */
const documentsMax = 24

const onDocument =
  (work: (session: DocumentSession, client: SoakClient, document: SoakDocument) => Promise<void>) =>
  async (client: SoakClient): Promise<void> => {
    const document = client.anyDocument()
    if (document === undefined) return upload(client)
    await work(client.sessionOf(document), client, document)
  }

async function upload(client: SoakClient): Promise<void> {
  const { draw, api, tally } = client
  const base = await drawBase(draw)
  const bytes = draw.happens(0.25) ? mutatePdf(base.bytes, draw).bytes : base.bytes
  const documents = `/v1/tenants/${client.tenant}/documents`
  const ask = async (path: string, json: object) => {
    const answer = await api.post(`${documents}${path}`, json)
    tally.answer(`POST ${path}`, answer)
    return answer
  }
  await api.post('/v1/tenants', { id: client.tenant }).then((answer) => tally.answer('tenants.create', answer))
  const init = await ask('/init', { contentLength: bytes.length, contentSha256: sha256Of(bytes) })
  if (init.status >= 400) return
  const docId = init.word('/document/id')
  tally.answer('upload', await api.sendFile(`${documents}/${docId}/upload-proxy`, bytes))
  const committed = await ask(`/${docId}/commit`, { sha256: sha256Of(bytes) })
  const document = { tenant: client.tenant, docId, ...(base.password !== undefined && { password: base.password }) }
  if (committed.at('/document/state') === 'ready') client.add(document)
  else tally.answer('deletion', await api.delete(`${documents}/${docId}`))
  while (client.documentCount > documentsMax) await client.deleteOldest()
}

/** Sends the beginning of a request, or reads the beginning of an answer, and leaves. */
async function abort({ api, draw, anyDocument }: SoakClient): Promise<void> {
  const document = anyDocument()
  const path = `/v1/docs/${document?.docId ?? 'none'}/layers/default/${draw.one(['download', 'manifest', 'changes'])}`
  const method = path.endsWith('changes') ? 'POST' : 'GET'
  const authorization = { authorization: `Bearer ${api.token}` }
  const more = method === 'POST' ? { 'content-type': 'application/json', 'content-length': '5000' } : {}
  await new Promise<void>((resolve) => {
    const sent = request(new URL(path, api.url), { method, agent: false, headers: { ...authorization, ...more } })
    sent.once('response', (answer) => answer.once('data', () => sent.destroy()).once('end', resolve))
    sent.once('error', () => resolve()).once('close', () => resolve())
    if (method === 'POST') sent.write('{"changes":[')
    else sent.end()
    if (draw.happens(0.5) || method === 'POST') void setTimeout(draw.below(30)).then(() => sent.destroy())
  })
}

/** Reads an answer with pauses. */
async function readSlowly({ api, draw, anyDocument }: SoakClient): Promise<void> {
  const document = anyDocument()
  const path = `/v1/docs/${document?.docId ?? 'none'}/layers/default/download`
  const answer = await fetch(new URL(path, api.url), { headers: { authorization: `Bearer ${api.token}` } })
  const reader = answer.body?.getReader()
  for (let chunks = draw.between(1, 4); reader !== undefined && chunks > 0; chunks--) {
    if ((await reader.read()).done) return
    await setTimeout(draw.below(300))
  }
  await reader?.cancel()
}

async function listen({ api, draw, anyDocument, tally }: SoakClient): Promise<void> {
  const document = anyDocument()
  if (document === undefined) return
  const events = await EventReader.open(api, `/v1/docs/${document.docId}/layers/default/events`)
  if (events.status >= 500) tally.complain(`events were answered with ${events.status}`)
  await setTimeout(draw.below(2000))
  await events.close()
}

async function share(client: SoakClient): Promise<void> {
  const document = client.anyDocument()
  if (document === undefined) return
  const { api, tally, draw } = client
  const path = `/v1/tenants/${document.tenant}`
  const shared = await api.post(`${path}/shares`, { docId: document.docId, scope: ['doc.open'] })
  tally.answer('shares.create', shared)
  const token = await api.post(`${path}/tokens`, {
    kind: 'doc',
    sub: 'ada',
    docId: document.docId,
    scope: ['*'],
    expiresIn: 600,
  })
  tally.answer('tokens.issue', token)
  if (token.status < 300)
    tally.answer('head', await api.as(token.word('/token')).get(`/v1/docs/${document.docId}/head`))
  if (shared.status >= 300) return
  const id = shared.word('/share/id')
  tally.answer('shares.update', await api.patch(`${path}/shares/${id}`, { disabled: draw.happens(0.5) }))
  tally.answer('shares.delete', await api.delete(`${path}/shares/${id}`))
}

export const actions: readonly Action[] = [
  { name: 'upload', weight: 8, run: upload },
  { name: 'read', weight: 22, run: onDocument((session) => session.readAll(2)) },
  { name: 'edit', weight: 14, run: onDocument((session, { draw }) => session.editAll(draw.between(1, 6))) },
  { name: 'edit pages', weight: 3, run: onDocument((session) => session.editAll(3, { pagesToo: true })) },
  { name: 'extract', weight: 2, run: onDocument((session) => session.extract()) },
  { name: 'redact', weight: 3, run: onDocument((session) => session.redact()) },
  { name: 'sign', weight: 3, run: onDocument((session) => session.sign()) },
  { name: 'share', weight: 5, run: share },
  { name: 'listen', weight: 6, run: listen },
  { name: 'abort', weight: 8, run: abort },
  { name: 'read slowly', weight: 4, run: readSlowly },
  { name: 'delete a document', weight: 3, run: (client) => client.deleteOldest() },
  { name: 'delete a tenant', weight: 0.5, run: (client) => client.deleteTenant() },
]
