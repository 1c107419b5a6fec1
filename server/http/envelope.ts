// Builds the error body of an API plane. Generated clients read the form of the tenant plane; the engine client reads
// the object of the document plane at the top level and under `error`.

import type { Plane } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import { type RefusalRow, refusalCodes } from '../refusals/refusal-codes.js'

export function envelope(refusal: Refusal, plane: Plane): unknown {
  const { code, message, details } = refusal
  if (plane !== 'document') return { error: { code, message, ...details } }
  const { onDocuments = code }: RefusalRow = refusalCodes[code]
  const error = { name: 'EngineError', code: onDocuments, message, ...(details ? { details } : {}) }
  return { ...error, error }
}

/** Returns the refusal for a bug: the client gets the request id, the details are in the log. */
export const unknownFailure = (requestId: string) =>
  new Refusal('Unknown', `Internal server error; the server log has the details under request id ${requestId}`)
