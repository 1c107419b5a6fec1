// Port of the network: one request, one response, no retries.
import { recogniseEverywhere } from '../brand.js'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Body: JSON text, or a form whose boundary the port sets. */
  readonly body?: string | FormData
  readonly signal?: AbortSignal
  /** True if the request only obtains an authorization, whatever its method: it changes no object. */
  readonly isSignIn?: true
  /** Maximum size of the body; if set, the response contains it as bytes. */
  readonly bytesMax?: number
  /** Called whenever a part of the body was sent or received. */
  readonly onProgress?: (progress: HttpProgress) => void
}

/** Bytes of the two bodies of a request. */
export interface HttpProgress {
  readonly sentBytes: number
  readonly totalBytes: number
  readonly receivedBytes: number
}

/**
 * Recognises a form without naming its constructor, because that name makes Node load `fetch`, which nothing else uses.
 */
export function isForm(body: unknown): body is FormData {
  return Object.prototype.toString.call(body) === '[object FormData]'
}

/** Maximum size of a decompressed text in bytes; the longest list of a provider is far below it. */
export const textBytesMax = 32 * 1024 * 1024

export interface HttpResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /** Decoded body; empty when there is none. */
  readonly text: string
  /** True if the text was longer than `textBytesMax`; the rest was not read. */
  readonly isCut?: boolean
  /** Body, if bytes were requested and the status is 200, in place of the text. Absent if it was too large. */
  readonly bytes?: Uint8Array
}

/** Sends a request. Rejects with `HttpFailure` if no complete answer arrived. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>

export interface HttpStreamResponse {
  readonly status: number
  readonly headers: { get(name: string): string | null }
  /**
   * Text, decoded as it arrives. It ends when the server ends it, and rejects with `HttpFailure` if the connection
   * breaks.
   */
  readonly chunks: AsyncIterable<string>
}

/** Same as `Http`, for answers without an end. The connection closes when the reader stops. */
export type HttpStream = (request: HttpRequest) => Promise<HttpStreamResponse>

/** What stands between this machine and a server. */
export type NetworkObstacle = 'certificate' | 'hostUnknown' | 'proxy'

/**
 * Failure without a complete answer. `wasSent` is false only if the request certainly never reached the server.
 * `isPermanent`: sending it again cannot help.
 */
export class HttpFailure extends Error {
  static {
    recogniseEverywhere(HttpFailure, 'HttpFailure')
  }

  readonly isPermanent: boolean
  readonly obstacle: NetworkObstacle | undefined

  constructor(
    message: string,
    readonly wasSent: boolean,
    options: ErrorOptions & { readonly isPermanent?: boolean; readonly obstacle?: NetworkObstacle | undefined } = {},
  ) {
    super(message, options)
    this.name = 'HttpFailure'
    this.isPermanent = options.isPermanent ?? false
    this.obstacle = options.obstacle
  }
}
