// Error bodies of bailian, and creates that are repeated.
import t from 'tap'
import { isFailure } from '../../../core/plugin/failure.js'
import type { BailianClient } from '../../../plugins/bailian/client.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { openBailian } from './subject.js'

t.test('three forms of error bodies are understood', async (t) => {
  const classify = (body: unknown) =>
    bailian.classify({ method: 'POST', path: '/agents', status: 400, headers: new Headers(), body })
  const facts = { class: 'invalid', code: 'AGENT_005', message: 'no name' }
  t.same(classify({ type: 'error', error: { code: 'AGENT_005', message: 'no name' }, request_id: 'req_1' }), facts)
  t.same(classify({ type: 'error', error: { error_code: 'AGENT_005', error_message: 'no name' } }), facts)
  t.same(classify({ timestamp: '…', status: 400, error: 'Bad Request', path: '/agents' }), {
    class: 'invalid',
    message: 'Bad Request',
  })
  t.same(classify('<html>'), { class: 'invalid', message: '<html>' })
  t.same(classify({}), { class: 'invalid' })
})

t.test('a create is repeated after 429 and never after an answer that may hide an effect', async (t) => {
  const bench = await openBailian(t)
  const client = bench.call.client as BailianClient
  const faults = (kinds: readonly string[]) =>
    bench.request('PUT', '/_emulator/knobs', { faults: { rate: 0.5, seed: 7, kinds } })
  await faults(['rateLimited'])
  for (let made = 0; made < 5; made++) await client.create('/vaults', { display_name: `v${made}` })
  await faults(['serverError'])
  let failed = 0
  for (let tried = 0; tried < 10; tried++)
    await client.create('/vaults', { display_name: 'w' }).catch((error: unknown) => {
      failed++
      t.match(isFailure(error, 'retry') && error.isAmbiguous, true)
    })
  await bench.request('PUT', '/_emulator/knobs', { faults: 0 })
  t.ok(failed > 0)
  const { body } = await bench.request('GET', '/vaults?limit=100')
  const rows = body['data'] as { display_name: string }[]
  t.equal(rows.filter(({ display_name }) => display_name !== 'w').length, 5)
  t.ok(rows.length <= 15)
})
