// The parts of a multipart body, in the order they arrive, streamed. A caller that is not multipart is told so, and one
// whose body breaks off learns that it did.
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
        // The parser cuts what is too long, and says so.
        if (part.valueTruncated) throw bodyTooLarge()
        yield { kind: 'field', name: part.fieldname, value: textOf(part.value) }
      } else {
        const { fieldname: name, filename: fileName, mimetype: contentType, file } = part
        yield { kind: 'file', name, fileName, contentType, bytes: bytesOf(file, request) }
        // What nobody wanted is passed over, or the next part would never come.
        file.resume()
      }
    }
  } finally {
    // So is the rest when nobody wants to see it: until it is read, the connection takes no other request.
    request.raw.unpipe()
    request.raw.resume()
  }
}

/** A field that says it is JSON has been parsed already, and a text of JSON is one. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(bounded(value)))

async function* bytesOf(file: Readable, request: FastifyRequest): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of file.iterator({ destroyOnReturn: false })) yield chunk
  } catch (error) {
    throwBroken(error, request)
  }
}

/** The parser's own errors carry no code. */
function throwBroken(error: unknown, { raw }: FastifyRequest): never {
  const known = refusalOf(error)
  if (known) throw known
  if (raw.destroyed && !raw.complete) throw new Refusal('Aborted', 'The client went before it had sent everything')
  throw invalidArg('The multipart body is malformed, or ends early')
}
