// Tunnels, which an administrator creates and the API cannot read (agent configuration 2.6). The id is recorded
// unchecked; a wrong one fails only when a session uses it.
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
