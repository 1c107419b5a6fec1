// Repeats work on a layer after a repair: if the work finds damage in the file, the file is repaired once for all
// layers.
import { JobRefusal } from '../../workers/contract/job-refusal.js'
import { damaged, repairVersion } from '../documents/repair.js'
import { reread } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import type { Refusal } from '../refusals/refusal.js'

/** `unrepairable`: refusal to answer if the work finds damage again; undefined in the first attempt. */
export async function repairing<Answer>(
  context: DocumentContext,
  work: (unrepairable?: Refusal) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!isRepairWanted(error)) throw error
  }
  return await work((await repairVersion(await reread(context))) ?? damaged())
}

export const isRepairWanted = (error: unknown): boolean => error instanceof JobRefusal && error.code === 'RepairWanted'
