// Log of received requests, without secrets, for `GET /_emulator/requests`.
import { isObject, type Json } from '../../core/value/tree.js'

export const logLimits = { requestsMax: 50_000, textMax: 2_000 } as const

export interface LoggedRequest {
  readonly number: number
  readonly provider: string
  readonly method: string
  /** Path below the API's prefix. */
  readonly path: string
  /** Prefix of the API. */
  readonly prefix: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
  readonly atMs: number
  /** HTTP status; null while unanswered, 0 if the connection was dropped. */
  status: number | null
  /** Injected fault, if any. */
  fault?: string
  /** Message of an unexpected error, which is a defect of the emulator itself. */
  bug?: string
}

const hiddenText = '(sensitive)'
const secretName = /token|secret_value|client_secret|password|api_?key|authorization|environment_variables|^secret$/i
const silentHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'accept',
  'accept-encoding',
  'accept-language',
  'sec-fetch-mode',
  'user-agent',
  'content-length',
])
const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'x-api-key', 'cookie', 'proxy-authorization'])

export class RequestLog {
  private entries: LoggedRequest[] = []
  private count = 0

  add(entry: Omit<LoggedRequest, 'number' | 'status'>): LoggedRequest {
    const logged: LoggedRequest = { ...entry, number: ++this.count, status: null }
    this.entries.push(logged)
    if (this.entries.length > logLimits.requestsMax) this.entries.splice(0, logLimits.requestsMax / 10)
    return logged
  }

  get all(): readonly LoggedRequest[] {
    return this.entries
  }

  clear(): void {
    this.entries = []
  }
}

export function maskedHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !silentHeaders.has(name)) shown[name] = secretHeaders.has(name) ? hiddenText : value
  return shown
}

/** Returns the body with masked values of secret members and shortened long texts. */
export function maskedBody(body: unknown, secretMembers: readonly string[]): Json {
  if (typeof body === 'string') return body.length > logLimits.textMax ? `${body.slice(0, logLimits.textMax)}…` : body
  if (Array.isArray(body)) return body.map((item) => maskedBody(item, secretMembers))
  if (!isObject(body)) return typeof body === 'number' || typeof body === 'boolean' ? body : null
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const isSecret = (secretName.test(name) || secretMembers.includes(name)) && value !== null
      const isPlain = typeof value === 'boolean' || typeof value === 'number' || isObject(value)
      return [name, isSecret && !isPlain ? hiddenText : maskedBody(value, secretMembers)]
    }),
  )
}
