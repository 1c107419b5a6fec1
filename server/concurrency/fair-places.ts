// Semaphore for long-held places (streams, imports) with fair shares: at each level of an account, tenant first, a
// party holds at most half of the places that the others leave free, so that a newcomer always finds a free place.
import type { Account } from '../../workers/messages/account.js'

interface Holder {
  count: number
  readonly parties: Map<string, Holder>
}

export class FairPlaces {
  private readonly root: Holder = newHolder()

  constructor(private readonly max: number) {}

  get count(): number {
    return this.root.count
  }

  /** Takes `size` places. Returns an idempotent release function; undefined if the account has used its share. */
  take(account: Account, size = 1): (() => void) | undefined {
    const names = account.map(({ name }) => name)
    if (!this.hasPlaces(names, size)) return undefined
    this.add(names, size)
    let isHeld = true
    return () => {
      if (isHeld) this.add(names, -size)
      isHeld = false
    }
  }

  private hasPlaces(names: readonly string[], size: number): boolean {
    let [holder, max]: [Holder | undefined, number] = [this.root, this.max]
    for (const name of names) {
      const party: Holder | undefined = holder?.parties.get(name)
      const [all, count] = [holder?.count ?? 0, party?.count ?? 0]
      if (all + size > max) return false
      max = Math.ceil((max - (all - count)) / 2)
      holder = party
      if (count + size > max) return false
    }
    return true
  }

  private add(names: readonly string[], change: number): void {
    let holder = this.root
    holder.count += change
    for (const name of names) {
      const party = holder.parties.get(name) ?? newHolder()
      party.count += change
      if (party.count > 0) holder.parties.set(name, party)
      else holder.parties.delete(name)
      holder = party
    }
  }
}

const newHolder = (): Holder => ({ count: 0, parties: new Map() })
