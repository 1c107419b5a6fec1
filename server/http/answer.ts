// Sends the return value of a handler as an HTTP response: JSON, no content, or bytes.
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import {
  type BytesAnswer,
  type Operation,
  ReadyJson,
  ReplayedJson,
  WithHeaders,
  WithStatus,
} from '../operation/operation.js'
import { codingFor, isWorthCompressing, tagIn, varyBy, varyByCoding } from './compression.js'

const jsonType = 'application/json; charset=utf-8'

const year = 365 * 24 * 60 * 60
const cacheControl = { current: 'no-store', immutable: `private, max-age=${year}, immutable` } as const

/** Header of a stored response, refusals included. */
export const replayedHeader = 'Idempotency-Replayed'

export interface AnswerOptions {
  readonly operation: Operation
  /** True if the path names a fixed version. */
  readonly isImmutable: boolean
}

export function sendAnswer(reply: FastifyReply, answer: unknown, { operation, isImmutable }: AnswerOptions) {
  if (operation.method === 'GET') reply.header('Cache-Control', cacheControl[isImmutable ? 'immutable' : 'current'])
  // A browser keeps what one token has read: another one, or none, asks the server, whose 304 needs the rights.
  if (isImmutable) varyBy('Authorization', reply)
  if (operation.answer === 'none') return reply.code(204).send()
  if (answer instanceof WithStatus) return reply.code(answer.status).send(answer.body)
  if (answer instanceof WithHeaders) return reply.headers(answer.headers).send(answer.body)
  if (answer instanceof ReplayedJson) return reply.header(replayedHeader, 'true').send(answer.body)
  if (answer instanceof ReadyJson) {
    reply.type(jsonType)
    const isCompressible = isWorthCompressing(jsonType, answer.bytes.length)
    if (isHeld(reply, answer.etag)) {
      // The headers equal those of the full response, because caches use them to find the stored one.
      if (isCompressible) varyByCoding(reply)
      const coding = isCompressible ? codingFor(reply.request) : undefined
      return reply.code(304).header('ETag', tagIn(coding, answer.etag)).send()
    }
    return reply.header('ETag', answer.etag).send(asBuffer(answer.bytes))
  }
  return isBytes(answer, operation) ? sendBytes(reply, answer) : reply.send(answer)
}

function sendBytes(reply: FastifyReply, { contentType, body, status = 200, headers = {} }: BytesAnswer) {
  if (isHeld(reply, headers.ETag)) {
    if (body instanceof Readable) body.destroy()
    return reply.code(304).header('ETag', headers.ETag).send()
  }
  return reply.code(status).headers(headers).type(contentType).send(asBuffer(body))
}

/** Returns a `Buffer` over the same bytes, because fastify would send other typed arrays as JSON. */
function asBuffer(body: Readable | Uint8Array): Readable | Buffer {
  return body instanceof Readable ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

/** True if the operation declares a response of bytes. */
function isBytes(_answer: unknown, { answer }: Operation): _answer is BytesAnswer {
  return Array.isArray(answer)
}

/** True if `If-None-Match` names these bytes (RFC 9110, 13.1.2). */
function isHeld({ request }: FastifyReply, etag: string | undefined): boolean {
  if (etag === undefined) return false
  const offered = request.headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  return offered.includes(etag) || offered.includes('*')
}
