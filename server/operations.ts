// Every operation of the document server.
import type { Operation } from './operation.js'
import { deploymentOperations } from './operations/deployment.js'
import { shareOperations } from './operations/shares.js'
import { tenantOperations } from './operations/tenants.js'
import { tokenOperations } from './operations/tokens.js'

export const operations: readonly Operation[] = [
  ...deploymentOperations,
  ...tenantOperations,
  ...tokenOperations,
  ...shareOperations,
]
