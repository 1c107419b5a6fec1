// Content that is constant while the server runs: created once, compressed once per coding on first use, and served
// with an entity tag.
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Coding, codingFor, compressed, tagIn, varyByCoding } from './compression.js'

export interface Content {
  readonly type: string
  /** Creates the text; called once, by the first request. */
  readonly make: () => string
  /** Default `no-cache`: browsers ask whether it changed. */
  readonly cacheControl?: string
}

interface MadeContent {
  readonly bytes: Buffer
  readonly etag: string
}

export class FixedContent {
  #made: MadeContent | undefined
  readonly #compressed = new Map<Coding, Promise<Buffer>>()

  constructor(private readonly content: Content) {}

  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.#made ??= makeContent(this.content)
    const { bytes, etag } = this.#made
    const { type, cacheControl = 'no-cache' } = this.content
    const coding = codingFor(request)
    const tag = tagIn(coding, etag)
    reply.type(type).header('ETag', tag).header('Cache-Control', cacheControl)
    if (request.headers['if-none-match'] === tag) {
      varyByCoding(reply)
      return reply.code(304).send()
    }
    if (coding === undefined) return reply.send(bytes)
    const sent = this.#compressed.get(coding) ?? compressed(bytes, coding)
    this.#compressed.set(coding, sent)
    varyByCoding(reply)
    return reply.header('Content-Encoding', coding).send(await sent)
  }
}

function makeContent({ make }: Content): MadeContent {
  const bytes = Buffer.from(make(), 'utf8')
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` }
}
