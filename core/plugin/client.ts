// The JSON client that provider plugins are based on: checked answers, paging, removals, operations.
import type { TSchema } from 'typebox'
import type { HttpResponse } from '../ports/http.js'
import type { Json, JsonObject } from '../value/tree.js'
import { AnyObject, IdentifiedObject, pageOf, readAnswer } from './answer.js'
import { type ClientOptions, clientLimits, type DeleteOptions, type RequestOptions } from './client-options.js'
import { ContentRefused, contentLimits } from './content.js'
import { isContent, isTooLong, withFirstWords } from './download.js'
import { ApiFailure, isFailure } from './failure.js'
import type { Readiness } from './handler.js'
import { ListProgress } from './list-progress.js'
import { type Paging, pageTokenPaging, rowsOf } from './paging.js'
import { type Delays, poll } from './poll.js'
import { Requests, type SentRequest } from './requests.js'
import { SchemaChecks } from './schema-checks.js'
import { parseEvents, type ServerSentEvent } from './server-sent-events.js'

export class ApiClient {
  private readonly checks = new SchemaChecks()
  private readonly requests: Requests

  constructor(private readonly options: ClientOptions) {
    this.requests = new Requests(options, this.checks)
  }

  get(path: string, options: RequestOptions = {}): Promise<JsonObject> {
    return this.send({ method: 'GET', path, isRepeatable: true, options })
  }

  /**
   * Downloads an upload that begins with known bytes. A body that begins otherwise is a page or an error of another
   * program. Throws `ContentRefused` if it is too large.
   */
  async download(path: string, firstBytes: string, options: RequestOptions = {}): Promise<Uint8Array> {
    const bytesMax = contentLimits.downloadBytesMax
    const response = await this.requests.send({ method: 'GET', path, isRepeatable: true, bytesMax, options })
    if (isContent(response, firstBytes)) return response.bytes
    if (isTooLong(response)) throw new ContentRefused(`it has more than ${bytesMax} bytes`)
    throw new ApiFailure({
      class: 'unexpected',
      status: response.status,
      message: `${this.requests.describe(withFirstWords(response))} where a download was expected`,
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

  /**
   * Waits for an operation that a service answered in place of its result: reads the path until the operation has ended,
   * and returns the last answer. Throws `ApiFailure` if it failed, and an ambiguous one if it did not end in time.
   */
  async finished(path: string, operation: Readiness, options: RequestOptions = {}): Promise<JsonObject> {
    const ended = await this.poll(
      async () => {
        const answer = await this.get(path, { answer: AnyObject, ...options })
        const state = operation.state(answer)
        if (typeof state === 'object') throw this.unfinished(path, { class: 'invalid', message: state.failed })
        return state === 'ready' ? answer : undefined
      },
      { ...operation, ...options },
    )
    if (ended) return ended
    throw this.unfinished(path, { class: 'retry', message: 'the operation has not ended in time' })
  }

  /**
   * Deletes an object. Resolves when the answer, or a read after it, shows that the object is gone. A removal that is
   * only accepted (202) is waited for.
   */
  async delete(path: string, options: DeleteOptions = {}): Promise<void> {
    const request: SentRequest = { method: 'DELETE', path, isRepeatable: true, options }
    const response = await this.requests.send(request)
    const isGone = () => this.isGone(path, options)
    if (response.status === 202) {
      const waited = { ...clientLimits.removal, ...options }
      if (await this.poll(async () => ((await isGone()) ? true : undefined), waited)) return
    } else {
      const body = response.text === '' ? {} : this.read(response, { ...request, options: { answer: AnyObject } })
      if (this.checks.fits(options.answer ?? this.needed, body) || (await isGone())) return
    }
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
    const answer = pageOf(members, options.answer ?? this.needed, this.checks)
    const pageAt = (cursor: Readonly<Record<string, string>>) => {
      const query = { limit: paging.limit ?? 100, ...options.query, ...cursor }
      const page = this.answered({ method: 'GET', path, isRepeatable: true, options: { ...options, query, answer } })
      // A rejection is reported when the page is awaited, which a caller that stops early never does.
      page.catch(() => {})
      return page
    }
    const progress = new ListProgress(`GET ${path}`)
    let ahead: ReturnType<typeof pageAt> | undefined = pageAt({})
    while (ahead) {
      const { result: page, response }: Awaited<typeof ahead> = await ahead
      const rows = rowsOf(page, members)
      const fresh = progress.freshRows(rows)
      const cursor: ReturnType<Paging['next']> = progress.advanced(paging.next(page, rows, response.headers))
      ahead = cursor && pageAt(cursor) // Requested while the caller uses these rows.
      yield* fresh
    }
  }

  /**
   * Yields server-sent events, without heartbeats. Opening the stream is repeated like any read; a stream that broke
   * is resumed by the caller.
   */
  async *events(path: string, options: RequestOptions = {}): AsyncGenerator<ServerSentEvent> {
    yield* parseEvents(await this.requests.stream(path, options))
  }

  private async send(request: SentRequest): Promise<JsonObject> {
    return (await this.answered(request)).result
  }

  private async answered(
    request: SentRequest,
  ): Promise<{ readonly result: JsonObject; readonly response: HttpResponse }> {
    const response = await this.requests.send(request)
    return { result: this.read(response, request), response }
  }

  private read(response: HttpResponse, { method, path, options }: SentRequest): JsonObject {
    const { result } = this.options
    const request = {
      operation: `${method} ${path}`,
      host: this.requests.host,
      checks: this.checks,
      ...(result ? { result } : {}),
    }
    return readAnswer(response, options.answer ?? this.needed, request)
  }

  private poll<Result>(
    read: () => Promise<Result | undefined>,
    { signal, ...delays }: Delays & RequestOptions,
  ): Promise<Result | undefined> {
    return poll(read, delays, { clock: this.options.environment.clock, signal })
  }

  private unfinished(path: string, facts: Pick<ApiFailure, 'class' | 'message'>): ApiFailure {
    return new ApiFailure({ ...facts, status: 0, operation: `GET ${path}`, isAmbiguous: facts.class === 'retry' })
  }

  private get needed(): TSchema {
    return this.options.answer ?? IdentifiedObject
  }
}
