// Processes that share a store must have the same files: each would store some that the others do not find. The store
// records where they are: in a storage, or in the data folder with an id.
import { setTimeout } from 'node:timers/promises'
import type { DeploymentFacts } from '../storage/deployment-facts.js'
import { parseAddress } from '../storage/s3/address.js'
import { folderId } from './folder-id.js'
import { serveProblem } from './problems.js'

export interface SharedFilesOptions {
  /** Undefined for a store of one process. */
  readonly facts: DeploymentFacts | undefined
  readonly dataFolder: string
  /** Address of the storage; undefined = the data folder. */
  readonly blobs: string | undefined
  /** True records this place instead of the earlier one, to which the files were moved. */
  readonly acceptMovedFiles: boolean
}

const fact = 'place of the files'

/** Time in which another process that starts on the same folder records its place. */
const recordedWithinMs = 10_000

/** Throws `serve.other-files`. */
export async function agreeOnFiles({ facts, dataFolder, blobs, acceptMovedFiles }: SharedFilesOptions): Promise<void> {
  if (facts === undefined) return
  const folder = blobs === undefined ? await folderId(dataFolder, 'files-id') : undefined
  const place = folder ? `data folder ${folder.id}` : storageAt(blobs ?? '')
  if (acceptMovedFiles) return facts.set(fact, place)
  // The files of a folder that has an id belong to a database, which would remove those of another one.
  const recorded = folder?.isNew === false ? await recordedSoon(facts) : await facts.recordOnce(fact, place)
  if (recorded === place) return
  const here = blobs === undefined ? dataFolder : place
  const there = recorded?.replace(/^data folder .*/, 'another data folder')
  throw serveProblem('serve.other-files', {
    detail: there
      ? `The files of this process are in ${here}, those of the database in ${there}.`
      : `${here} has the files of another database.`,
  })
}

async function recordedSoon(facts: DeploymentFacts): Promise<string | undefined> {
  const end = performance.now() + recordedWithinMs
  for (;;) {
    const recorded = await facts.get(fact)
    if (recorded !== undefined || performance.now() > end) return recorded
    await setTimeout(100)
  }
}

function storageAt(address: string): string {
  const { bucket, prefix } = parseAddress(address)
  return `s3://${bucket}/${prefix}`
}
