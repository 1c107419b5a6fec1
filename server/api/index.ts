// Every operation of the document server.
import type { Operation } from '../operation/operation.js'
import { accessOperations } from './access.js'
import { analysisOperations } from './analysis.js'
import { annotationOperations } from './annotations.js'
import { attachmentOperations } from './attachments.js'
import { changeOperations } from './changes.js'
import { contentOperations } from './contents.js'
import { deploymentOperations } from './deployment.js'
import { documentOperations } from './documents.js'
import { eventOperations } from './events.js'
import { linkOperations } from './links.js'
import { opRoutes } from './op-routes.js'
import { readingOperations } from './reading.js'
import { searchOperations } from './search.js'
import { shareOperations } from './shares.js'
import { signingOperations } from './signing.js'
import { tenantOperations } from './tenants.js'
import { tokenOperations } from './tokens.js'
import { versionOperations } from './versions.js'
import { webhookOperations } from './webhooks.js'

export const operations: readonly Operation[] = [
  ...deploymentOperations,
  ...tenantOperations,
  ...documentOperations,
  ...shareOperations,
  ...tokenOperations,
  ...webhookOperations,
  ...accessOperations,
  ...linkOperations,
  ...readingOperations,
  ...searchOperations,
  ...annotationOperations,
  ...attachmentOperations,
  ...contentOperations,
  ...versionOperations,
  ...analysisOperations,
  ...opRoutes,
  ...signingOperations,
  ...eventOperations,
  ...changeOperations,
]
