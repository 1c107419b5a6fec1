// Fairness on a server with one thread: a greedy tenant, visitors of a public share, and other callers.
import t from 'tap'
import { helvetica, onePage } from '../support/pdf/raw-pdf.js'
import type { Answer, Client } from './support/client.js'
import { done, runServer } from './support/running-server.js'

const pdf = onePage('BT /F1 12 Tf 20 100 Td (Hello) Tj ET', { resources: helvetica })
const server = await runServer(t)
const { api } = server
/** More requests than the queue of a tenant accepts with one thread. */
const backlog = 120

const layerOf = (docId: string) => `/v1/docs/${docId}/layers/default`
const renders = (client: Client, docId: string, ended: string[]): readonly Promise<Answer>[] =>
  Array.from({ length: backlog }, async (_, index) => {
    const query = `viewport.kind=width&viewport.width=${2500 + index}&format=png`
    const answer = await client.get(`${layerOf(docId)}/render/pages/obj:3/data?${query}`)
    if (answer.status === 200) ended.push('greedy')
    return answer
  })

/** Sends reads and a change, one after the other. */
async function smallWork(client: Client, docId: string, ended: string[]): Promise<readonly number[]> {
  const layer = layerOf(docId)
  const rect = { x: 20, y: 20, width: 60, height: 40 }
  const ops = [{ type: 'annotations.create', page: { objectNumber: 3 }, data: { subtype: 'square', rect } }]
  const answers = [
    await client.get(`${layer}/text/pages/obj:3/data`),
    await client.get(`${layer}/render/pages/obj:3/data`),
    await client.post(`${layer}/changes`, { changes: [{ opId: 'fair', ops }] }),
  ]
  ended.push('small')
  return answers.map(({ status }) => status)
}

t.test(
  'a greedy tenant fills its own queue only, and few requests of another tenant are served before its backlog',
  async (t) => {
    const [greedy, small] = [
      await server.upload(pdf, { tenantId: 'greedy' }),
      await server.upload(pdf, { tenantId: 'small' }),
    ]
    const ended: string[] = []
    const answers = renders(api, greedy, ended)
    await Promise.any(answers)
    t.same(await smallWork(api, small, ended), [200, 200, 200])
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    t.same(new Set(statuses), new Set([200, 503]), 'what was too much for one tenant was refused to it')
    t.ok(ended.indexOf('small') < ended.length - 1, 'before the end of the backlog')
  },
)

t.test('visitors of a share do not block requests of its owner', async (t) => {
  const docId = await server.upload(pdf, { tenantId: 'acme' })
  const share = await api.post('/v1/tenants/acme/shares', { docId, scope: ['doc.open', 'doc.render'] }).then(done)
  const exchange = { shareToken: share.word('/share/id') }
  const session = await api
    .as(undefined)
    .post('/v1/share-sessions', exchange, { origin: 'https://example.com' })
    .then(done)
  const ended: string[] = []
  const answers = renders(api.as(session.word('/token')), docId, ended)
  await Promise.any(answers)
  t.same(await smallWork(api, docId, ended), [200, 200, 200])
  t.ok((await Promise.all(answers)).some(({ status }) => status === 503))
  t.ok(ended.indexOf('small') < ended.length - 1, 'before the end of the backlog')
})
