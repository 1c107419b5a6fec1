// Puts an error into the body its plane promises. Generated clients read the tenant plane's form; the engine client
// looks for the document plane's object at the top and under `error`.

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

/** A bug: the client learns the request id, the log has the rest. */
export const unknownFailure = (requestId: string) =>
  new Refusal('Unknown', `The server failed while it worked on this request; its log tells why under ${requestId}`)
