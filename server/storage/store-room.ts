// How much free disk each commit of the store needs. What refuses tokens and what removes must go through where nothing
// else does, so the last room is theirs, and a file is given up for them.
import { limits } from '../limits.js'
import type { FreeSpace } from './free-space.js'
import type { ReserveFile } from './reserve-file.js'
import type { Commit } from './store.js'

export class StoreRoom {
  constructor(
    private readonly freeSpace: FreeSpace,
    private readonly reserve?: ReserveFile,
  ) {}

  /** Of each commit what there is no room for it; undefined = it can be written. */
  async refusals(commits: readonly Pick<Commit, 'put' | 'amend' | 'isUrgent'>[]): Promise<readonly unknown[]> {
    const urgent = commits.map(({ put, amend = [], isUrgent = false }) => isUrgent || put.length + amend.length === 0)
    const ofChanges = urgent.includes(false) ? await refusalOf(this.forChanges()) : undefined
    const ofUrgent = urgent.includes(true) ? await refusalOf(this.forUrgent()) : undefined
    return urgent.map((isUrgent) => (isUrgent ? ofUrgent : ofChanges))
  }

  /** Throws `DiskFull`. */
  async forChanges(): Promise<void> {
    await this.freeSpace.demand(limits.storeReserveBytes + (this.reserve?.missingBytes ?? 0))
  }

  /** Throws `DiskFull` when there is none even without the file: a store that fails in the middle of a write is broken. */
  private async forUrgent(): Promise<void> {
    await this.reserve?.makeRoom(limits.storeComfortBytes)
    await this.freeSpace.demand(limits.storeUrgentBytes)
  }
}

async function refusalOf(demand: Promise<void>): Promise<unknown> {
  try {
    await demand
    return undefined
  } catch (error) {
    return error
  }
}
