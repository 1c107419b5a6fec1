// U+0000 ends strings in the PDF engine, so it is refused in every text of every body: otherwise text would be truncated.
import t from 'tap'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { textPlacesIn } from '../../support/text-places.js'
import { everyRequest, namesOf } from '../support/every-operation.js'
import { done, runServer } from '../support/running-server.js'
import { signed, signingSecret } from '../support/tokens.js'

const server = await runServer(t, { env: { STEWARD_SIGNING_SECRET: signingSecret } })
const { api } = server
const docId = await server.upload(onePage(''))
const names = namesOf(docId)

t.test('a body with U+0000 is refused by every operation, with the member that has it', async (t) => {
  const before = (await api.get(`/v1/docs/${docId}/layers/default/manifest`).then(done)).text
  let tried = 0
  const wrong: string[] = []
  for (const { operation, path, title } of everyRequest(names)) {
    if (path.includes('@')) continue
    for (const { pointer, withText } of textPlacesIn(operation.input.body)) {
      tried++
      const answer = await api.send(path, { method: operation.method, json: withText('kept\0lost') })
      const isRight = answer.code === 'InvalidArg' && answer.text.includes(`${pointer} contains U+0000`)
      if (!isRight) wrong.push(`${title} ${pointer}: ${answer.text}`)
    }
  }
  t.same(wrong, [])
  t.ok(tried > 250, `${tried} places`)
  t.equal((await api.get(`/v1/docs/${docId}/layers/default/manifest`).then(done)).text, before, 'nothing was changed')
})

t.test('a token whose names contain U+0000 is refused', async (t) => {
  const claims = { tenant_id: 'acme', doc_id: docId, scope: ['*'] }
  const caller = async (displayName: string) => api.as(await signed({ ...claims, identity: { displayName } }))
  const path = `/v1/docs/${docId}/layers/default/manifest`
  t.equal((await (await caller('Ada\x01')).get(path)).status, 200)
  t.equal((await (await caller('Ada\0 Lovelace')).get(path)).status, 401)
})
