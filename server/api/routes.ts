// Mounts the table of operations as routes, each of which authorizes, validates, handles and responds in the same way.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { proveAccess } from '../access/prove-access.js'
import type { Caller } from '../auth/caller.js'
import { readConsistently } from '../documents/layer-moved.js'
import { sendAnswer } from '../http/answer.js'
import { hasBody } from '../http/body-coding.js'
import { ClientDisconnect } from '../http/client-disconnect.js'
import { fileBodyOf, isFileBody } from '../http/file-bodies.js'
import { bodyBytesMaxOf, holdBody } from '../http/hold-body.js'
import { partsOf } from '../http/parts.js'
import { type ReceivedBody, receiveBody, receiveFile } from '../http/received-body.js'
import { type Reader, readerOf } from '../http/validation.js'
import { parseVersionedToken } from '../http/versioned-token.js'
import { basePin, isOfHead } from '../layers/base-pins.js'
import { linkOfRequest, withoutLink } from '../links/link-of-request.js'
import { readFinder } from '../links/linked-reads.js'
import { authorize } from '../operation/authority.js'
import type { Deployment } from '../operation/deployment.js'
import { wrongType } from '../operation/failures.js'
import type { Context, DocumentContext, FindRead, Input, Operation } from '../operation/operation.js'
import { overHead } from '../rebase/over-head.js'
import { notFound, Refusal } from '../refusals/refusal.js'
import type { Asker } from '../telemetry/logging.js'
import { noted, refusalsNoted } from './note-read.js'

interface Readers {
  readonly params: Reader
  readonly query: Reader
  readonly body: Reader
}

const layerSegment = '/layers/:layerName'

export interface RouteContext {
  readonly deployment: Deployment
  /** Who sent a request, for the log. */
  readonly askers: WeakMap<FastifyRequest, Asker>
}

export function mount(
  app: FastifyInstance,
  operations: readonly Operation[],
  { deployment, askers }: RouteContext,
): void {
  const contexts = new WeakMap<FastifyRequest, Context>()
  const offered = operations.filter((operation) => isOffered(operation, deployment))
  const findRead = readFinder(
    offered.flatMap((operation) => pathsOf(operation).map(({ path }) => ({ operation, path }))),
  )
  for (const operation of offered) {
    const readers: Readers = {
      params: readerOf(operation.input.params, 'path'),
      query: readerOf(operation.input.query, 'query'),
      body: readerOf(operation.input.body, 'body'),
    }
    for (const { path, isVersioned } of pathsOf(operation)) {
      app.route({
        method: operation.method,
        url: path,
        config: { operation },
        ...(operation.isEndless ? { exposeHeadRoute: false } : {}),
        bodyLimit: bodyBytesMaxOf(operation),
        // Authorises before the body is read, so that the body of an unauthorised request is never parsed.
        onRequest: async (request, reply) => {
          contexts.set(request, await authorizeCaller(operation, { deployment, request, reply, askers, findRead }))
        },
        preParsing: async (request, reply) => {
          const context = contexts.get(request)
          if (context && hasBody(request)) holdBody(operation, context, { request, reply })
        },
        handler: (request, reply) => {
          const context = contexts.get(request)
          if (!context) throw new Error('A handler runs without its request having been authorized')
          return serve({ operation, readers, context, isVersioned }, request, reply)
        },
      })
    }
  }
}

function isOffered({ needs }: Operation, { authenticator, config }: Deployment): boolean {
  if (needs === 'minting') return authenticator.mintingSecret !== undefined
  return needs === 'revocation' ? config.tokenRevocation : true
}

/** Returns the paths of the operation: its own, and the immutable one beside it if it is versioned. */
function pathsOf({ path, versioned }: Operation) {
  const current = { path, isVersioned: false }
  if (!versioned) return [current]
  const pinned = { path: `${path}@:versions`, isVersioned: true }
  const inherited = { path: pinned.path.replace(layerSegment, ''), isVersioned: true }
  return versioned.isInherited ? [current, pinned, inherited] : [current, pinned]
}

interface ServedPath {
  readonly operation: Operation
  readonly readers: Readers
  readonly context: Context
  readonly isVersioned: boolean
}

async function serve(served: ServedPath, request: FastifyRequest, reply: FastifyReply) {
  const { operation, context } = served
  if (isFileBody(request, operation)) {
    return serveFiles(served, { request, reply }, await receiveFile(context, operation, fileBodyOf(request)))
  }
  if (!operation.resources || !request.isMultipart()) {
    if (request.isMultipart() && operation.input.body)
      throw new Refusal('InvalidArg', 'This operation accepts no files: the body must be JSON', wrongType)
    return serveBody(served, { request, reply, body: bodyOf(request, operation) })
  }
  return serveFiles(served, { request, reply }, await receiveBody(context, operation))
}

/** Serves a request with files, and removes them afterwards. */
async function serveFiles(
  served: ServedPath,
  { request, reply }: Pick<Exchange, 'request' | 'reply'>,
  { body, resources, discard }: ReceivedBody,
) {
  try {
    const within = { ...served, context: { ...served.context, resources: () => resources } }
    return await serveBody(within, { request, reply, body })
  } finally {
    await discard()
  }
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly body: unknown
}

async function serveBody(served: ServedPath, { request, reply, body }: Exchange) {
  const { operation, readers, context, isVersioned } = served
  const { versions, ...path } = request.params as Record<string, string>
  const token =
    isVersioned && operation.versioned ? parseVersionedToken(versions ?? '', operation.versioned.pins) : undefined
  const input: Input<never, never, never> = {
    params: readers.params.read(withLayer(path, operation)) as never,
    query: readers.query.read(token?.query ?? withoutLink(request.query, operation)) as never,
    body: readers.body.read(body) as never,
  }
  const isInherited = token !== undefined && !('layerName' in path)
  let isPinned = false
  const answer = await noted(operation, { context, params: path }, () =>
    atRest(served, async (context) => {
      if (token) isPinned = await refuseStale({ operation, input, pins: token.pins, isInherited }, context)
      return operation.handle(input, context as never)
    }),
  )
  // Shared caches ask for no password, so responses for documents that need one are not cacheable.
  const isImmutable = (isPinned || isOfImmutable(operation, input.query)) && !isLocked(context)
  return sendAnswer(reply, answer, { operation, isImmutable })
}

function isOfImmutable({ isImmutable }: Operation, query: object): boolean {
  if (isImmutable === undefined || isImmutable === true) return isImmutable === true
  return Object.hasOwn(query, isImmutable.query)
}

/** Runs a read with rows of one snapshot, if the operation reads a layer; see `readConsistently`. */
function atRest({ operation, context }: ServedPath, read: (context: Context) => Promise<unknown>): Promise<unknown> {
  if (!('document' in context)) return read(context)
  // This operation has a document, so its context is that of the document plane.
  const readOverHead = async (context: DocumentContext) => read(await overHead(context))
  return readConsistently(context as DocumentContext, readOverHead, { mayHoldWriters: operation.method === 'GET' })
}

interface PinnedRead {
  readonly operation: Operation
  readonly input: Input<never, never, never>
  readonly pins: Readonly<Record<string, number>>
  readonly isInherited: boolean
}

/** Throws `NotFound` for a stale pin. Returns true if the pins name all that the response depends on. */
async function refuseStale({ operation, input, pins, isInherited }: PinnedRead, context: Context): Promise<boolean> {
  // Versioned reads exist only in the document plane.
  const ofDocument = context as DocumentContext
  const current = (await operation.versioned?.current(input, ofDocument)) ?? {}
  for (const [name, pin] of Object.entries(pins)) if (current[name] !== pin) throw notFound('version of this')
  // A path without a layer is the same for all layers, so it serves only content that the layer has not changed.
  const isOfLayer = Object.values(current).some((pin) => pin === undefined || !isOfHead(pin, ofDocument))
  if (isInherited && isOfLayer) throw notFound('version of this')
  if (operation.versioned?.isFixed?.(context.deployment) === false) return false
  const unchanged = basePin(ofDocument)
  return Object.entries(current).every(([name, pin]) => Object.hasOwn(pins, name) || pin === unchanged)
}

const isLocked = (context: Context | DocumentContext): boolean =>
  'document' in context && context.document.row.encryption?.requiresPassword === true

interface RequestContext extends RouteContext {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly findRead: FindRead
}

/** Authorises the caller before anything else of the request is validated. */
async function authorizeCaller(
  operation: Operation,
  { deployment, askers, request, reply, findRead }: RequestContext,
): Promise<Context> {
  const path = request.params as Record<string, string | undefined>
  const link = linkOfRequest(request, { operation, deployment })
  // A document that is shown leads to other sites.
  if (link !== undefined) reply.header('Referrer-Policy', 'no-referrer')
  const caller = link?.caller ?? (await callerOfHeader(operation, { deployment, request }))
  askers.set(request, { caller })
  const disconnect = new ClientDisconnect(reply.raw)
  const context: Context = {
    deployment,
    caller,
    log: request.log,
    signal: () => disconnect.signal,
    requestId: request.id,
    address: request.ip,
    headers: request.headers,
    findRead,
    parts: () => partsOf(request),
    resources: () => ({}),
  }
  const { plane, authority } = operation
  const { tenantId, docId, layerName } = path
  const allowed = await authorize({ authority, plane, tenantId, docId, layerName }, context)
  if ('tenant' in allowed) askers.set(request, { caller, tenantId: allowed.tenant.row.id })
  if (!('document' in allowed)) return allowed
  return refusalsNoted(allowed, () => proveAccess(allowed, operation))
}

const callerOfHeader = async (
  { authority }: Operation,
  { deployment, request }: Pick<RequestContext, 'deployment' | 'request'>,
): Promise<Caller> =>
  authority.kind === 'none' ? { kind: 'nobody' } : deployment.authenticator.authenticate(request.headers.authorization)

/** Paths of inherited reads name no layer, but their schema describes the path with one. */
function withLayer(path: Record<string, string>, { path: pattern }: Operation) {
  return pattern.includes(layerSegment) && path.layerName === undefined ? { ...path, layerName: 'default' } : path
}

/** An optional body may be absent, empty or `{}`, with the same meaning; JSON `null` and `""` are not accepted. */
function bodyOf({ body }: FastifyRequest, { isBodyOptional }: Operation): unknown {
  return isBodyOptional && body === undefined ? {} : body
}
