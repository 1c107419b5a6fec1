// Shows the progress of an apply: a line for each change as it ends, and on a terminal a live line of the changes in
// flight.
import { applyLimits } from '../../core/apply/work.js'
import type { Plan, Progress } from '../../core/plan/plan.js'
import { actionView } from './actions.js'
import { renderOutcome } from './outcomes.js'
import type { Output } from './output.js'

const columnsDefault = 80
/** Maximum number of changes that a sentence names. */
const namedMax = 5

export interface ProgressOptions {
  readonly mode: Plan['mode']
  /** Number of changes. */
  readonly total: number
  /** Maximum width of the live line in columns. */
  readonly columns?: number | undefined
}

export class ProgressView {
  readonly #output: Output
  readonly #options: ProgressOptions
  readonly #running = new Map<string, string>()
  #ended = 0

  constructor(output: Output, options: ProgressOptions) {
    this.#output = output
    this.#options = options
  }

  take(progress: Progress): void {
    if (progress.type === 'started') {
      this.#running.set(progress.address, actionView(progress.action, this.#options.mode).word)
      this.#output.record({ ...progress })
    } else {
      const { outcome } = progress
      this.#ended++
      this.#running.delete(outcome.address)
      this.#output.live('')
      this.#output.record({ type: 'outcome', ...outcome })
      // Changes that were never started are counted and listed at the end.
      if (outcome.status !== 'interrupted')
        this.#output.print(renderOutcome(outcome, this.#options.mode, this.#output.style))
    }
    if (this.#output.isLive) this.#output.live(this.#line())
  }

  end(): void {
    this.#output.live('')
  }

  /** Names the changes that an interrupted apply waits for. */
  inFlight(): string {
    const running = this.#inFlight()
    if (running.length === 0) return ''
    const more = running.length > namedMax ? ` and ${running.length - namedMax} more` : ''
    const seconds = applyLimits.stopGraceMs / 1000
    return `In flight, with ${seconds} seconds to end: ${running.slice(0, namedMax).join(', ')}${more}. `
  }

  #line(): string {
    const { total, columns = columnsDefault } = this.#options
    return `${this.#ended} of ${total}: ${this.#inFlight().join(', ')}`.slice(0, columns - 1)
  }

  #inFlight(): readonly string[] {
    return [...this.#running].map(([address, word]) => `${word} ${address}`)
  }
}
