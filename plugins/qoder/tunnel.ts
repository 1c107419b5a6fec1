// Tunnels: an administrator gives them out, and no call tells of them (agent configuration 2.6). The id is recorded, and
// only what uses it can show whether it is right.
import { handler } from '../../core/plugin/handler.js'
import type { TunnelBody } from '../kinds/tunnel.js'
import type { QoderClient } from './client.js'
import { idOf } from './wire.js'

export const tunnel = handler<QoderClient, TunnelBody>({
  kind: 'tunnel',
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
