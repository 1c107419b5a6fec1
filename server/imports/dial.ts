// Sends one request to one address that was checked. The connection goes to the address itself, so no name is resolved
// again; the name is used in the `Host` header and the TLS handshake, and the certificate must match it.
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { upstreamFailed } from './failures.js'
import { hostnameOf, portOf } from './guard.js'
import { type Network, withTimeout } from './network.js'

export interface Destination {
  readonly url: URL
  readonly address: string
  /** Request to send. Default: a GET of a PDF. */
  readonly message?: Message
}

export interface Message {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array
}

const getPdf: Message = {
  method: 'GET',
  headers: { Accept: 'application/pdf, */*;q=0.5', 'Accept-Encoding': 'identity' },
}

/** Sends the request. Resolves to the response with its head; the caller reads or destroys the body. */
export async function dial(
  { url, address, message = getPdf }: Destination,
  { authorities, timeouts }: Network,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const hostname = hostnameOf(url)
  const send = isSecure ? secureRequest : plainRequest
  const request = send({
    host: address,
    port: portOf(url),
    path: `${url.pathname}${url.search}`,
    // If the host is an address, the certificate must be valid for that address. A name is sent without the dot of the
    // root zone.
    servername: isIP(hostname) ? '' : hostname.replace(/\.$/, ''),
    method: message.method,
    headers: { Host: url.host, ...message.headers },
    // A connection without an agent uses no proxy of the environment and is not shared.
    agent: false,
    // This option overrides `NODE_TLS_REJECT_UNAUTHORIZED`.
    rejectUnauthorized: true,
    ...(authorities === undefined ? {} : { ca: authorities }),
    signal,
  })
  // The error also reaches the code that waits below or reads the body; without a listener it would end the process.
  request.on('error', () => {})
  const answered = headOf(request)
  answered.catch(() => {})
  request.end(message.body)
  try {
    await withTimeout(timeouts.connectMs, connected(once(request, 'socket'), isSecure))
    return await withTimeout(timeouts.idleMs, answered)
  } catch (error) {
    request.destroy()
    throw error
  }
}

/** Rejects if the connection ends without a head and without an error, because the source expects another protocol. */
async function headOf(request: ClientRequest): Promise<IncomingMessage> {
  const closed = once(request, 'close').then(() => {
    throw upstreamFailed('The source sent no response')
  })
  const [response] = await Promise.race([once(request, 'response'), closed])
  return response
}

async function connected(assigned: Promise<unknown[]>, isSecure: boolean): Promise<void> {
  const [socket] = await assigned
  // The type of the HTTP client's socket does not show that it is an `EventEmitter`.
  await once(socket as NodeJS.EventEmitter, isSecure ? 'secureConnect' : 'connect')
}
