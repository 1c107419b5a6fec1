// Turns what a handler returned into an HTTP answer: JSON, nothing, or bytes.
import type { FastifyReply } from 'fastify'
import { type BytesAnswer, type Operation, WithStatus } from '../operation.js'

const year = 365 * 24 * 60 * 60
const cacheControl = { current: 'no-store', immutable: `private, max-age=${year}, immutable` } as const

export interface AnswerOptions {
  readonly operation: Operation
  /** The address names the version it reads. */
  readonly isImmutable: boolean
}

export function sendAnswer(reply: FastifyReply, answer: unknown, { operation, isImmutable }: AnswerOptions) {
  if (operation.method === 'GET') reply.header('Cache-Control', cacheControl[isImmutable ? 'immutable' : 'current'])
  if (operation.answer === 'none') return reply.code(204).send()
  if (answer instanceof WithStatus) return reply.code(answer.status).send(answer.body)
  if (isBytes(answer, operation)) {
    return reply
      .code(answer.status ?? 200)
      .headers(answer.headers ?? {})
      .type(answer.contentType)
      .send(answer.body)
  }
  return reply.send(answer)
}

/** The operation's entry says that its handler answers bytes. */
function isBytes(_answer: unknown, { answer }: Operation): _answer is BytesAnswer {
  return Array.isArray(answer)
}
