// Loopback servers as import sources, well-behaved or hostile, and an import that checks every error.
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

/** Part of all test URLs that must never be in an error. */
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

/** Starts a server that answers every request with exactly these bytes. */
export function rawSource(t: Test, answer: string): Promise<Source> {
  return socketSource(t, (socket) => socket.once('data', () => socket.end(answer)))
}

export const socketSource = (t: Test, onSocket: (socket: Socket) => void): Promise<Source> =>
  listening(t, createRawServer(onSocket), {})

async function listening(t: Test, server: Server, { host = '127.0.0.1', port = 0, certificate }: Listening) {
  const sockets: Socket[] = []
  server.on('connection', (socket: Socket) => {
    sockets.push(socket)
    socket.on('error', () => {}) // Clients that disconnect are expected.
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
  readonly tenant?: string
  readonly take?: (fetched: FetchedFile) => Promise<unknown>
}

const noNames: Network['resolve'] = async () => {
  throw new Error('Unexpected DNS query')
}

/** Imports a URL and returns its body as text, or the result of `take`. By default, only this machine is allowed. */
export function importFrom(url: string, importing: Importing = {}): Promise<unknown> {
  const { allow = ['127.0.0.1/32'], schemes = ['https:', 'http:'], resolve = noNames, authorities } = importing
  const { sizeBytesMax = 1_000_000, signal = new AbortController().signal, take = textOf } = importing
  const timeouts = { connectMs: 10_000, idleMs: 10_000, totalMs: 10_000, bytesPerSecondMin: 0, ...importing.timeouts }
  const network = { resolve, timeouts, ...(authorities === undefined ? {} : { authorities }) }
  const policy = { schemes, allowed: allow.map(parseAddressRange) }
  const account = [{ name: importing.tenant ?? 'acme', weight: 1 }]
  return fetchUrl(url, { policy, network, account, sizeBytesMax, signal }, take)
}

export async function textOf({ bytes }: FetchedFile): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Checks that the import fails with this code and message, and that the error contains nothing of the URL. */
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
