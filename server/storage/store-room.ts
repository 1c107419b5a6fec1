// Free disk space required by commits. The last space, including the reserve file, is left to urgent commits: those that
// refuse tokens and those that remove data.
import { limits } from '../limits.js'
import type { FreeSpace } from './free-space.js'
import type { ReserveFile } from './reserve-file.js'
import type { Commit } from './store.js'

type CommitSize = Pick<Commit, 'put' | 'amend' | 'isUrgent' | 'urgentOf'>

/** Approximate bytes that the log of the store adds to a commit. */
const rowOverheadBytes = 64

export class StoreRoom {
  /** Bytes of urgent commits, by party, since the disk last had space for all commits. */
  private readonly urgentBytes = new Map<string, number>()

  constructor(
    private readonly freeSpace: FreeSpace,
    private readonly reserve?: ReserveFile,
  ) {}

  /** Returns for each commit the error that there is no space for it; undefined = it can be written. */
  async refusals(commits: readonly CommitSize[]): Promise<readonly unknown[]> {
    const urgent = commits.map(({ put, amend = [], isUrgent = false }) => isUrgent || put.length + amend.length === 0)
    const isAnyBounded = commits.some(({ urgentOf }) => urgentOf !== undefined)
    const ofChanges = urgent.includes(false) || isAnyBounded ? await refusalOf(this.forChanges()) : undefined
    const ofUrgent = urgent.includes(true) ? await refusalOf(this.forUrgent()) : undefined
    if (ofChanges === undefined) this.urgentBytes.clear()
    return commits.map((commit, index) => {
      if (urgent[index] !== true) return ofChanges
      return ofUrgent ?? (ofChanges !== undefined && !this.isWithinBound(commit) ? ofChanges : undefined)
    })
  }

  /** True within the bound of the party: otherwise one party could use up the space for urgent commits of all. */
  private isWithinBound({ put, urgentOf }: CommitSize): boolean {
    if (urgentOf === undefined) return true
    const bytes = put.reduce((sum, { key, value }) => sum + key.length + value.length, rowOverheadBytes)
    const used = (this.urgentBytes.get(urgentOf) ?? 0) + bytes
    if (used > limits.storeUrgentBytesOfOne) return false
    this.urgentBytes.set(urgentOf, used)
    return true
  }

  /** Throws `DiskFull` if there is no space for commits that are not urgent. */
  async forChanges(): Promise<void> {
    await this.freeSpace.demand(limits.storeReserveBytes + (this.reserve?.missingBytes ?? 0))
  }

  /**
   * Throws `DiskFull` if there is no space even after releasing the reserve file, because a store whose write fails
   * half-way is broken.
   */
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
