// Classifies Acme's errors. The engine acts on these classes, never on a status.
import { classifyByStatus, isObject } from 'steward/plugin'

/** @import { Classification, FailedResponse, FailureClass } from 'steward/plugin' */

/** @type {Readonly<Record<string, FailureClass>>} */
const classes = { in_use: 'inUse', name_taken: 'nameTaken', version_conflict: 'stale' }

/**
 * Classifies `{ "error": { "code": "in_use", "message": "…" } }`; a proxy in between may answer anything else.
 * @param {FailedResponse} response
 * @returns {Classification}
 */
export function classify({ status, body }) {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {}
  const code = typeof error['code'] === 'string' ? error['code'] : undefined
  return {
    class: (code === undefined ? undefined : classes[code]) ?? classifyByStatus(status, body),
    ...(code === undefined ? {} : { code }),
    ...(typeof error['message'] === 'string' ? { message: error['message'] } : {}),
  }
}
