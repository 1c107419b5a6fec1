// Error responses to requests that Node could not parse, which reach no route or hook. Their API plane is unknown; the
// document envelope is used because it contains the tenant one.
import type { Duplex } from 'node:stream'
import { Refusal } from '../refusals/refusal.js'
import { envelope } from './envelope.js'

interface ConnectionError extends Error {
  readonly code?: string | undefined
  /** Bytes that could not be parsed. */
  readonly rawPacket?: unknown
}

export function answerUnparsable(error: ConnectionError, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  // During a response, the client would read an error as the rest of it.
  if (!socket.writable || hasAnswered(socket)) {
    socket.destroy()
    return
  }
  const { status, refusal } = refusalOf(error)
  const body = JSON.stringify(envelope(refusal, 'document'))
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'Access-Control-Allow-Origin: *',
    'Connection: close',
  ]
  // An answer to HEAD has no body: the client would read it as another answer.
  const isHead = Buffer.isBuffer(error.rawPacket) && error.rawPacket.subarray(0, 5).toString('latin1') === 'HEAD '
  socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`)
}

const interimResponse = 'HTTP/1.1 100 Continue\r\n\r\n'

/** True if a response was begun on the connection. The interim response alone asks for the body, and answers nothing. */
function hasAnswered(socket: Duplex): boolean {
  const written = 'bytesWritten' in socket ? Number(socket.bytesWritten) : 0
  return written > 0 && written !== interimResponse.length
}

function refusalOf({ code }: ConnectionError): { readonly status: string; readonly refusal: Refusal } {
  const refused = (message: string) => new Refusal('InvalidArg', message)
  if (code === 'HPE_HEADER_OVERFLOW') {
    return {
      status: '431 Request Header Fields Too Large',
      refusal: refused('The request headers are too long'),
    }
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: '408 Request Timeout', refusal: refused('The request was not received in time') }
  }
  return { status: '400 Bad Request', refusal: refused('The request is not valid HTTP') }
}
