// What is told while an apply runs: a line for each change as it ends, and on a terminal a live line of what goes on.
import type { Progress } from '../core/plan/plan.js'
import type { Output } from './output.js'
import { actionViews } from './render/actions.js'
import { renderOutcome } from './render/outcomes.js'

const columnsDefault = 80

export class ProgressView {
  readonly #output: Output
  readonly #total: number
  readonly #columns: number
  readonly #running = new Map<string, string>()
  #ended = 0

  /** `total`: how many changes there are. `columns`: how wide the live line may be. */
  constructor(output: Output, options: { readonly total: number; readonly columns?: number | undefined }) {
    this.#output = output
    this.#total = options.total
    this.#columns = options.columns ?? columnsDefault
  }

  take(progress: Progress): void {
    if (progress.type === 'started') {
      this.#running.set(progress.address, actionViews[progress.action].word)
      this.#output.record({ ...progress })
    } else {
      const { outcome } = progress
      this.#ended++
      this.#running.delete(outcome.address)
      this.#output.live('')
      this.#output.record({ type: 'outcome', ...outcome })
      this.#output.print(renderOutcome(outcome, this.#output.style))
    }
    this.#output.live(this.#line())
  }

  end(): void {
    this.#output.live('')
  }

  #line(): string {
    const running = [...this.#running].map(([address, word]) => `${word} ${address}`)
    return `${this.#ended} of ${this.#total}: ${running.join(', ')}`.slice(0, this.#columns - 1)
  }
}
