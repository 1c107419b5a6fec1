// Tunnels of sessions on Qoder.
import t from 'tap'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import { openQoder } from './subject.js'

const nothing: SessionRequest = { vaults: [], memoryStores: [], files: [], variables: {} }

t.test('2.6 a managed session is started with the tunnel of its agent, or with another', async (t) => {
  const bench = await openQoder(t)
  const agent = { model: 'auto', instructions: 'Help.', environment: 'sandbox', tunnel: 'office' }
  const declaration = bench.declare('agent', 'helper', agent)
  const scope = { ...bench.scope(declaration), output: (kind: string, name: string) => `${kind} ${name}` }
  t.equal(bench.sessions.request(declaration, nothing, scope)['tunnel_id'], 'tunnel office')
  t.equal(bench.sessions.request(declaration, { ...nothing, tunnel: 'home' }, scope)['tunnel_id'], 'tunnel home')
})
