// Searches a linearization of concurrent operations on one object: an order that respects real time and in which a
// sequential model gives every observed answer. Algorithm of Wing and Gong (1993), with the memory of visited states by
// Lowe (2017).

export interface Operation<Input, Output> {
  readonly input: Input
  /** Undefined: the operation was never answered, so it may take effect at any later time, or never. */
  readonly output: Output | undefined
  readonly invokedAt: number
  readonly returnedAt: number | undefined
}

export interface Model<State, Input, Output> {
  readonly initial: State
  /** Returns the state after the operation; undefined if the model cannot give this output in this state. */
  step(state: State, input: Input, output: Output | undefined): State | undefined
  /** Text that is equal for equal states. */
  describe(state: State): string
}

export type Search = 'linearizable' | 'not linearizable' | 'undecided'

/** Number of search steps after which the search gives up. */
const stepsMax = 200_000

export function linearize<State, Input, Output>(
  model: Model<State, Input, Output>,
  operations: readonly Operation<Input, Output>[],
): Search {
  const sorted = operations.toSorted((a, b) => a.invokedAt - b.invokedAt)
  const answered = sorted.filter(({ returnedAt }) => returnedAt !== undefined).length
  const visited = new Set<string>()
  let steps = 0

  /** `first`: index of the first operation that is not placed; `later`: placed ones after it. */
  interface Place {
    readonly state: State
    readonly first: number
    readonly later: ReadonlySet<number>
    readonly answeredLeft: number
  }

  const stack: Place[] = [{ state: model.initial, first: 0, later: new Set(), answeredLeft: answered }]
  for (let place = stack.pop(); place !== undefined; place = stack.pop()) {
    if (place.answeredLeft === 0) return 'linearizable'
    steps += 1
    if (steps > stepsMax) return 'undecided'
    stack.push(...next(place))
  }
  return 'not linearizable'

  function next({ state, first, later, answeredLeft }: Place): readonly Place[] {
    const found: Place[] = []
    // An operation can be next only if no operation that is not placed returned before it was invoked.
    let earliestReturn = Number.POSITIVE_INFINITY
    for (let index = first; index < sorted.length; index++) {
      const operation = sorted[index]
      if (operation === undefined || operation.invokedAt > earliestReturn) break
      if (later.has(index)) continue
      earliestReturn = Math.min(earliestReturn, operation.returnedAt ?? Number.POSITIVE_INFINITY)
      const after = model.step(state, operation.input, operation.output)
      if (after === undefined) continue
      const moved = placed(first, later, index)
      const name = `${moved.first} ${[...moved.later].sort((a, b) => a - b)} ${model.describe(after)}`
      if (visited.has(name)) continue
      visited.add(name)
      found.push({ state: after, ...moved, answeredLeft: answeredLeft - (operation.returnedAt === undefined ? 0 : 1) })
    }
    // The earliest invoked candidate is tried first.
    return found.reverse()
  }
}

function placed(first: number, later: ReadonlySet<number>, index: number) {
  const all = new Set(later).add(index)
  let at = first
  while (all.delete(at)) at += 1
  return { first: at, later: all }
}
