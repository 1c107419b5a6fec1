// Environments of the forward API, in which sessions of forward agents run. Their network cannot be limited.

import { handler } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { EnvironmentBody } from '../../kinds/environment.js'
import type { QoderClient } from '../client.js'
import { environmentBody } from '../declared.js'
import { environmentOf } from '../environment.js'

const fields = {
  description: { clear: '' },
  'config/type': { immutable: true },
  'config/packages': { unordered: true },
  metadata: { map: 'patchNull' },
} as const

export const environment = handler<QoderClient, EnvironmentBody>({
  ...environmentOf('forward', fields),
  support: { reason: 'apt, npm and pip packages only; the network cannot be limited' },

  declare: ({ remote }, index): JsonObject | undefined => environmentBody(environment.observed(remote), index),
})
