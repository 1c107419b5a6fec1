// Why a data folder could not be opened, as told to the operator. Undefined = a bug, or the system's own refusal.
import type { Problem } from '../core/diagnostic.js'
import { serveProblem } from './problems.js'
import { DataFolderUnfit } from './storage/data-folder.js'
import { FolderInUse } from './storage/database.js'

export function openingProblem(folder: string, error: unknown): Problem | undefined {
  if (error instanceof FolderInUse)
    return serveProblem('serve.data-in-use', { detail: `${folder} is in use.`, cause: error })
  if (error instanceof DataFolderUnfit) return serveProblem('serve.data-unfit', { detail: error.message, cause: error })
  return undefined
}
