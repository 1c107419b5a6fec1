// A storage of files belongs to one deployment: another one would find no row that names its files, and remove them.
import { setTimeout } from 'node:timers/promises'
import type { Problem } from '../../core/diagnostic.js'
import { limits } from '../limits.js'
import type { Blobs, RecordedDeployment } from '../storage/blobs.js'
import type { Tables } from '../storage/tables.js'
import { deploymentId, findEarlierId, forgetEarlierId, type RowsPlace } from './deployment-id.js'
import { serveProblem } from './problems.js'

export interface ClaimStorageOptions {
  readonly rows: RowsPlace
  readonly tables: Tables
  readonly blobs: Blobs
  /** True takes the storage over. */
  readonly acceptMovedFiles: boolean
}

/** Tells whether the storage still belongs to the deployment, which another one may have taken over. */
export type OwnsStorage = () => Promise<boolean>

/**
 * Records the deployment in its storage. The one that was recorded first owns it, until a copy of its rows is served. Throws
 * `serve.other-files` for another one, and for files that the rows do not name.
 */
export async function claimStorage({
  rows,
  tables,
  blobs,
  acceptMovedFiles,
}: ClaimStorageOptions): Promise<OwnsStorage> {
  const { deployments } = blobs
  if (deployments === undefined) return async () => true
  const own = await deploymentId(rows)
  const owns = async () => {
    const [owner] = await deployments.list()
    // Somebody removed the record, and nobody else took the storage over.
    if (owner === undefined) await deployments.add(own)
    return owner === undefined || owner.id === own
  }
  const before = await deployments.list()
  const [owner] = before
  if (owner?.id === own && isSettled(owner)) {
    await forgetEarlierId(rows)
    return owns
  }
  if (owner?.id !== own) {
    const mayTakeOver = acceptMovedFiles || (owner !== undefined && owner.id === (await findEarlierId(rows)))
    if (!mayTakeOver) {
      if (owner !== undefined) throw otherFiles()
      if (await hasForeign(blobs, tables))
        throw otherFiles('The storage has files that no record of this server names.')
    }
    await deployments.add(own)
    // The owner goes last: until then a start that was interrupted here can be repeated.
    for (const { id } of before.toReversed()) if (id !== own) await deployments.remove(id)
  }
  // Whoever found the storage unused at the same time has added itself when both look again.
  await setTimeout(limits.claimSettledMs)
  if (!(await owns())) {
    if (owner?.id !== own) await deployments.remove(own)
    throw otherFiles()
  }
  await forgetEarlierId(rows)
  return owns
}

/** Withdraws the claim of a deployment whose files turned out to be elsewhere. */
export async function withdrawClaim({ rows, blobs }: Pick<ClaimStorageOptions, 'rows' | 'blobs'>): Promise<void> {
  await blobs.deployments?.remove(await deploymentId(rows))
}

/** Looks at an interval whether the storage still belongs to the deployment. Returns a function that ends it. */
export function watchClaim(owns: OwnsStorage, onLost: (problem: Problem) => void): () => void {
  const look = async () => {
    // A storage that does not answer is asked again.
    if (await owns().catch(() => true)) return
    clearInterval(timer)
    onLost(otherFiles())
  }
  const timer = setInterval(() => void look(), limits.claimWatchMs).unref()
  return () => clearInterval(timer)
}

/** By the clocks of storage and process: far apart, they may make the process wait, or not. */
const isSettled = ({ recordedAtMs }: RecordedDeployment): boolean => Date.now() - recordedAtMs > limits.claimYoungMs

/** True if the storage has files, and the first of them belong to no document of these rows. */
export async function hasForeign(blobs: Blobs, tables: Tables): Promise<boolean> {
  let seen = 0
  for await (const { tenant, document } of blobs.list()) {
    if ((await tables.documents.get([tenant, document])) !== undefined) return false
    seen += 1
    if (seen >= limits.claimFilesLookedAt) break
  }
  return seen > 0
}

const otherFiles = (detail = 'The storage has the files of another deployment.') =>
  serveProblem('serve.other-files', { detail })
