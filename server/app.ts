// The HTTP application over a deployment: everything but listening, so that programs can embed it and tests can inject.
import { randomUUID } from 'node:crypto'
import cors from '@fastify/cors'
import multipart from '@fastify/multipart'
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Deployment } from './deployment.js'
import { Refusal } from './errors.js'
import { refusalOf } from './failures.js'
import { envelope, unknownFailure } from './http/envelope.js'
import { mount } from './http/routes.js'
import { limits } from './limits.js'
import { refusalRecord } from './logging.js'
import type { Operation, Plane } from './operation.js'
import { operations } from './operations.js'
import { mountProbes } from './probes.js'
import { mountReference } from './reference.js'

export interface AppOptions {
  readonly logger: FastifyBaseLogger
  /** Of Steward. */
  readonly version: string
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The entry of the table this route was made of. */
    readonly operation?: Operation
  }
}

export async function buildApp(deployment: Deployment, { logger, version }: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: logger,
    // One line an answer, written by the hook below.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.jsonBodyBytesMax,
    routerOptions: { maxParamLength: limits.pathParameterCharactersMax },
    trustProxy: deployment.config.trustProxy,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    // Connections that idle are closed at once when the server stops; requests under way are finished.
    forceCloseConnections: 'idle',
  })
  await app.register(cors, {
    origin: true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: ['Content-Disposition', 'ETag', 'Retry-After', 'Idempotency-Replayed', 'X-Request-Id'],
    maxAge: 600,
  })
  await app.register(multipart, { limits: { fileSize: deployment.config.documentBytesMax, files: 64, fields: 64 } })
  acceptEmptyBodies(app)
  app.addHook('onRequest', async (request, reply) => void reply.header('X-Request-Id', request.id))
  app.setNotFoundHandler((request, reply) => {
    refuse(
      request,
      reply,
      new Refusal('NotFound', `There is no ${request.method} on this path; /docs lists what there is`),
    )
  })
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error)
    if (refusal === undefined) request.log.error({ err: error }, 'a bug: this error was not expected')
    refuse(request, reply, refusal ?? unknownFailure(request.id))
  })
  observe(app, deployment)
  mountProbes(app, deployment)
  await mountReference(app, operations, version)
  mount(app, operations, deployment)
  return app
}

/** Generated clients send `{}`, nothing, or nothing with a JSON content type, as they please. */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined)
    else parse(request, String(body), done)
  })
}

function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): void {
  if (refusal.status === 401 || refusal.status === 403) request.log.warn(refusalRecord(request, refusal), 'refused')
  else if (refusal.status >= 500) request.log.error({ err: refusal }, 'could not answer')
  if (refusal.retryAfterSeconds !== undefined) reply.header('Retry-After', String(refusal.retryAfterSeconds))
  reply.header('Cache-Control', 'no-store')
  reply
    .code(refusal.status)
    .type('application/json')
    .send(envelope(refusal, planeOf(request)))
}

/** Also for paths that no operation has: clients of the document plane read errors in its own form. */
function planeOf({ routeOptions, url }: FastifyRequest): Plane {
  return routeOptions.config.operation?.plane ?? (url.startsWith('/v1/docs/') ? 'document' : 'tenant')
}

function observe(app: FastifyInstance, { metrics }: Deployment): void {
  app.addHook('onResponse', async (request, reply) => {
    const operation = request.routeOptions.config.operation?.name ?? 'none'
    metrics.answered({ operation, status: reply.statusCode, seconds: reply.elapsedTime / 1000 })
    // The route's pattern, not the URL: addresses of documents stay out of the log.
    request.log.info({ operation, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'answered')
  })
}
