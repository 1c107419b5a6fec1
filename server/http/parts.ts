// Streams the parts of a multipart body in order. Refuses bodies of other types and truncated bodies.
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { bodyTooLarge, refusalOf, wrongType } from '../operation/failures.js'
import type { BodyPart } from '../operation/operation.js'
import { invalidArg, Refusal } from '../refusals/refusal.js'
import { bounded } from './bounded-json.js'

export async function* partsOf(request: FastifyRequest): AsyncIterable<BodyPart> {
  if (!request.isMultipart()) throw new Refusal('InvalidArg', 'The body must be multipart/form-data', wrongType)
  const parts = request.parts()[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { value: part, done } = await parts.next().catch((error: unknown) => throwBroken(error, request))
      if (done) return
      // The parser's types promise one.
      if (typeof part.fieldname !== 'string') throw invalidArg('A part of the multipart body has no name')
      if (part.type === 'field') {
        // The parser truncates long fields and sets this flag.
        if (part.valueTruncated) throw bodyTooLarge()
        yield { kind: 'field', name: part.fieldname, value: textOf(part.value) }
      } else {
        const { fieldname: name, filename: fileName, mimetype: contentType, file } = part
        yield { kind: 'file', name, fileName, contentType, bytes: bytesOf(file, request) }
        // An unread file must be drained, or the next part never arrives.
        file.resume()
      }
    }
  } finally {
    // Discards the rest of the body: the connection accepts no other request before it is read.
    request.raw.unpipe()
    request.raw.resume()
  }
}

/** Returns the text of a field; fields of type JSON were parsed already and are serialised again. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(bounded(value)))

async function* bytesOf(file: Readable, request: FastifyRequest): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of file.iterator({ destroyOnReturn: false })) yield chunk
  } catch (error) {
    throwBroken(error, request)
  }
}

/** Converts errors of the parser, which have no code, into refusals. */
function throwBroken(error: unknown, { raw }: FastifyRequest): never {
  const refusal = refusalOf(error)
  if (refusal) throw refusal
  if (raw.destroyed && !raw.complete) throw new Refusal('Aborted', 'Client disconnected before the upload finished')
  throw invalidArg('The multipart body is malformed, or ends early')
}
