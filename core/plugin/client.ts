// The JSON client that provider plugins are based on: deadlines, repeated requests, error classes, paging.
import type { TSchema } from 'typebox'
import { type HttpProgress, type HttpResponse, isForm } from '../ports/http.js'
import type { Json, JsonObject } from '../value/tree.js'
import { AnyObject, describeAnswer, firstOf, IdentifiedObject, pageOf, readAnswer } from './answer.js'
import { ContentRefused, contentLimits } from './content.js'
import { Deadline } from './deadline.js'
import { isContent, isTooLong, withFirstWords } from './download.js'
import { ApiFailure, type Classify, isFailure } from './failure.js'
import { ListProgress } from './list-progress.js'
import { type Paging, pageTokenPaging, rowsOf } from './paging.js'
import { type Query, queryText } from './path-to.js'
import type { ConnectEnvironment } from './provider.js'
import { refused } from './refused.js'
import { repeat } from './repeat.js'
import { SchemaChecks } from './schema-checks.js'
import { parseEvents, type ServerSentEvent } from './server-sent-events.js'
import { SilenceReport } from './silence.js'
import { overdue, unanswered } from './unanswered.js'

export const clientLimits = {
  requestTimeoutMs: 30_000,
  /** Maximum time in which no byte of an upload or download moves, and of the wait for the answer after it. */
  transferSilenceMs: 300_000,
} as const

export interface ClientOptions {
  /** Address without a trailing slash. */
  readonly baseUrl: string
  /** Returns the authorization and version headers, which may depend on the path. */
  headers(path: string): Readonly<Record<string, string>>
  readonly classify: Classify
  /** Schema of the required part of answers, unless a request has its own. Default: an object with an id. */
  readonly answer?: TSchema
  /** True if an object that a read still returns counts as removed. Default: never. */
  isRemoved?(remote: JsonObject): boolean
  readonly environment: ConnectEnvironment
}

export interface RequestOptions {
  readonly signal?: AbortSignal
  readonly query?: Query
  readonly headers?: Readonly<Record<string, string>>
  /** Schema of the required part of the answer, or of every row of a list. Default: `ClientOptions.answer`. */
  readonly answer?: TSchema
}

export interface DeleteOptions extends RequestOptions {
  /** Returns whether the object is gone, for objects that cannot be read by a GET of the same path. */
  isGone?(): Promise<boolean>
}

interface SentRequest {
  readonly method: string
  readonly path: string
  readonly body?: Json | FormData
  readonly isRepeatable: boolean
  /** Maximum size of an answer that is not JSON; set only for such answers. */
  readonly bytesMax?: number
  readonly options: RequestOptions
}

export class ApiClient {
  private readonly checks = new SchemaChecks()

  constructor(private readonly options: ClientOptions) {}

  get(path: string, options: RequestOptions = {}): Promise<JsonObject> {
    return this.send({ method: 'GET', path, isRepeatable: true, options })
  }

  /**
   * Downloads an upload that begins with known bytes. A body that begins otherwise is a page or an error of another
   * program. Throws `ContentRefused` if it is too large.
   */
  async download(path: string, firstBytes: string, options: RequestOptions = {}): Promise<Uint8Array> {
    const bytesMax = contentLimits.downloadBytesMax
    const response = await this.sendRaw({ method: 'GET', path, isRepeatable: true, bytesMax, options })
    if (isContent(response, firstBytes)) return response.bytes
    if (isTooLong(response)) throw new ContentRefused(`it has more than ${bytesMax} bytes`)
    throw new ApiFailure({
      class: 'unexpected',
      status: response.status,
      message: `${this.describe(withFirstWords(response))} where a download was expected`,
      operation: `GET ${path}`,
      isAmbiguous: false,
    })
  }

  /** Sends a POST that creates an object. It is never repeated if it may have taken effect. */
  create(path: string, body: Json | FormData, options: RequestOptions = {}): Promise<JsonObject> {
    return this.send({ method: 'POST', path, body, isRepeatable: false, options })
  }

  /** Sends a write that may be repeated, because a second request leaves the object as it is. */
  update(
    path: string,
    body: Json | FormData,
    options: RequestOptions & { readonly method?: string } = {},
  ): Promise<JsonObject> {
    return this.send({ method: options.method ?? 'POST', path, body, isRepeatable: true, options })
  }

  /** Deletes an object. Resolves when the answer, or a read after it, shows that the object is gone. */
  async delete(path: string, options: DeleteOptions = {}): Promise<void> {
    const request: SentRequest = { method: 'DELETE', path, isRepeatable: true, options }
    const response = await this.sendRaw(request)
    const body = response.text === '' ? {} : this.read(response, { ...request, options: { answer: AnyObject } })
    if (this.checks.fits(options.answer ?? this.needed, body) || (await this.isGone(path, options))) return
    throw new ApiFailure({
      class: 'retry',
      status: response.status,
      operation: `DELETE ${path}`,
      message: 'the deletion was answered with success, and the object is still there',
      isAmbiguous: true,
    })
  }

  private async isGone(path: string, options: DeleteOptions): Promise<boolean> {
    if (options.isGone) return options.isGone()
    try {
      const remote = await this.get(path, options)
      return this.options.isRemoved?.(remote) ?? false
    } catch (error) {
      if (isFailure(error, 'gone')) return true
      throw error
    }
  }

  /** Yields every row of every page once, and requests one page ahead of the caller. */
  async *list(
    path: string,
    options: RequestOptions = {},
    paging: Paging = pageTokenPaging,
  ): AsyncGenerator<JsonObject> {
    const members = paging.rows ?? ['data']
    const pageAt = (cursor: Readonly<Record<string, string>>) => {
      const query = { limit: paging.limit ?? 100, ...options.query, ...cursor }
      const page = this.get(path, {
        ...options,
        query,
        answer: pageOf(members, options.answer ?? this.needed, this.checks),
      })
      // A rejection is reported when the page is awaited, which a caller that stops early never does.
      page.catch(() => {})
      return page
    }
    const progress = new ListProgress(`GET ${path}`)
    let ahead: Promise<JsonObject> | undefined = pageAt({})
    while (ahead) {
      const page: JsonObject = await ahead
      const rows = rowsOf(page, members)
      const fresh = progress.freshRows(rows)
      const cursor = rows.length === 0 ? undefined : paging.next(page, rows)
      ahead = cursor && pageAt(progress.advanced(cursor)) // Requested while the caller uses these rows.
      yield* fresh
    }
  }

  /**
   * Yields server-sent events, without heartbeats. Opening the stream is repeated like any read; a stream that broke
   * is resumed by the caller.
   */
  async *events(path: string, options: RequestOptions = {}): AsyncGenerator<ServerSentEvent> {
    const request: SentRequest = { method: 'GET', path, isRepeatable: true, options }
    yield* parseEvents(await this.repeated(request, () => this.open(path, options)))
  }

  /** Returns the text of a stream of events. */
  private async open(path: string, options: RequestOptions): Promise<AsyncIterable<string>> {
    const { httpStream } = this.options.environment
    if (!httpStream) throw new Error('client: this environment cannot stream')
    const operation = `GET ${path}`
    const { status, headers, chunks } = await httpStream({
      method: 'GET',
      url: this.options.baseUrl + path + queryText(options.query),
      headers: { accept: 'text/event-stream', ...this.options.headers(path), ...options.headers },
      ...(options.signal ? { signal: options.signal } : {}),
    }).catch((error: unknown) => {
      options.signal?.throwIfAborted()
      throw unanswered(error, operation)
    })
    this.trace(`${operation} -> ${status}`)
    if (status === 200 && /^text\/event-stream/i.test(headers.get('content-type') ?? '')) return chunks
    const answer = { status, headers, text: await firstOf(chunks) }
    if (status !== 200) throw this.refused('GET', path, answer)
    throw new ApiFailure({
      class: 'unexpected',
      status,
      message: `${this.describe(answer)} where a stream of events was expected`,
      operation,
      isAmbiguous: false,
    })
  }

  private async send(request: SentRequest): Promise<JsonObject> {
    return this.read(await this.sendRaw(request), request)
  }

  private read(response: HttpResponse, { method, path, options }: SentRequest): JsonObject {
    const request = { operation: `${method} ${path}`, host: this.host, checks: this.checks }
    return readAnswer(response, options.answer ?? this.needed, request)
  }

  private sendRaw(request: SentRequest): Promise<HttpResponse> {
    return this.repeated(request, () => this.attempt(request))
  }

  private repeated<Answer>(
    { method, path, isRepeatable, options: { signal } }: SentRequest,
    attempt: () => Promise<Answer>,
  ): Promise<Answer> {
    return repeat(attempt, {
      operation: `${method} ${path}`,
      isRepeatable,
      environment: this.options.environment,
      signal,
    })
  }

  /** Returns the answer of a success. */
  private async attempt(request: SentRequest): Promise<HttpResponse> {
    const { method, path, body, bytesMax, options } = request
    const { environment } = this.options
    const operation = `${method} ${path}`
    const hasForm = isForm(body)
    const isLong = hasForm || bytesMax !== undefined
    const timeoutMs = isLong ? clientLimits.transferSilenceMs : clientLimits.requestTimeoutMs
    const deadline = new Deadline(timeoutMs, options.signal)
    const silence = new SilenceReport(environment, operation)
    const onProgress = (progress: HttpProgress) => {
      deadline.restart()
      silence.moved(progress)
    }
    let response: HttpResponse
    try {
      response = await environment.http({
        method,
        url: this.options.baseUrl + path + queryText(options.query),
        headers: {
          accept: bytesMax === undefined ? 'application/json' : '*/*',
          ...(body === undefined || hasForm ? {} : { 'content-type': 'application/json' }),
          ...this.options.headers(path),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body: hasForm ? body : JSON.stringify(body) }),
        ...(bytesMax === undefined ? {} : { bytesMax }),
        ...(isLong ? { onProgress } : {}),
        signal: deadline.signal,
      })
    } catch (error) {
      options.signal?.throwIfAborted()
      throw deadline.isOverdue ? overdue(error, operation) : unanswered(error, operation)
    } finally {
      deadline.end()
      silence.end()
    }
    this.trace(`${operation} -> ${response.status}`)
    if (response.status >= 200 && response.status < 300) return response
    throw this.refused(method, path, response)
  }

  private refused(method: string, path: string, response: HttpResponse): ApiFailure {
    const { classify, environment } = this.options
    return refused(response, { method, path, host: this.host, classify, nowMs: environment.clock.now() })
  }

  private describe(response: HttpResponse): string {
    return describeAnswer(response, this.host)
  }

  private get needed(): TSchema {
    return this.options.answer ?? IdentifiedObject
  }

  private get host(): string {
    return new URL(this.options.baseUrl).host
  }

  private trace(line: string): void {
    this.options.environment.trace?.(line)
  }
}
