// Bodies that are a file itself, of the media types that an operation names.
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { limits } from '../limits.js'
import { bodyTooLarge, wrongType } from '../operation/failures.js'
import type { Operation } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'

/** Leaves bodies of these types unread for the operations that accept them, and refuses them for others. */
export function acceptFileBodies(app: FastifyInstance, operations: readonly Operation[]): void {
  const types = new Set(operations.flatMap(({ fileTypes = [] }) => fileTypes))
  app.addContentTypeParser([...types], (request, payload, done) => {
    const { operation } = request.routeOptions.config
    if (operation !== undefined && isFileBody(request, operation)) done(null, payload)
    else done(new Refusal('InvalidArg', 'This operation accepts no body of this Content-Type', wrongType))
  })
}

const mediaTypeOf = ({ headers }: FastifyRequest): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

export const isFileBody = (request: FastifyRequest, { fileTypes = [] }: Operation): boolean =>
  fileTypes.includes(mediaTypeOf(request))

/** Returns the file. Reading it throws `PayloadTooLarge` above the limit of bodies, and `Aborted`. */
export function fileBodyOf(request: FastifyRequest) {
  return { contentType: mediaTypeOf(request), bytes: bounded(request.body as Readable, request) }
}

async function* bounded(payload: Readable, { raw, headers }: FastifyRequest): AsyncIterable<Uint8Array> {
  let left: number = limits.jsonBodyBytesMax
  try {
    if (Number(headers['content-length'] ?? 0) > left) throw bodyTooLarge()
    for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
      left -= chunk.length
      if (left < 0) throw bodyTooLarge()
      yield chunk
    }
  } catch (error) {
    if (raw.destroyed && !raw.complete) throw new Refusal('Aborted', 'Client disconnected before the upload finished')
    throw error
  } finally {
    // Discards the rest of the body: the connection accepts no other request before it is read.
    payload.resume()
  }
}
