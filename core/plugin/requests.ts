// Sends the requests of a client: its headers, deadlines, repetitions, and failures in place of answers that refuse.
import { type HttpProgress, type HttpResponse, isForm } from '../ports/http.js'
import type { Json } from '../value/tree.js'
import { describeAnswer, firstOf } from './answer.js'
import { type ClientOptions, clientLimits, type RequestOptions } from './client-options.js'
import { Deadline } from './deadline.js'
import { ApiFailure } from './failure.js'
import { queryText } from './path-to.js'
import { refused } from './refused.js'
import { repeat } from './repeat.js'
import type { SchemaChecks } from './schema-checks.js'
import { Authorization } from './sign-in.js'
import { SilenceReport } from './silence.js'
import { overdue, unanswered } from './unanswered.js'

export interface SentRequest {
  readonly method: string
  readonly path: string
  readonly body?: Json | FormData
  readonly isRepeatable: boolean
  /** Maximum size of an answer that is not JSON; set only for such answers. */
  readonly bytesMax?: number
  readonly options: RequestOptions
}

export class Requests {
  private readonly authorization: Authorization | undefined

  constructor(
    private readonly options: ClientOptions,
    checks: SchemaChecks,
  ) {
    const { signIn, classify, environment } = options
    if (signIn) this.authorization = new Authorization({ signIn, classify, environment, checks })
  }

  /** Host and port of the API. */
  get host(): string {
    return new URL(this.options.baseUrl).host
  }

  describe(response: HttpResponse): string {
    return describeAnswer(response, this.host)
  }

  /** Returns the text of a stream of events. */
  stream(path: string, options: RequestOptions): Promise<AsyncIterable<string>> {
    return this.repeated({ method: 'GET', path, isRepeatable: true, options }, () => this.open(path, options))
  }

  /** Returns the answer of a success. */
  send(request: SentRequest): Promise<HttpResponse> {
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

  private async attempt(request: SentRequest): Promise<HttpResponse> {
    const { method, path, options } = request
    const response = await this.authorized(path, options, (headers) => this.exchange(request, headers))
    if (response.status >= 200 && response.status < 300) return response
    throw this.refused(method, path, response)
  }

  /** Sends a request with its headers, and once more if its authorization has expired: 401 proves that it had no effect. */
  private async authorized<Answer extends { readonly status: number }>(
    path: string,
    { headers, signal }: RequestOptions,
    send: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
  ): Promise<Answer> {
    const { options, authorization } = this
    const own = { ...(await options.headers?.(path)), ...headers }
    if (!authorization) return send(own)
    const used = await authorization.headers(signal)
    const answer = await send({ ...used, ...own })
    if (answer.status !== 401) return answer
    authorization.expire(used)
    return send({ ...(await authorization.headers(signal)), ...own })
  }

  private async exchange(request: SentRequest, headers: Readonly<Record<string, string>>): Promise<HttpResponse> {
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
    try {
      const response = await environment.http({
        method,
        url: this.options.baseUrl + path + queryText(options.query),
        headers: {
          accept: bytesMax === undefined ? 'application/json' : '*/*',
          ...(body === undefined || hasForm ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: hasForm ? body : JSON.stringify(body) }),
        ...(bytesMax === undefined ? {} : { bytesMax }),
        ...(isLong ? { onProgress } : {}),
        signal: deadline.signal,
      })
      this.trace(`${operation} -> ${response.status}`)
      return response
    } catch (error) {
      options.signal?.throwIfAborted()
      throw deadline.isOverdue ? overdue(error, operation) : unanswered(error, operation)
    } finally {
      deadline.end()
      silence.end()
    }
  }

  private refused(method: string, path: string, response: HttpResponse): ApiFailure {
    const { classify, environment } = this.options
    const hide = (text: string) => this.authorization?.hide(text) ?? text
    return refused(response, { method, path, host: this.host, classify, nowMs: environment.clock.now(), hide })
  }

  private async open(path: string, options: RequestOptions): Promise<AsyncIterable<string>> {
    const { httpStream } = this.options.environment
    if (!httpStream) throw new Error('client: this environment cannot stream')
    const operation = `GET ${path}`
    const answer = await this.authorized(path, options, async (own) => {
      const { status, headers, chunks } = await httpStream({
        method: 'GET',
        url: this.options.baseUrl + path + queryText(options.query),
        headers: { accept: 'text/event-stream', ...own },
        ...(options.signal ? { signal: options.signal } : {}),
      }).catch((error: unknown) => {
        options.signal?.throwIfAborted()
        throw unanswered(error, operation)
      })
      this.trace(`${operation} -> ${status}`)
      const isStream = status === 200 && /^text\/event-stream/i.test(headers.get('content-type') ?? '')
      return isStream ? { status, chunks } : { status, headers, text: await firstOf(chunks) }
    })
    if ('chunks' in answer) return answer.chunks
    if (answer.status !== 200) throw this.refused('GET', path, answer)
    throw new ApiFailure({
      class: 'unexpected',
      status: answer.status,
      message: `${this.describe(answer)} where a stream of events was expected`,
      operation,
      isAmbiguous: false,
    })
  }

  private trace(line: string): void {
    this.options.environment.trace?.(line)
  }
}
