// Maps internal errors to refusals. Errors without a mapping are bugs.
import { JobRefusal } from '../../workers/contract/job-refusal.js'
import { PoolFailure } from '../../workers/messages/task.js'
import { limits } from '../limits.js'
import { damagedFile } from '../refusals/damaged-file.js'
import { Refusal } from '../refusals/refusal.js'
import { BlobMissing, BlobsUnavailable, BlobTooLarge } from '../storage/blobs.js'
import { isDiskFull } from '../storage/free-space.js'
import { RowNewer } from '../storage/row-formats.js'
import { StoreBroken, StoreUnavailable, type UnavailableReason } from '../storage/store.js'

/** Returns undefined for a bug. `bodyBytesMax`: limit of the route. */
export function refusalOf(error: unknown, bodyBytesMax?: number): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (error instanceof JobRefusal && error.code !== 'OverlayWanted' && error.code !== 'RepairWanted') {
    return new Refusal(error.code, error.message, error.details ? { details: error.details } : {})
  }
  if (error instanceof PoolFailure) return unavailable(error.message, error.retryAfterSeconds, error)
  if (error instanceof StoreBroken) return unavailable('The store of this server has failed', 30, error)
  if (error instanceof StoreUnavailable) {
    return unavailable(unavailableStore[error.reason], limits.storeRetryAfterSeconds, error)
  }
  if (error instanceof RowNewer) {
    return unavailable('This process is older than the rows of its deployment', limits.storeRetryAfterSeconds, error)
  }
  if (error instanceof BlobTooLarge) {
    const { sizeBytesMax } = error
    return new Refusal('PayloadTooLarge', `File exceeds the limit of ${sizeBytesMax} bytes`, {
      details: { limit: 'documentBytesMax', max: sizeBytesMax },
    })
  }
  if (error instanceof BlobMissing) return damagedFile(error)
  if (error instanceof BlobsUnavailable) {
    return unavailable(error.message, limits.blobsUnavailableRetryAfterSeconds, error)
  }
  if (isAborted(error)) return new Refusal('Aborted', 'Client disconnected before the response was complete')
  if (isDiskFull(error)) return unavailable('The disk of this server is full', 60, error)
  if (isOfHttp(error)) return ofHttp(error, bodyBytesMax)
  return isOfFiles(error) ? unreadableAddress() : undefined
}

const unavailableStore: Readonly<Record<UnavailableReason, string>> = {
  unreachable: 'The database of this server cannot be reached',
  full: 'The database of this server has no room; its operator must make some',
  'read-only': 'The database of this server is read-only at the moment',
}

function unavailable(message: string, retryAfterSeconds: number, cause: unknown): Refusal {
  return new Refusal('RuntimeUnavailable', message, { retryAfterSeconds, cause })
}

/** True if the work was aborted together with the request. */
const isAborted = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError'

interface HttpError extends Error {
  readonly code: string
  readonly statusCode: number
}

export const wrongType = { status: 415, details: { header: 'Content-Type' } } as const

/** True for errors of fastify: malformed JSON, too large a body, unsupported type. */
function isOfHttp(error: unknown): error is HttpError {
  return error instanceof Error && 'statusCode' in error && 'code' in error && String(error.code).startsWith('FST_')
}

/** True for errors of the static file plugin about invalid addresses. */
const isOfFiles = (error: unknown): boolean =>
  error instanceof Error &&
  'expose' in error &&
  'statusCode' in error &&
  [400, 403, 404].includes(Number(error.statusCode))

const unreadableAddress = () => new Refusal('InvalidArg', 'The path is not a valid file path')

function ofHttp({ code, statusCode, message }: HttpError, bodyBytesMax?: number): Refusal | undefined {
  if (statusCode === 413) return tooLarge(code, bodyBytesMax)
  if (statusCode === 415) {
    return new Refusal(
      'InvalidArg',
      'The Content-Type must be application/json, or multipart/form-data where files are sent',
      wrongType,
    )
  }
  return statusCode >= 400 && statusCode < 500 ? new Refusal('InvalidArg', message) : undefined
}

/** Codes for too many parts of a multipart body, by kind and in total. */
const partLimits: ReadonlySet<string> = new Set(['FST_FILES_LIMIT', 'FST_FIELDS_LIMIT', 'FST_PARTS_LIMIT'])

function tooLarge(code: string, bodyBytesMax?: number): Refusal {
  if (code === 'FST_REQ_FILE_TOO_LARGE') {
    const details = { limit: 'documentBytesMax' }
    return new Refusal('PayloadTooLarge', 'File exceeds the size limit of this server', { details })
  }
  if (!partLimits.has(code)) return bodyTooLarge(bodyBytesMax)
  const max = limits.requestFilesMax
  const details = { limit: 'requestFilesMax', max }
  return new Refusal('PayloadTooLarge', `A request has ${max} files at most, and as many other parts`, { details })
}

/** Returns the refusal of a JSON body or part above the limit. */
export function bodyTooLarge(max: number = limits.jsonBodyBytesMax): Refusal {
  const details = { limit: 'jsonBodyBytesMax', max }
  return new Refusal('PayloadTooLarge', `Body exceeds the limit of ${max} bytes`, { details })
}
