// Builds the HTTP application of a deployment without listening, so that programs can embed it and tests can inject
// requests.
import multipart from '@fastify/multipart'
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { operations } from '../api/index.js'
import { mount, type RouteContext } from '../api/routes.js'
import { fileHeaders } from '../documents/send-attachment.js'
import { limitAnonymous } from '../http/anonymous-rate.js'
import { readBodyHeaders } from '../http/body-coding.js'
import { compressAnswers } from '../http/compression.js'
import { type ConnectionBounds, defaultConnectionBounds } from '../http/connection-bounds.js'
import { boundedServer } from '../http/connections.js'
import { acceptFileBodies } from '../http/file-bodies.js'
import { notJson, refuseHeavy } from '../http/json-text.js'
import { ServedMethods } from '../http/other-methods.js'
import { admitOtherOrigins, isOfApi } from '../http/other-origins.js'
import { refuse, refuseError } from '../http/refuse.js'
import { checkRequestHeads } from '../http/request-head.js'
import { requestIdOf } from '../http/request-id.js'
import { answerUnparsable } from '../http/unparsable-requests.js'
import { limits } from '../limits.js'
import { mountReference } from '../openapi/reference.js'
import type { Deployment } from '../operation/deployment.js'
import { wrongType } from '../operation/failures.js'
import type { Operation } from '../operation/operation.js'
import { mountPages } from '../pages/mount-pages.js'
import { isDamage } from '../refusals/damaged-file.js'
import { Refusal } from '../refusals/refusal.js'
import { topUpHeaders } from '../schemas/object-numbers.js'
import { type Asker, answerRecord } from '../telemetry/logging.js'
import { mountProbes } from './probes.js'

export interface AppOptions {
  readonly logger: FastifyBaseLogger
  /** Version of Steward. */
  readonly version: string
  /** Default: those of `limits`. */
  readonly connectionBounds?: Partial<ConnectionBounds>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operation that the route belongs to. */
    readonly operation?: Operation
  }
}

/**
 * Response headers that scripts of other origins may read; without the range headers a PDF viewer loads whole files.
 */
const exposedHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Length',
  'Content-Range',
  'ETag',
  'Idempotency-Replayed',
  'Retry-After',
  'X-Request-Id',
  ...Object.values(fileHeaders),
  topUpHeaders.reserved,
] as const

export async function buildApp(
  deployment: Deployment,
  { logger, version, connectionBounds }: AppOptions,
): Promise<FastifyInstance> {
  const askers = new WeakMap<FastifyRequest, Asker>()
  const app = fastify({
    serverFactory: (serve, { keepAliveTimeout = 0 }) => {
      // Handlers limit the parts of a body; this limits the body with everything between the parts.
      const bodyBytesMax = deployment.config.documentBytesMax + 2 * limits.jsonBodyBytesMax
      const bounds = { ...defaultConnectionBounds, bodyBytesMax, ...connectionBounds }
      const onCut = (reason: string) => deployment.metrics.count(`connection-cut-${reason}`)
      const server = boundedServer(serve, { bounds, onCut })
      // Bodies have no total timeout but a minimum rate, which the connection enforces itself.
      return Object.assign(server, { keepAliveTimeout, requestTimeout: 0 })
    },
    // Operations validate with their own schemas; loading those of the framework takes time.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    loggerInstance: logger,
    // The hook below writes one line per response.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.jsonBodyBytesMax,
    routerOptions: { maxParamLength: limits.pathParameterCharactersMax },
    // Only the last address of the header is trusted, because the operator's own proxy added it; the client chooses the
    // rest.
    trustProxy: deployment.config.trustProxy && ((_address, hop) => hop === 0),
    requestIdHeader: false,
    genReqId: requestIdOf,
    clientErrorHandler: answerUnparsable,
    // Idle connections are closed at once when the server stops; requests in flight are finished, and new ones are
    // refused below in the envelope of their plane.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Handles malformed paths, which reach no route and no hook.
    frameworkErrors: (error, request, reply) => {
      if (isOfApi(request.url)) {
        reply.header('Access-Control-Allow-Origin', request.headers.origin ?? '*').header('Vary', 'Origin')
      }
      refuseError(error, { request, reply, caller: undefined })
    },
  })
  app.addHook('onRequest', (request, reply, done) => {
    // Browsers take every answer for what its type says.
    reply.headers({ 'X-Request-Id': request.id, 'X-Content-Type-Options': 'nosniff' })
    done()
  })
  await admitOtherOrigins(app, exposedHeaders)
  const served = new ServedMethods(app)
  compressAnswers(app, deployment.caches.compressed)
  readBodyHeaders(app)
  refuseWhileClosing(app)
  limitAnonymous(app, deployment.rates)
  checkRequestHeads(app)
  await app.register(multipart, {
    limits: {
      fileSize: deployment.config.documentBytesMax,
      files: limits.requestFilesMax,
      fields: limits.requestFilesMax,
      fieldSize: limits.jsonBodyBytesMax,
      fieldNameSize: limits.partNameBytesMax,
    },
  })
  acceptEmptyBodies(app)
  acceptFileBodies(app, operations)
  // Streams never end by themselves, and the server waits for every response in flight.
  app.addHook('preClose', async () => deployment.eventStreams.close())
  // This hook runs before the body is read, because a handler would wait for it.
  app.addHook('onRequest', async ({ is404, method }) => {
    if (is404) throw unknownPath(method)
  })
  // These pages belong to a package, which looks for a file first.
  app.setNotFoundHandler((request, reply) => {
    refuse(unknownPath(request.method), { request, reply, caller: undefined })
  })
  app.setErrorHandler((error, request, reply) => {
    const refusal = refuseError(error, { request, reply, caller: askers.get(request)?.caller })
    if (isDamage(refusal)) deployment.metrics.count('file-damaged')
  })
  observe(app, { deployment, askers })
  mountProbes(app, deployment)
  await mountReference(app, { operations, version, publicUrl: deployment.config.publicUrl })
  mountPages(app)
  mount(app, operations, { deployment, askers })
  served.mountOthers(app)
  return app
}

const noCompiler = (): never => {
  throw new Error('A route has a schema of the framework; operations have their own')
}

/** Refuses requests on connections that were busy when the server began to stop. */
function refuseWhileClosing(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  app.addHook('onRequest', (_request, _reply, done) => done(isClosing ? closing() : undefined))
}

const unknownPath = (method: string) =>
  new Refusal('NotFound', `There is no operation for ${method} on this path; /docs lists all operations`)

const closing = () =>
  new Refusal('RuntimeUnavailable', 'The server is shutting down', {
    retryAfterSeconds: limits.closingRetryAfterSeconds,
  })

const noJson = () =>
  new Refusal('InvalidArg', 'The body is sent as text/plain; its Content-Type must be application/json', wrongType)

/** Accepts empty bodies: generated clients send `{}`, nothing, or nothing with a JSON content type. */
function acceptEmptyBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = String(body)
    if (text === '') return done(null, undefined)
    try {
      refuseHeavy(text)
    } catch (refusal) {
      return done(refusal as Refusal, undefined)
    }
    parse(request, text, (error, value) => done(error ? notJson(text, 'The body') : null, value))
  })
  // `fetch` sets this content type for a string without one.
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, (_request, body, done) => {
    done(body === '' ? null : noJson(), undefined)
  })
}

function observe(app: FastifyInstance, { deployment, askers }: RouteContext): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { name = 'none', method } = request.routeOptions.config.operation ?? {}
    const status = reply.statusCode
    deployment.metrics.countAnswer({ operation: name, status, seconds: reply.elapsedTime / 1000 })
    if (method !== undefined && method !== 'GET') {
      deployment.metrics.count('change-sent')
      // A 502 is about a server of somebody else, from which a file was to be imported.
      if (status >= 500 && status !== 502) deployment.metrics.count('change-failed')
    }
    request.log.info(answerRecord(request, reply, askers.get(request) ?? {}), 'answered')
    done()
  })
}
