// Injects faults of overloaded services at a seeded rate.
import { chance } from './chance.js'
import type { Refused } from './contract.js'
import type { FaultKind, Knobs } from './knobs.js'

export interface Fault {
  readonly kind: FaultKind
  /** Moment of the fault. With `after` the request takes effect and its response is lost. */
  readonly when: 'before' | 'after'
}

/** Faults that always occur before a request takes effect. Clients rely on that when they repeat a refused create. */
const refusesFirst: ReadonlySet<FaultKind> = new Set(['rateLimited'])

const messages = { overloaded: 'overloaded', serverError: 'internal error' } as const

export class Faults {
  private next: () => number

  constructor(private knobs: Knobs['faults']) {
    this.next = chance(knobs.seed)
  }

  /** Sets the knobs; a new seed, rate or selection restarts the sequence. */
  set(knobs: Knobs['faults']): void {
    this.knobs = knobs
    this.next = chance(knobs.seed)
  }

  /** Returns the fault of this request, if any. */
  draw(isWrite: boolean): Fault | undefined {
    if (this.knobs.rate === 0 || this.next() >= this.knobs.rate) return undefined
    const kind = this.knobs.kinds[Math.floor(this.next() * this.knobs.kinds.length)] ?? 'serverError'
    const isLate = this.next() < 0.5
    return { kind, when: !refusesFirst.has(kind) && isWrite && isLate ? 'after' : 'before' }
  }

  refused(kind: Exclude<FaultKind, 'drop'>): Refused {
    if (kind !== 'rateLimited') return { kind, message: `injected fault: ${messages[kind]}` }
    const { retryAfterMs } = this.knobs
    return {
      kind,
      message: 'injected fault: too many requests',
      headers: {
        'retry-after': String(Math.ceil(retryAfterMs / 1000)),
        ...(retryAfterMs % 1000 === 0 ? {} : { 'retry-after-ms': String(retryAfterMs) }),
      },
    }
  }
}
