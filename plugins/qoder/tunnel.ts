// Tunnels: created by an administrator and not readable by the API (agent configuration 2.6). The id is recorded; a
// wrong one is detected only by what uses it.
import { handler } from '../../core/plugin/handler.js'
import type { TunnelBody } from '../kinds/tunnel.js'
import type { QoderClient } from './client.js'
import { idOf } from './wire.js'

export const tunnel = handler<QoderClient, TunnelBody>({
  kind: 'tunnel',
  support: { level: 'reference', api: 'managed', reason: 'an administrator allocates tunnels' },
  form: 1,
  fields: {},

  desired: () => ({}),
  observed: () => ({}),
  outputs: (remote) => ({ id: idOf(remote) }),

  read: async (_call, id) => ({ id }),
  create: async () => {
    throw new Error('tunnels are references')
  },
  remove: async () => {},
  removal: 'forget',

  replace: 'createFirst',
  lostCreate: { by: 'repeat' },
  isStateOnly: true,
})
