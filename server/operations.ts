// Every operation of the document server.
import type { Operation } from './operation.js'
import { annotationOperations } from './operations/annotations.js'
import { changeOperations } from './operations/changes.js'
import { contentOperations } from './operations/contents.js'
import { deploymentOperations } from './operations/deployment.js'
import { documentOperations } from './operations/documents.js'
import { eventOperations } from './operations/events.js'
import { opRoutes } from './operations/op-routes.js'
import { readingOperations } from './operations/reading.js'
import { shareOperations } from './operations/shares.js'
import { tenantOperations } from './operations/tenants.js'
import { tokenOperations } from './operations/tokens.js'

export const operations: readonly Operation[] = [
  ...deploymentOperations,
  ...tenantOperations,
  ...documentOperations,
  ...shareOperations,
  ...tokenOperations,
  ...readingOperations,
  ...annotationOperations,
  ...contentOperations,
  ...opRoutes,
  ...eventOperations,
  ...changeOperations,
]
