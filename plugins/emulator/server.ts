// Serves one emulated API below its prefix: authorisation, schema checks, faults, holds, and the provider's own errors.
import { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type Json } from '../../core/value/tree.js'
import type { Account } from './account.js'
import { type Answer, type EmulatedApi, Refusal, type Refused, type Route, refuse } from './contract.js'
import type { Fault, Faults } from './faults.js'
import { multipartOptions, readForm } from './form.js'
import type { WriteHold } from './hold.js'
import { issuesOf } from './issues.js'
import type { Knobs } from './knobs.js'
import { type LoggedRequest, maskedBody, maskedHeaders, type RequestLog } from './log.js'

/** What all APIs of one emulator share. */
export interface Machinery {
  readonly log: RequestLog
  readonly faults: Faults
  readonly hold: WriteHold
  readonly knobs: () => Knobs
  readonly now: () => number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** One for each request that is being answered; closing the emulator aborts them all. */
  readonly open: Set<AbortController>
  /** Resolves when what was written is as durable as it gets. */
  saved(account: Account): Promise<void>
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function apiPlugin(account: Account, api: EmulatedApi, machinery: Machinery): FastifyPluginAsync {
  const exchange = new Exchange(account, api, machinery)
  return async (app: FastifyInstance) => {
    await app.register(multipart, multipartOptions)
    app.removeContentTypeParser(['application/json', 'text/plain'])
    app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
    app.setNotFoundHandler((request, reply) => exchange.refuseRequest(request, reply, 'notFound'))
    app.setErrorHandler((error, request, reply) => exchange.fail(error, request, reply))
    const taken = new Map<string, string[]>()
    for (const route of api.routes) {
      app.route({ method: route.method, url: route.path, handler: (q, r) => exchange.run(route, q, r) })
      const path = route.path.replaceAll(/:[^/]+/g, ':id')
      taken.set(path, [...(taken.get(path) ?? []), route.method])
    }
    for (const [url, used] of taken) {
      const others = methods.filter((method) => !used.includes(method))
      if (others.length > 0)
        app.route({ method: others, url, handler: (q, r) => exchange.refuseRequest(q, r, 'methodNotAllowed') })
    }
  }
}

class Exchange {
  private requests = 0

  constructor(
    private readonly account: Account,
    private readonly api: EmulatedApi,
    private readonly machinery: Machinery,
  ) {}

  async run(route: Route, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { machinery } = this
    const form = route.isForm ? await readForm(request) : undefined
    const body = form ? form.fields : parseJson(request.body)
    const entry = this.log(request, form ? { ...form.fields, files: form.files.map(fileLine) } : body)
    const signal = this.signalOf(reply)
    const isWrite = route.writes ?? route.method !== 'GET'
    try {
      this.authorize(request)
      await machinery.sleep(machinery.knobs().latencyMs, signal)
      const isHeld = isWrite && machinery.hold.counts()
      const when = machinery.hold.when
      if (isHeld && when === 'before' && !(await machinery.hold.wait(signal))) return this.drop(entry, reply)
      const fault = machinery.faults.draw(isWrite)
      if (fault?.when === 'before') return this.inject(fault, entry, request, reply)
      const checked = this.check(route, body, request)
      const answer = route.handle({
        ...this.account.context(),
        requestId: this.requestId(),
        headers: textHeaders(request),
        params: checked.params,
        body: checked.body,
        query: checked.query,
        files: form?.files ?? [],
        signal,
      })
      if (isWrite) await machinery.saved(this.account)
      if (fault) return this.inject(fault, entry, request, reply)
      if (isHeld && when === 'after' && !(await machinery.hold.wait(signal))) return this.drop(entry, reply)
      return this.send(answer, entry, request, reply)
    } catch (error) {
      return this.failLogged(error, entry, request, reply)
    }
  }

  /** For requests that no route takes. */
  refuseRequest(request: FastifyRequest, reply: FastifyReply, kind: 'notFound' | 'methodNotAllowed'): FastifyReply {
    const entry = this.log(request, null)
    try {
      this.authorize(request)
    } catch (error) {
      return this.failLogged(error, entry, request, reply)
    }
    return this.sendRefused(
      { kind, message: `${request.method} ${this.path(request)}: ${meaning[kind]}` },
      entry,
      request,
      reply,
    )
  }

  /** For what goes wrong before a route is entered, such as a broken form. */
  fail(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    return this.failLogged(error, this.log(request, null), request, reply)
  }

  private failLogged(error: unknown, entry: LoggedRequest, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (error instanceof Refusal) return this.sendRefused(error.refused, entry, request, reply)
    if (isAbort(error) || reply.raw.destroyed) return this.drop(entry, reply)
    const status = isObject(error) || error instanceof Error ? Reflect.get(error, 'statusCode') : undefined
    const message = error instanceof Error ? error.message : String(error)
    if (status === 413) return this.sendRefused({ kind: 'tooLarge', message }, entry, request, reply)
    if (typeof status === 'number' && status >= 400 && status < 500)
      return this.sendRefused({ kind: 'invalid', message }, entry, request, reply)
    entry.bug = error instanceof Error ? (error.stack ?? message) : message
    return this.sendRefused(
      { kind: 'serverError', message: `a defect of the emulator: ${message}` },
      entry,
      request,
      reply,
    )
  }

  private authorize(request: FastifyRequest): void {
    const refused = this.api.authorize({
      method: request.method,
      path: this.path(request),
      headers: textHeaders(request),
    })
    if (refused) throw new Refusal(refused)
  }

  private check(route: Route, body: unknown, request: FastifyRequest) {
    const query = textMembers(request.query)
    const queryIssues = route.query
      ? issuesOf(route.query, request.query)
      : Object.keys(query).map((name) => ({
          path: name,
          problem: 'unknown' as const,
          message: `${name}: unknown field`,
        }))
    const bodyIssues = route.body
      ? issuesOf(route.body, body ?? {})
      : Object.keys(isObject(body) ? body : {}).map((name) => ({
          path: name,
          problem: 'unknown' as const,
          message: `${name}: unknown field`,
        }))
    const issues = [...queryIssues, ...bodyIssues]
    const first = issues[0]
    if (first) throw refuse('invalid', first.message, { issues, param: first.path })
    return { query, body: body ?? {}, params: textMembers(request.params) }
  }

  private inject(fault: Fault, entry: LoggedRequest, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    entry.fault = `${fault.kind} ${fault.when}`
    if (fault.kind === 'drop') return this.drop(entry, reply)
    return this.sendRefused(this.machinery.faults.refused(fault.kind), entry, request, reply)
  }

  private sendRefused(
    refused: Refused,
    entry: LoggedRequest,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const answer = this.api.error(refused, { requestId: this.requestId() })
    return this.send({ ...answer, headers: { ...refused.headers, ...answer.headers } }, entry, request, reply)
  }

  private send(answer: Answer, entry: LoggedRequest, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const facts = { requestId: this.requestId(), path: this.path(request) }
    const { status = 200, headers = {}, body, bytes, stream } = this.api.finish?.(answer, facts) ?? answer
    entry.status = status
    reply.code(status).headers(headers)
    if (stream) return reply.header('content-type', 'text/event-stream').send(Readable.from(opened(stream)))
    if (bytes) return reply.send(Buffer.from(bytes))
    if (body === undefined) return reply.send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body))
  }

  /** Ends the connection without an answer. */
  private drop(entry: LoggedRequest, reply: FastifyReply): FastifyReply {
    entry.status = 0
    reply.hijack()
    reply.raw.destroy()
    return reply
  }

  private log(request: FastifyRequest, body: unknown): LoggedRequest {
    this.requests++
    return this.machinery.log.add({
      provider: this.account.description.provider,
      method: request.method,
      prefix: this.api.prefix,
      path: this.path(request),
      query: textMembers(request.query),
      headers: maskedHeaders(textHeaders(request)),
      body: maskedBody(body, this.account.description.secretMembers ?? []) as Json,
      atMs: this.machinery.now(),
    })
  }

  private signalOf(reply: FastifyReply): AbortSignal {
    const { open } = this.machinery
    const gone = new AbortController()
    open.add(gone)
    reply.raw.once('close', () => {
      open.delete(gone)
      gone.abort()
    })
    return gone.signal
  }

  private requestId(): string {
    return `req_${this.requests.toString().padStart(8, '0')}`
  }

  private path(request: FastifyRequest): string {
    return (request.url.split('?')[0] ?? '').slice(this.api.prefix.length)
  }
}

const meaning = { notFound: 'no such path', methodNotAllowed: 'this path does not take that method' } as const

/** A comment first, because headers travel with the first bytes and clients wait for them. */
async function* opened(stream: AsyncIterable<string>): AsyncGenerator<string> {
  yield ': connected\n\n'
  yield* stream
}

/** The client went away, or the emulator closes. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function parseJson(text: unknown): unknown {
  if (typeof text !== 'string' || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('invalid', 'the body is not JSON')
  }
}

function textHeaders(request: FastifyRequest): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
}

/** The members that are text; a repeated query parameter is none, and fails its schema. */
function textMembers(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

function fileLine({ field, filename, bytes }: { field: string; filename: string; bytes: Uint8Array }): Json {
  return { field, filename, sizeBytes: bytes.length }
}
