// Servers on loopback that imports read from, well-behaved or not, and a way to import from them that looks at every error.
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net'
import { inspect } from 'node:util'
import type { Test } from 'tap'
import { type FetchedFile, fetchUrl } from '../../../../server/imports/fetch-url.js'
import type { ImportTimeouts, Network } from '../../../../server/imports/network.js'
import { Refusal } from '../../../../server/refusals/refusal.js'
import { parseAddressRange } from '../../../../server/settings/addresses.js'
import type { Certificate } from '../../../support/certificate.js'

/** Stands in the paths of test URLs; must never come back in an error. */
export const secret = 'sEcReT'

export interface Source {
  readonly port: number
  readonly url: string
  readonly sockets: Socket[]
}

interface Listening {
  readonly host?: string
  readonly port?: number
  readonly certificate?: Certificate
}

export function httpSource(t: Test, listener: RequestListener, where: Listening = {}): Promise<Source> {
  const { certificate } = where
  return listening(t, certificate ? createSecureServer(certificate, listener) : createServer(listener), where)
}

/** Sends these very bytes once something was asked. */
export function rawSource(t: Test, answer: string): Promise<Source> {
  return socketSource(t, (socket) => socket.once('data', () => socket.end(answer)))
}

export const socketSource = (t: Test, onSocket: (socket: Socket) => void): Promise<Source> =>
  listening(t, createRawServer(onSocket), {})

async function listening(t: Test, server: Server, { host = '127.0.0.1', port = 0, certificate }: Listening) {
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {}) // Clients hang up here as a matter of course.
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  t.teardown(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    url: `${certificate ? 'https' : 'http'}://${host}:${address.port}/${secret}.pdf`,
    sockets,
  }
}

export interface Importing {
  readonly allow?: readonly string[]
  readonly schemes?: readonly string[]
  readonly resolve?: Network['resolve']
  readonly authorities?: string
  readonly timeouts?: Partial<ImportTimeouts>
  readonly sizeBytesMax?: number
  readonly signal?: AbortSignal
  readonly take?: (fetched: FetchedFile) => Promise<unknown>
}

const noNames: Network['resolve'] = async () => {
  throw new Error('A name was resolved')
}

/** The body as text, or what `take` makes of it. By default this machine is all there is. */
export function importFrom(url: string, importing: Importing = {}): Promise<unknown> {
  const { allow = ['127.0.0.1/32'], schemes = ['https:', 'http:'], resolve = noNames, authorities } = importing
  const { sizeBytesMax = 1_000_000, signal = new AbortController().signal, take = textOf } = importing
  const timeouts = { connectMs: 10_000, idleMs: 10_000, totalMs: 10_000, bytesPerSecondMin: 0, ...importing.timeouts }
  const network = { resolve, timeouts, ...(authorities === undefined ? {} : { authorities }) }
  const policy = { schemes, allowed: allow.map(parseAddressRange) }
  return fetchUrl(url, { policy, network, sizeBytesMax, signal }, take)
}

export async function textOf({ bytes }: FetchedFile): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Fails with this code, saying this, and gives nothing of the URL away. */
export async function refuses(t: Test, work: Promise<unknown>, code: string, says: RegExp, about = ''): Promise<void> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  t.ok(error instanceof Refusal, `${about} is refused: ${inspect(error)}`)
  if (!(error instanceof Refusal)) return
  t.equal(error.code, code, `${about}: ${error.message}`)
  t.match(error.message, says, about)
  const everything = inspect(error, { depth: 20, showHidden: true })
  for (const part of [secret, secret.toLowerCase()]) t.notOk(everything.includes(part), 'without any of the URL')
}
