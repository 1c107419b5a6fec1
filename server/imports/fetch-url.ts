// Fetches the bytes of a URL that a client sent, as far as the policy of the deployment allows. Follows redirects
// with every check repeated, requires a length, and has a deadline.
import type { IncomingMessage } from 'node:http'
import type { Account } from '../../workers/messages/account.js'
import { limits } from '../limits.js'
import { dial } from './dial.js'
import { refused, sourceRefused, tooLarge, upstreamFailed } from './failures.js'
import { addressesOf, checkRedirect, checkSource, type ImportPolicy } from './guard.js'
import type { Network } from './network.js'
import { steadyBytes, withDeadline } from './transfer.js'

export interface FetchOptions {
  readonly policy: ImportPolicy
  readonly network: Network
  readonly sizeBytesMax: number
  /** Account that imports. */
  readonly account: Account
  /** Signal that is aborted when no client waits any more. */
  readonly signal: AbortSignal
}

export interface FetchedFile {
  /** Size declared by the source; reading `bytes` fails if it was wrong. */
  readonly sizeBytes: number
  /** Bytes of the body, to be read once, while `take` runs. */
  readonly bytes: AsyncIterable<Uint8Array>
}

/**
 * Fetches a URL. Throws `InvalidArg` for an invalid URL, `ImportRefused` if the policy forbids it, `SourceRefused` if
 * the source refuses, `UpstreamFailed` if a later attempt may succeed, `Aborted` on the signal, and whatever `take`
 * throws.
 */
export async function fetchUrl<Result>(
  url: string,
  options: FetchOptions,
  take: (fetched: FetchedFile) => Promise<Result>,
): Promise<Result> {
  return withDeadline({ signal: options.signal, timeouts: options.network.timeouts }, async (signal) => {
    const response = await follow(url, options, signal)
    try {
      const sizeBytes = lengthOf(response, options.sizeBytesMax)
      return await take({ sizeBytes, bytes: steadyBytes(response, { sizeBytes, signal, ...options.network.timeouts }) })
    } finally {
      response.destroy()
    }
  })
}

const redirects: ReadonlySet<number | undefined> = new Set([301, 302, 303, 307, 308])

async function follow(source: string, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  let url = checkSource(source, options.policy)
  for (let hops = 0; ; hops++) {
    const response = await open(url, options, signal)
    if (!redirects.has(response.statusCode)) return response
    response.destroy()
    if (hops === limits.importRedirectsMax) throw refused(`More than ${hops} redirects are not followed`)
    url = checkRedirect(response.headers.location, url, options.policy)
  }
}

/** Tries the addresses in turn, because one of them may not respond. */
async function open(url: URL, options: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const { network, account } = options
  let failure: unknown
  for (const address of await addressesOf(url, options, { account, signal })) {
    signal.throwIfAborted()
    try {
      return await dial({ url, address }, network, signal)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

function lengthOf({ statusCode, headers }: IncomingMessage, sizeBytesMax: number): number {
  if (statusCode !== 200) {
    const message = `The source answered with status ${statusCode}`
    throw isRefusal(statusCode) ? sourceRefused(message) : upstreamFailed(message)
  }
  const { 'content-length': length, 'content-encoding': encoding = 'identity' } = headers
  if (encoding.toLowerCase() !== 'identity')
    throw refused('The source sent an encoded body, although the request asked for none')
  // A length together with a transfer encoding never arrives here: the parser refuses it as request smuggling.
  if (length === undefined) throw refused('The source does not declare a length')
  const sizeBytes = Number(length)
  if (sizeBytes > sizeBytesMax) throw tooLarge(sizeBytesMax)
  return sizeBytes
}

/** Status codes after which the same request may succeed later. */
const notNow: ReadonlySet<number> = new Set([408, 425, 429])

const isRefusal = (status = 0): boolean => status >= 400 && status < 500 && !notNow.has(status)
