// Result shared between callers: calls during the work wait for it, calls shortly afterwards get the cached result.
import type { Clock } from '../../core/ports/clock.js'

export interface SharedResultOptions {
  readonly forMs: number
  readonly clock: Clock
}

export class SharedResult<Value> {
  #last: { readonly startedAtMs: number; readonly result: Promise<Value>; isOver: boolean } | undefined

  constructor(
    private readonly work: () => Promise<Value>,
    private readonly options: SharedResultOptions,
  ) {}

  get(): Promise<Value> {
    const { forMs, clock } = this.options
    const last = this.#last
    if (last && (!last.isOver || clock.now() - last.startedAtMs < forMs)) return last.result
    const started = { startedAtMs: clock.now(), result: this.work(), isOver: false }
    const end = () => {
      started.isOver = true
    }
    started.result.then(end, end)
    this.#last = started
    return started.result
  }
}
