// Concurrent hashing of share passphrases: fairness, and refusals that do not count as attempts.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const guessesMax = 8
const server = await runServer(t, { passphraseBounds: { waitingMax: 1 }, rateBounds: { shareGuesses: guessesMax } })
const { api } = server
const pdf = onePage('0 0 100 100 re f')
const origin = 'https://app.example.com'

const sharesOf = (tenantId: string) => `/v1/tenants/${tenantId}/shares`
const protectedShare = async (tenantId: string, docId: string): Promise<string> => {
  const request = { docId, scope: ['doc.open'], password: 'right' }
  return (await api.post(sharesOf(tenantId), request).then(done)).word('/share/id')
}
const exchange = (shareToken: string): Promise<Answer> =>
  api.as(undefined).post('/v1/share-sessions', { shareToken, password: 'right' }, { origin })
const outcomes = (answers: readonly Answer[]) => new Set(answers.map(({ status }) => status))

t.test('a tenant with many hashes fills its own queue only, and visitors of others are served', async (t) => {
  const greedyId = await server.upload(pdf, { tenantId: 'greedy' })
  const token = await protectedShare('small', await server.upload(pdf, { tenantId: 'small' }))
  const greedy: Answer[] = []
  let isOver = false
  const creators = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      greedy.push(await api.post(sharesOf('greedy'), { docId: greedyId, scope: ['doc.open'], password: 'right' }))
    }
  })
  while (greedy.length === 0) await new Promise(setImmediate)
  for (let count = 0; count < 3; count += 1) t.equal((await exchange(token)).status, 200)
  isOver = true
  await Promise.all(creators)
  t.same(outcomes(greedy), new Set([200, 503]), 'what was too much for one tenant was refused to it')
})

t.test('a refusal because of a full queue does not count as an attempt', async (t) => {
  const token = await protectedShare('acme', await server.upload(pdf, { tenantId: 'acme' }))
  const answers = await Promise.all(Array.from({ length: guessesMax }, () => exchange(token)))
  t.same(outcomes(answers), new Set([200, 503]))
  const refused = answers.filter(({ status }) => status === 503)
  for (const _ of refused) t.equal((await exchange(token)).status, 200)
  t.equal((await exchange(token)).status, 429)
})
