// A storage of files belongs to one deployment: another one would find no row that names its files, and remove them.
import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.js'
import type { Blobs } from '../storage/blobs.js'
import type { Tables } from '../storage/tables.js'
import { deploymentId, type RowsPlace } from './deployment-id.js'
import { serveProblem } from './problems.js'

export interface ClaimStorageOptions {
  readonly rows: RowsPlace
  readonly tables: Tables
  readonly blobs: Blobs
  /** True takes the storage over. */
  readonly acceptMovedFiles: boolean
}

/**
 * Records the deployment in its storage. The one that was recorded first owns it. Throws `serve.other-files` for another one,
 * and for files that the rows do not name.
 */
export async function claimStorage({ rows, tables, blobs, acceptMovedFiles }: ClaimStorageOptions): Promise<void> {
  const { deployments } = blobs
  if (deployments === undefined) return
  const own = await deploymentId(rows)
  const isOwner = (ids: readonly string[]) => ids[0] === own
  const before = await deployments.list()
  if (isOwner(before)) return
  if (acceptMovedFiles) {
    for (const id of before) if (id !== own) await deployments.remove(id)
  } else if (before.length > 0) throw otherFiles('The storage has the files of another deployment.')
  else if (await hasForeign(blobs, tables))
    throw otherFiles('The storage has files that no record of this server names.')
  await deployments.add(own)
  // Whoever found the storage unused at the same time has added itself when both look again.
  await setTimeout(limits.claimSettledMs)
  if (!isOwner(await deployments.list())) throw otherFiles('The storage has the files of another deployment.')
}

/** True if the storage has files, and the first of them belong to no document of these rows. */
async function hasForeign(blobs: Blobs, tables: Tables): Promise<boolean> {
  let seen = 0
  for await (const { tenant, document } of blobs.list()) {
    if ((await tables.documents.get([tenant, document])) !== undefined) return false
    seen += 1
    if (seen >= limits.claimFilesLookedAt) break
  }
  return seen > 0
}

const otherFiles = (detail: string) => serveProblem('serve.other-files', { detail })
