// Names failures of the network for what they are, from the errors of Node.
import { HttpFailure } from './http.js'

export interface Circumstances {
  readonly host: string
  /** Host and port of the proxy, if there is one. */
  readonly proxy: string | undefined
  /** True once there is a connection through the proxy. */
  readonly isThrough: boolean
  /** True once the request may have arrived. */
  readonly wasConnected: boolean
  /** True if the host has answered before. */
  readonly wasReached: boolean
}

/** Codes of OpenSSL for certificates that do not convince, besides those that begin with `CERT_`. */
const certificateCodes: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'PATH_LENGTH_EXCEEDED',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

export function networkFailure(error: unknown, at: Circumstances): HttpFailure {
  // If several addresses were tried, the error of the first one is reported.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const code = memberOf(first, 'code')
  const isBeforeProxy = at.proxy !== undefined && !at.isThrough
  const peer = isBeforeProxy ? `the proxy ${at.proxy}` : at.host
  const failure = (message: string, facts: Pick<HttpFailure, 'isPermanent' | 'obstacle'>) =>
    new HttpFailure(message, at.wasConnected, { ...facts, cause: error })
  if (certificateCodes.has(code) || code.startsWith('CERT_'))
    return failure(`the certificate of ${peer} is not trusted: ${reasonOf(first)}`, {
      isPermanent: true,
      obstacle: 'certificate',
    })
  if (!at.wasConnected && (code === 'EPROTO' || code.startsWith('ERR_SSL_')))
    return failure(`${peer} makes no TLS connection: ${openSslReason(first) ?? reasonOf(first)}`, {
      isPermanent: true,
      obstacle: 'certificate',
    })
  // Node has no code of its own for it.
  if (!at.wasConnected && reasonOf(first).includes('before secure TLS connection'))
    return failure(`${peer} ended the TLS handshake`, { isPermanent: false, obstacle: 'certificate' })
  if (memberOf(first, 'syscall') === 'getaddrinfo' && (!isBeforeProxy || memberOf(first, 'hostname') === at.host))
    // A name that was there a moment ago is away with the network.
    return failure(`there is no host ${at.host} (${code})`, {
      isPermanent: code === 'ENOTFOUND' && !at.wasReached,
      obstacle: 'hostUnknown',
    })
  if (isBeforeProxy)
    return failure(`${peer} makes no connection: ${reasonOf(first)}`, { isPermanent: false, obstacle: 'proxy' })
  const way = at.proxy === undefined ? '' : ` (through the proxy ${at.proxy})`
  return failure(`${reasonOf(first)}${way}`, { isPermanent: false, obstacle: undefined })
}

/** A proxy that wants a login, or does not like the host, says the same again. */
export function refusedByProxy(proxy: string, status: number): HttpFailure {
  const message =
    status === 407
      ? `the proxy ${proxy} wants a user and a password (407)`
      : `the proxy ${proxy} refused the connection (${status})`
  return new HttpFailure(message, false, { isPermanent: status < 500 && status !== 429, obstacle: 'proxy' })
}

/** Returns what OpenSSL says, which stands in a member, or between the colons of a message. */
function openSslReason(error: unknown): string | undefined {
  const [, reason] = /:SSL routines:[^:]*:([^:]+):/.exec(reasonOf(error)) ?? []
  return memberOf(error, 'reason') || reason
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = error.message || memberOf(error, 'code') || error.name
  return text.replaceAll(/\s+/g, ' ').trim()
}

function memberOf(error: unknown, member: 'code' | 'reason' | 'syscall' | 'hostname'): string {
  const value: unknown = error instanceof Error && member in error ? Reflect.get(error, member) : undefined
  return typeof value === 'string' ? value : ''
}
