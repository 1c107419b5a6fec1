// The parts of a multipart body, in the order they arrive, streamed. A caller that is not multipart is told so.
import type { FastifyRequest } from 'fastify'
import { invalidArg } from '../errors.js'
import type { BodyPart } from '../operation.js'

export async function* partsOf(request: FastifyRequest): AsyncIterable<BodyPart> {
  if (!request.isMultipart()) throw invalidArg('The body must be multipart/form-data')
  for await (const part of request.parts()) {
    if (part.type === 'field') yield { kind: 'field', name: part.fieldname, value: String(part.value) }
    else {
      yield {
        kind: 'file',
        name: part.fieldname,
        fileName: part.filename,
        contentType: part.mimetype,
        bytes: part.file,
      }
    }
  }
}
