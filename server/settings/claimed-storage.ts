// A storage of files belongs to one deployment: another one would find no row that names its files, and remove them.
import type { RecordedDeployments } from '../storage/blobs.js'
import { deploymentId, type RowsPlace } from './deployment-id.js'
import { serveProblem } from './problems.js'

export interface ClaimStorageOptions {
  readonly rows: RowsPlace
  /** Undefined for files in a folder. */
  readonly deployments: RecordedDeployments | undefined
  /** True takes the storage over. */
  readonly acceptMovedFiles: boolean
}

/** Throws `serve.other-files` if the storage belongs to another deployment. */
export async function claimStorage({ rows, deployments, acceptMovedFiles }: ClaimStorageOptions): Promise<void> {
  if (deployments === undefined) return
  const own = await deploymentId(rows)
  const found = await deployments.list()
  const others = found.filter((id) => id !== own)
  if (others.length > 0 && !acceptMovedFiles) throw claimed()
  for (const id of others) await deployments.remove(id)
  if (found.includes(own)) return
  await deployments.add(own)
  // Two deployments that claim an unused storage at once both see the other one here.
  if ((await deployments.list()).every((id) => id === own)) return
  await deployments.remove(own)
  throw claimed()
}

const claimed = () => serveProblem('serve.other-files', { detail: 'The storage has the files of another deployment.' })
