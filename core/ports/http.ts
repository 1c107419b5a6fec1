// The network as the engine sees it: one request, one answer, never a retry.
import { recogniseEverywhere } from '../brand.js'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON text, or a form whose boundary the port sets. */
  readonly body?: string | FormData
  readonly signal?: AbortSignal
  /** The body is wanted as bytes, and no more of it than so many. */
  readonly bytesMax?: number
}

/** Forms are recognised without their constructor: its very name makes Node load the `fetch` that nothing here uses. */
export function isForm(body: unknown): body is FormData {
  return Object.prototype.toString.call(body) === '[object FormData]'
}

/** Of a text, unpacked: the longest list of a provider is far below it. */
export const textBytesMax = 32 * 1024 * 1024

export interface HttpResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** Decoded body; empty when there is none. */
  readonly text: string
  /** There was more of the text than `textBytesMax`; the rest was not read. */
  readonly isCut?: boolean
  /** Instead of the text, where bytes were asked for and the status is 200. Absent where there were too many. */
  readonly bytes?: Uint8Array
}

/** Rejects with `HttpFailure` when no complete answer arrived. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>

export interface HttpStreamResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** Decoded as it arrives. Ends when the server ends it; rejects with `HttpFailure` when the connection breaks. */
  readonly chunks: AsyncIterable<string>
}

/** Like `Http`, for answers that go on. Stopping to read closes the connection. */
export type HttpStream = (request: HttpRequest) => Promise<HttpStreamResponse>

/**
 * No complete answer. `wasSent` is false only when the request certainly never reached the server. `isPermanent`: it cannot
 * be sent at all, however often.
 */
export class HttpFailure extends Error {
  static {
    recogniseEverywhere(HttpFailure, 'HttpFailure')
  }

  readonly isPermanent: boolean

  constructor(
    message: string,
    readonly wasSent: boolean,
    options: ErrorOptions & { readonly isPermanent?: boolean } = {},
  ) {
    super(message, options)
    this.name = 'HttpFailure'
    this.isPermanent = options.isPermanent ?? false
  }
}
