import fc from 'fast-check'
import t from 'tap'
import { formatAddress, namesAddress, nearestAddress, parseAddress } from '../../../core/value/address.js'

const known = ['qoder.agent.helper', 'qoder.vault.keys.prod', 'claude.agent.reviewer']

t.test('an address is parsed, dots in the name included', async () => {
  const anyWord = fc.stringMatching(/^[a-z_]+$/)
  fc.assert(
    fc.property(anyWord, anyWord, fc.string({ minLength: 1 }), (provider, kind, name) => {
      const parts = parseAddress(formatAddress({ provider, kind, name }))
      return parts.provider === provider && parts.kind === kind && parts.name === name
    }),
  )
})

t.test('the provider may be left out, and nothing else', async (t) => {
  t.equal(namesAddress('qoder.vault.keys.prod', 'qoder.vault.keys.prod'), true)
  t.equal(namesAddress('vault.keys.prod', 'qoder.vault.keys.prod'), true)
  for (const written of ['keys.prod', 'prod', 'qoder.vault.keys', 'claude.vault.keys.prod', ''])
    t.equal(namesAddress(written, 'qoder.vault.keys.prod'), false, written)
})

t.test('a misspelled address gets the closest one as a suggestion', async (t) => {
  t.equal(nearestAddress('qoder.agent.hlper', known), 'qoder.agent.helper')
  t.equal(nearestAddress('agent.hlper', known), 'qoder.agent.helper', 'without the provider')
  t.equal(nearestAddress('vault.keys-prod', known), 'qoder.vault.keys.prod')
  t.equal(nearestAddress('something.else.entirely', known), undefined)
  t.equal(nearestAddress('agent.helper', []), undefined)
})
