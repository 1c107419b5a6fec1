// State of one running emulated provider: its description, its store and the store's persistence.
import { createHash } from 'node:crypto'
import type { JsonObject } from '../../core/value/tree.js'
import type { EmulatedProvider, EmulatorContext } from './contract.js'
import { initialValues, type Knobs } from './knobs.js'
import { Store, type StoredObject } from './store.js'

/** Returns strictly increasing times, so that "newest" is unambiguous. */
export interface Ticker {
  nextMs(): number
}

export function ticker(now: () => number): Ticker {
  let last = 0
  return {
    nextMs() {
      last = Math.max(last + 1, Math.floor(now()))
      return last
    },
  }
}

export class Account {
  readonly store: Store

  constructor(
    readonly description: EmulatedProvider,
    private readonly environment: { readonly ticker: Ticker; readonly knobs: () => Knobs; readonly idSeed: string },
    onChange: () => void,
  ) {
    const seed = createHash('sha256').update(`${environment.idSeed}/${description.provider}`).digest('hex')
    this.store = new Store(seed, onChange)
  }

  context(): EmulatorContext {
    return {
      store: this.store,
      nowMs: this.environment.ticker.nextMs(),
      knobs: this.environment.knobs(),
      ownKnobs: this.ownKnobs,
    }
  }

  get ownKnobs(): JsonObject {
    const { knobs, provider } = this.description
    return { ...initialValues(knobs ?? {}), ...this.environment.knobs().providers[provider] }
  }

  /** Resets the account to its initial objects. */
  reset(): void {
    this.store.clear()
    this.description.seed?.(this.context())
  }

  isArchived(object: StoredObject): boolean {
    const { isArchived } = this.description.collections[object.collection] ?? {}
    const archivedAt = object.body['archived_at']
    return isArchived?.(object) ?? (archivedAt !== undefined && archivedAt !== null)
  }
}
