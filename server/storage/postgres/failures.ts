// Sorts errors of PostgreSQL: repeat the statement, refuse the request until the database is back, or a bug.
import { StoreUnavailable, type UnavailableReason } from '../store.js'
import { reasonOf, StoreUnfit, type UnfitReason } from './unfit.js'

/** SQLSTATE or error code of the operating system; undefined for errors of the driver. */
const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Serialisation failure, deadlock, and a lock that was not free in time: nothing was written. */
const repeatable: ReadonlySet<string> = new Set(['40001', '40P01', '55P03'])

export const isRepeatable = (error: unknown): boolean => repeatable.has(codeOf(error) ?? '')

/**
 * True for an error that the server sent for one statement, on a connection that goes on: the statement had no effect.
 * After any other error the connection is closed, and a statement that was sent may have taken effect.
 */
export const isOfStatement = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR'

/** Classes of errors that end when the database is back or has room: connections, resources, operator, system. */
const passingClasses: ReadonlySet<string> = new Set(['08', '53', '57', '58'])
/** The server became read-only, for example after a failover. */
const readOnly = '25006'
const diskFull = '53100'

/** Converts an error of a connection or of the database as a whole; returns other errors unchanged. */
export function unavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error
  const code = codeOf(error)
  const isPassing =
    !isOfStatement(error) || code === undefined || passingClasses.has(code.slice(0, 2)) || code === readOnly
  return isPassing || isRepeatable(error) ? new StoreUnavailable(error, reasonOfCode(code)) : error
}

function reasonOfCode(code: string | undefined): UnavailableReason {
  if (code === readOnly) return 'read-only'
  return code === diskFull ? 'full' : 'unreachable'
}

/** True if the session must not be used again, although the statement failed on its own. */
export const endsSession = (error: unknown): boolean =>
  !isOfStatement(error) || codeOf(error) === readOnly || (codeOf(error) ?? '').startsWith('57P')

const unfitCodes: ReadonlyMap<string, UnfitReason> = new Map([
  ['28P01', 'login'],
  ['28000', 'login'],
  ['3D000', 'no-database'],
  ['42501', 'rights'],
  ['3F000', 'rights'],
  [readOnly, 'rights'],
])

const tlsCodes =
  /^(ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_OSSL|HOSTNAME_MISMATCH|EPROTO)|SSL connections/

/** Returns why a store could not be opened; undefined for a bug. `shown`: address without password. */
export function unfit(error: unknown, shown: string): StoreUnfit | undefined {
  if (error instanceof StoreUnfit) return error
  const cause = error instanceof StoreUnavailable ? error.cause : error
  const code = codeOf(cause) ?? ''
  const message = reasonOf(cause)
  const withReason = (reason: UnfitReason) => new StoreUnfit(reason, `${shown}: ${message}.`, cause)
  const known = unfitCodes.get(code)
  if (known !== undefined) return withReason(known)
  if (tlsCodes.test(code) || tlsCodes.test(message)) return withReason('encryption')
  // The driver reports a missing password without a code.
  if (/password must be a string/.test(message)) {
    return new StoreUnfit('login', `${shown}: the server asks for a password, and the address has none.`, cause)
  }
  return unavailable(cause) instanceof StoreUnavailable ? withReason('unreachable') : undefined
}
