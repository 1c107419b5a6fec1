// Marks of a target whose copy or restore has not ended: the file `restoring` of a data folder, or a fact of a
// database. No server opens a marked target. The mark of a restore names the files that belong to it, so that repeating
// it removes no others. A planned restore has written nothing else yet: its mark keeps servers out, and covers nothing.
import type { DeploymentFacts } from './deployment-facts.js'
import { StoreUnfit } from './postgres/unfit.js'

/** Name of the fact. */
export const unfinishedFact = 'unfinished copy'

/** Content of the mark of a copy. */
export const copyMark = 'copy'

/** Content of the mark of a restore that has changed nothing yet. */
export const plannedMark = 'planned restore'

const restorePrefix = 'restore '

/** `files`: place of the files that are restored with the rows. */
export const restoreMark = (files: string): string => `${restorePrefix}${files}`

/** Returns the place of the files; undefined for the mark of anything but a restore. */
export const filesOfMark = (mark: string | undefined): string | undefined =>
  mark?.startsWith(restorePrefix) ? mark.slice(restorePrefix.length) : undefined

/** True for the mark of a restore, also of a planned one. */
export const isRestoreMark = (mark: string | undefined): boolean =>
  mark === plannedMark || filesOfMark(mark) !== undefined

/** Throws `StoreUnfit` for a database that is marked. `shown`: its address without password. */
export async function refuseUnfinished(facts: Pick<DeploymentFacts, 'get'>, shown = 'The database'): Promise<void> {
  const mark = await facts.get(unfinishedFact)
  if (mark === undefined) return
  const work = mark === copyMark ? 'copy' : 'restore'
  throw new StoreUnfit('unfinished', `${shown} has part of a ${work}.`)
}
