// Failures of requests that got no complete answer.
import { HttpFailure } from '../ports/http.js'
import { ApiFailure } from './failure.js'

/** The request was given up, because its answer took too long. It may have taken effect. */
export function overdue(cause: unknown, operation: string): ApiFailure {
  return new ApiFailure({
    class: 'retry',
    status: 0,
    operation,
    message: 'no answer in time',
    isAmbiguous: true,
    cause,
  })
}

/** The connection could not be made, or broke before the answer was complete. */
export function unanswered(error: unknown, operation: string): ApiFailure {
  return new ApiFailure({
    class: error instanceof HttpFailure && error.isPermanent ? 'invalid' : 'retry',
    status: 0,
    operation,
    message: `no answer: ${error instanceof Error ? error.message : String(error)}`,
    isAmbiguous: !(error instanceof HttpFailure) || error.wasSent,
    cause: error,
  })
}
