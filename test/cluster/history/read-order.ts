// Compares reads of a layer with the order of its log.
import { canonical } from './canonical.js'
import { type ChangeRecord, type Entries, type ReadRecord, type Violation, violation } from './records.js'

/** A read returns a state of the log that is neither older nor newer than its time, and later reads do not go back. */
export function readFaults(
  layer: string,
  {
    reads,
    changes,
    positions,
    states,
  }: {
    readonly reads: readonly ReadRecord[]
    readonly changes: readonly ChangeRecord[]
    readonly positions: ReadonlyMap<string, number>
    readonly states: readonly Entries[]
  },
): readonly Violation[] {
  const texts = states.map((entries) => canonical(entries))
  const empty = canonical({})
  let settled: readonly { readonly returnedAt: number; readonly position: number }[] = []
  return reads
    .toSorted((a, b) => a.invokedAt - b.invokedAt)
    .flatMap((read) => {
      const { invokedAt, returnedAt = Number.POSITIVE_INFINITY } = read
      const before = changes.filter((change) => (change.returnedAt ?? Number.POSITIVE_INFINITY) < invokedAt)
      const after = changes.filter((change) => change.invokedAt > returnedAt)
      const seen = settled.filter((one) => one.returnedAt < invokedAt).map(({ position }) => position)
      const from = Math.max(-1, ...before.map(({ opId }) => positions.get(opId) ?? -1), ...seen)
      const to = Math.min(states.length, ...after.map(({ opId }) => positions.get(opId) ?? states.length)) - 1
      const text = canonical(read.entries)
      for (let position = from; position <= to; position++) {
        if ((position < 0 ? empty : texts[position]) !== text) continue
        settled = [...settled.slice(-200), { returnedAt, position }]
        return []
      }
      return [
        violation(
          'read',
          `${read.client} read a state of ${layer} that was not current at ${Math.round(invokedAt)} ms`,
        ),
      ]
    })
}
