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
  const failure = error instanceof HttpFailure ? error : undefined
  return new ApiFailure({
    class: failure?.isPermanent ? (failure.obstacle === undefined ? 'invalid' : 'unexpected') : 'retry',
    obstacle: failure?.obstacle,
    status: 0,
    operation,
    message: `no answer: ${error instanceof Error ? error.message : String(error)}`,
    isAmbiguous: failure?.wasSent ?? true,
    cause: error,
  })
}
