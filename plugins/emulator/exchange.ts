// Processes one request: authorisation, latency, holds, faults, schema checks, and the provider's errors.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SchemaChecks } from '../../core/plugin/schema-checks.js'
import { isObject, type Json } from '../../core/value/tree.js'
import { type Answer, type EmulatedApi, Refusal, type Refused, type Route } from './contract.js'
import type { Account } from './emulated-account.js'
import type { Fault, Faults } from './faults.js'
import type { WriteHold } from './hold.js'
import type { Knobs } from './knobs.js'
import { type LoggedRequest, maskedBody, maskedHeaders, type RequestLog } from './log.js'
import { readForm } from './multipart-form.js'
import { checkRequest, parseJson, textHeaders, textMembers } from './request.js'

/** Parts that all APIs of one emulator share. */
export interface Machinery {
  readonly log: RequestLog
  readonly faults: Faults
  readonly hold: WriteHold
  readonly knobs: () => Knobs
  readonly now: () => number
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** Controllers of requests in flight, which are aborted when the emulator closes. */
  readonly open: Set<AbortController>
  /** Resolves when all changes are stored durably. */
  saved(account: Account): Promise<void>
}

export class Exchange {
  private readonly checks = new SchemaChecks()
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
      const given = { headers: textHeaders(request), body }
      const received = this.api.receive?.(given) ?? given
      const accepted = checkRequest(route, received.body, request, this.checks)
      const answer = route.handle({
        ...this.account.context(),
        requestId: this.requestId(),
        headers: received.headers,
        params: accepted.params,
        body: accepted.body,
        query: accepted.query,
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

  /** Refuses requests that no route accepts. */
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

  /** Handles failures before a route is entered, such as an invalid form. */
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
      ownKnobs: this.account.ownKnobs,
    })
    if (refused) throw new Refusal(refused)
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
    if (stream) return reply.header('content-type', 'text/event-stream').send(Readable.from(withFirstComment(stream)))
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
      if (!reply.raw.writableFinished) gone.abort()
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

/** Yields a comment first, because headers are sent with the first bytes and clients wait for them. */
async function* withFirstComment(stream: AsyncIterable<string>): AsyncGenerator<string> {
  yield ': connected\n\n'
  yield* stream
}

/** True if the client disconnected or the emulator closes. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function fileLine({ field, filename, bytes }: { field: string; filename: string; bytes: Uint8Array }): Json {
  return { field, filename, sizeBytes: bytes.length }
}
