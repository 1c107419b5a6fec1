// Converts an error of opening or serving a data folder to a diagnostic for the operator; undefined for a bug, or an
// error of the operating system.
import type { Problem } from '../../core/diagnostic.js'
import { type ServeCode, serveProblem } from '../settings/problems.js'
import { BlobsUnavailable } from '../storage/blobs.js'
import { DataFolderUnfit } from '../storage/data-folder.js'
import { FolderInUse } from '../storage/database.js'
import { isDiskFull } from '../storage/free-space.js'
import { StoreUnfit, type UnfitReason } from '../storage/postgres/unfit.js'
import { StoreBroken, StoreUnavailable } from '../storage/store.js'

export function openingProblem(folder: string, error: unknown): Problem | undefined {
  if (error instanceof FolderInUse)
    return serveProblem('serve.data-in-use', { detail: `${folder} is in use.`, cause: error })
  if (error instanceof DataFolderUnfit) return serveProblem('serve.data-unfit', { detail: error.message, cause: error })
  if (error instanceof StoreUnfit) return serveProblem(codeOf[error.reason], { detail: error.message, cause: error })
  if (isDiskFull(error))
    return serveProblem('serve.disk-full', { detail: `The disk of ${folder} is full.`, cause: error })
  if (error instanceof StoreBroken)
    return serveProblem('serve.store-failed', { detail: `${folder}: ${reasonOf(error)}.`, cause: error })
  if (error instanceof StoreUnavailable) {
    return serveProblem('serve.store-unreachable', { detail: `${error.message}: ${reasonOf(error)}.`, cause: error })
  }
  if (error instanceof BlobsUnavailable) {
    const cause = error.cause instanceof Error ? error.cause : error
    return serveProblem(blobProblems[error.reason], { detail: `${cause.message}.`, cause })
  }
  // By name, because the client of the storage is loaded only where it is used.
  if (error instanceof Error && error.name === 'S3AddressUnfit') {
    return serveProblem('serve.bad-setting', { detail: `--blobs: ${error.message}`, cause: error })
  }
  return undefined
}

const blobProblems = {
  failed: 'serve.blobs-unavailable',
  denied: 'serve.blobs-denied',
  'no-bucket': 'serve.no-bucket',
} as const satisfies Record<BlobsUnavailable['reason'], ServeCode>
const codeOf: Readonly<Record<UnfitReason, ServeCode>> = {
  address: 'serve.bad-store-address',
  unreachable: 'serve.store-unreachable',
  encryption: 'serve.store-encryption',
  login: 'serve.store-login',
  'no-database': 'serve.no-database',
  rights: 'serve.store-rights',
  newer: 'serve.store-newer',
  older: 'serve.store-older',
  unfinished: 'serve.store-unfinished',
}

const reasonOf = ({ cause, message }: Error): string => (cause instanceof Error ? cause.message : message)
