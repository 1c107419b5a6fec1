// Compresses JSON and text responses for clients that request it. Pictures, PDFs and event streams are sent
// uncompressed: compression gains nothing for the first two, and the last must not be delayed in a buffer.
//
// Compression can leak a secret if an attacker controls other text of the same response, makes a victim's browser
// repeat requests, and observes lengths (BREACH). Here browsers send no credentials by themselves: tokens are in a
// header that only the caller's program sets, and responses with secrets (tokens, shares) are below the threshold.

import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip, type ZlibOptions } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Cache, CacheKey } from '../caches/cache.js'
import { limits } from '../limits.js'

const codings = ['br', 'gzip'] as const
export type Coding = (typeof codings)[number]

const brotli = promisify<Uint8Array, BrotliOptions, Buffer>(brotliCompress)
const zip = promisify<Uint8Array, ZlibOptions, Buffer>(gzip)

/** Compression level for dynamic responses: the highest levels cost ten times as much for a tenth less output. */
const compressors: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Buffer>>> = {
  br: (bytes) =>
    brotli(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => zip(bytes, { level: 5 }),
}

export const compressed = (bytes: Uint8Array, coding: Coding): Promise<Buffer> => compressors[coding](bytes)

const compressible = /^(?:application\/(?:json|javascript|yaml|x-yaml)|text\/(?!event-stream)|image\/svg)/

export const isWorthCompressing = (contentType: string, sizeBytes: number): boolean =>
  sizeBytes >= limits.compressedBytesMin && compressible.test(contentType)

/** Returns the supported coding that the client prefers; undefined for none (RFC 9110, 12.5.3). */
export function codingFor({ headers }: Pick<FastifyRequest, 'headers'>): Coding | undefined {
  const accepted = new Map(
    String(headers['accept-encoding'] ?? '')
      .split(',')
      .map(preferenceOf),
  )
  const weightOf = (coding: string): number => accepted.get(coding) ?? accepted.get('*') ?? 0
  const [best] = codings.toSorted((one, other) => weightOf(other) - weightOf(one))
  return best !== undefined && weightOf(best) > 0 ? best : undefined
}

/** Parses an item such as `gzip;q=0.5`. */
function preferenceOf(text: string): readonly [string, number] {
  const [coding = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [coding, weight === undefined ? 1 : Number(weight) || 0]
}

/** Returns the entity tag for a coding: a weak one, because the bytes differ while the content does not. */
export function tagIn(coding: Coding | undefined, etag: string): string {
  return coding === undefined || etag.startsWith('W/') ? etag : `W/${etag}`
}

export function compressAnswers(app: FastifyInstance, cache: Cache<Buffer>): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    const bytes = typeof payload === 'string' ? Buffer.from(payload, 'utf8') : payload
    if (!isWorthCompressing(String(reply.getHeader('content-type') ?? ''), bytes.length)) return payload
    if (reply.hasHeader('content-encoding')) return payload
    varyByCoding(reply)
    const coding = codingFor(request)
    if (coding === undefined) return bytes
    const compress = () => compressed(bytes, coding)
    const key = cacheKeyOf(bytes, coding, reply)
    return sendIn(coding, await (key === undefined ? compress() : cache.compute(key, compress)), reply)
  })
}

/**
 * A strong entity tag names the bytes of its address (RFC 9110, 8.8.3); undefined = compressed for this response alone.
 */
function cacheKeyOf(bytes: Buffer, coding: Coding, reply: FastifyReply): CacheKey | undefined {
  const etag = reply.getHeader('etag')
  if (bytes.length < limits.sharedAnswerBytesMin || typeof etag !== 'string' || etag.startsWith('W/')) return undefined
  return [reply.request.url, etag, coding]
}

function sendIn(coding: Coding, sent: Buffer, reply: FastifyReply): Buffer {
  const etag = reply.getHeader('etag')
  if (typeof etag === 'string') reply.header('ETag', tagIn(coding, etag))
  reply.header('Content-Encoding', coding).removeHeader('content-length')
  return sent
}

/** Makes caches store the response per supported coding. */
export const varyByCoding = (reply: FastifyReply): void => varyBy('Accept-Encoding', reply)

/** Makes caches ask again when a request has another value in the header. */
export function varyBy(header: string, reply: FastifyReply): void {
  const others = reply.getHeader('vary')
  reply.header('Vary', others === undefined ? header : `${others}, ${header}`)
}
