// `/openapi.json` for programs and `/docs` for people; the page brings everything it needs along and works offline.
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { openApiOf } from './openapi.js'
import type { Operation } from './operation.js'

export async function mountReference(
  app: FastifyInstance,
  operations: readonly Operation[],
  version: string,
): Promise<void> {
  const document = openApiOf(operations, version)
  app.get('/openapi.json', async () => document)
  // The package's types know OpenAPI 3.0 only; what it does is hand the document to the page.
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', deepLinking: true, tryItOutEnabled: false },
    staticCSP: true,
  })
}
