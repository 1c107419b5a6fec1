// Messages of sessions on Claude as they are written, and what sessions cost, against the emulator.
import t from 'tap'
import type { Call } from '../../../core/plugin/handler.js'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import type { ClaudeClient } from '../../../plugins/claude/client.js'
import { sessions } from '../../../plugins/claude/sessions.js'
import { openClaude } from './subject.js'

t.test('a message can be followed while it is written, and its cost is in units of the currency', async (t) => {
  const bench = await openClaude(t)
  bench.declare('environment', 'sandbox', { config: { type: 'cloud' } })
  bench.declare('agent', 'helper', { model: 'any', instructions: 'Help.', environment: 'sandbox' })
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  const call = bench.call as Call<ClaudeClient> // The workbench connected this provider.
  const declaration = bench.declaration('agent', 'helper')
  const request: SessionRequest = { vaults: [], memoryStores: [], files: [], variables: {} }
  const asked = bench.expanded(sessions.request(declaration, request, bench.scope(declaration)))
  const id = String((await sessions.create(call, asked))['id'])
  await sessions.send(call, id, 'One.')
  const signs: unknown[] = []
  for await (const event of sessions.events(call, id, { follow: true, asWritten: true })) {
    const sign = sessions.sign?.(event)
    if (sign) signs.push(sign)
    if (signs.length === 3) await sessions.send(call, id, 'Two.')
    if (signs.length > 3 && sign?.type === 'rests') break
  }
  const text = 'Done: Two.'
  t.match(signs.slice(3), [
    { type: 'runs' },
    { type: 'writes', text: text.slice(0, 5) },
    { type: 'writes', text: text.slice(5) },
    { type: 'says', text },
    { type: 'rests', reason: 'done' },
  ])
  const cost = (amount: string, currency: string) =>
    sessions.usage?.({ usage: { list_cost: { amount, currency } } })?.cost?.amount
  t.same([cost('2500', 'USD'), cost('5', 'USD'), cost('120', 'JPY')], ['25.00', '0.05', '120'])
  t.equal(sessions.usage?.({}), undefined)
})
