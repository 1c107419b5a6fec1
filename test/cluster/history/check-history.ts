// Checks a history: it must be linearizable per layer, every answered change must have happened exactly once, and readers of
// events must agree. The first check does not trust the order that the server states; the others compare it with the answers.
import { entryModel, type Input, inputOf, type Output } from './entry-model.js'
import { linearize, type Operation } from './linearize.js'
import { contradictions } from './log-order.js'
import {
  type ChangeRecord,
  type HistoryRecord,
  isRefused,
  type ReadRecord,
  type Violation,
  violation,
} from './records.js'

export function checkHistory(records: readonly HistoryRecord[]): readonly Violation[] {
  const layers = new Set(records.flatMap((record) => ('layer' in record ? [record.layer] : [])))
  return [
    ...[...layers].flatMap((layer) => {
      const own = records.filter((record) => 'layer' in record && record.layer === layer)
      const changes = own.filter((record) => record.kind === 'change')
      const reads = own.filter((record) => record.kind === 'read')
      const events = own.filter((record) => record.kind === 'event')
      return [...notLinearizable(layer, changes, reads), ...contradictions(layer, { changes, reads, events })]
    }),
    ...records.flatMap((record) =>
      record.kind === 'promise' && record.promised !== record.found
        ? [violation('promise', `${record.subject}: promised ${record.promised}, found ${record.found}`)]
        : [],
    ),
  ]
}

/** Each entry is an object of its own: a history is linearizable exactly if that of each object is. */
function notLinearizable(
  layer: string,
  changes: readonly ChangeRecord[],
  reads: readonly ReadRecord[],
): readonly Violation[] {
  const keys = new Set(changes.map(({ key }) => key))
  return [...keys].flatMap((key) => {
    const operations = [
      ...changes.filter((change) => change.key === key && !isRefused(change)).map(changeOperation),
      ...reads.map((read) => readOperation(read, key)),
    ]
    const found = linearize(entryModel(operations.map(({ input }) => input)), operations)
    return found === 'linearizable' ? [] : [violation('linearizable', `entry ${key} of ${layer} is ${found}`)]
  })
}

function changeOperation(change: ChangeRecord): Operation<Input, Output> {
  const { answer, key, invokedAt, returnedAt } = change
  const output = answer && 'entries' in answer && answer.entries ? { value: answer.entries[key] } : undefined
  return { input: inputOf(change), output, invokedAt, returnedAt }
}

const readOperation = ({ entries, invokedAt, returnedAt }: ReadRecord, key: string): Operation<Input, Output> => ({
  input: { kind: 'read' },
  output: { value: entries[key] },
  invokedAt,
  returnedAt,
})
