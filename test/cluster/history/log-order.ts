// Compares the order of audit ids, which event readers receive, with the answers: each answered change is in it once, answers
// and reads follow from it, and it respects real time.
import { canonical } from './canonical.js'
import { type EntryState, initialEntry, inputOf, stateAfter } from './entry-model.js'
import { readFaults } from './read-order.js'
import {
  type ChangeRecord,
  type Entries,
  type EventRecord,
  isRefused,
  type ReadRecord,
  type Violation,
  violation,
} from './records.js'

export interface LayerHistory {
  readonly changes: readonly ChangeRecord[]
  readonly reads: readonly ReadRecord[]
  readonly events: readonly EventRecord[]
}

/** Contradictions between the order of audit ids, which event readers receive, and the answers. */
export function contradictions(layer: string, { changes, reads, events }: LayerHistory): readonly Violation[] {
  const log = new Map<number, EventRecord>()
  const found: Violation[] = []
  for (const event of events) {
    const first = log.get(event.id) ?? event
    log.set(event.id, first)
    if (first.opId !== event.opId || canonical(first.entries) !== canonical(event.entries)) {
      found.push(violation('events', `readers of ${layer} received different events ${event.id}`))
    }
  }
  const ordered = [...log.values()].sort((a, b) => a.id - b.id)
  found.push(...readerFaults(layer, events, ordered))
  if (ordered.length > 0) found.push(...orderFaults(layer, { changes, reads, ordered }))
  return found
}

/** Each reader receives the changes after its first one, each once, in order. */
function readerFaults(
  layer: string,
  events: readonly EventRecord[],
  ordered: readonly EventRecord[],
): readonly Violation[] {
  const readers = new Set(events.map(({ reader }) => reader))
  return [...readers].flatMap((reader) => {
    const ids = events.filter((event) => event.reader === reader).map(({ id }) => id)
    const [first = 0, last = 0] = [ids[0], ids.at(-1)]
    const expected = ordered.map(({ id }) => id).filter((id) => id >= first && id <= last)
    if (canonical(ids) === canonical(expected)) return []
    return [violation('events', `${reader} of ${layer} received ${ids.length} events, expected ${expected.length}`)]
  })
}

function orderFaults(
  layer: string,
  { changes, reads, ordered }: Pick<LayerHistory, 'changes' | 'reads'> & { readonly ordered: readonly EventRecord[] },
): readonly Violation[] {
  const found: Violation[] = []
  const byOp = new Map(changes.map((change) => [change.opId, change]))
  const positions = new Map<string, number>()
  for (const [index, { opId, id }] of ordered.entries()) {
    if (positions.has(opId)) found.push(violation('once', `${opId} is in the log of ${layer} twice, again as ${id}`))
    positions.set(opId, index)
    const change = byOp.get(opId)
    if (change === undefined) found.push(violation('once', `nobody sent ${opId}, event ${id} of ${layer}`))
    else if (isRefused(change)) found.push(violation('once', `${opId} of ${layer} was refused, and is in the log`))
  }
  for (const change of changes) {
    const isApplied = change.answer !== undefined && 'entries' in change.answer
    if (isApplied && !positions.has(change.opId)) {
      found.push(violation('once', `${change.opId} of ${layer} was answered, and is not in the log`))
    }
  }
  const states = statesOf(ordered, byOp)
  found.push(...answerFaults(layer, { ordered, states, byOp }))
  found.push(...timeFaults(layer, changes, positions))
  found.push(...readFaults(layer, { reads, changes, positions, states }))
  return found
}

/** Entries after each change of the log, by the model. */
function statesOf(ordered: readonly EventRecord[], byOp: ReadonlyMap<string, ChangeRecord>): readonly Entries[] {
  const entries = new Map<string, EntryState>()
  return ordered.map(({ opId }) => {
    const change = byOp.get(opId)
    if (change !== undefined) {
      const before = entries.get(change.key) ?? initialEntry
      entries.set(change.key, stateAfter(before, inputOf(change)) ?? before)
    }
    return Object.fromEntries([...entries].flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])))
  })
}

function answerFaults(
  layer: string,
  {
    ordered,
    states,
    byOp,
  }: {
    readonly ordered: readonly EventRecord[]
    readonly states: readonly Entries[]
    readonly byOp: ReadonlyMap<string, ChangeRecord>
  },
): readonly Violation[] {
  return ordered.flatMap(({ opId, id, entries }, index) => {
    const answer = byOp.get(opId)?.answer
    const given = answer && 'entries' in answer ? answer.entries : undefined
    const isWrong = [given, entries].some((one) => one !== undefined && canonical(one) !== canonical(states[index]))
    return isWrong
      ? [violation('answer', `the answer to ${opId}, event ${id} of ${layer}, does not follow the log`)]
      : []
  })
}

/** A change that was answered before another one was sent comes before it. */
function timeFaults(
  layer: string,
  changes: readonly ChangeRecord[],
  positions: ReadonlyMap<string, number>,
): readonly Violation[] {
  const logged = changes
    .flatMap((change) => {
      const position = positions.get(change.opId)
      return position === undefined ? [] : [{ ...change, position }]
    })
    .sort((a, b) => a.position - b.position)
  let latestInvocation = { invokedAt: Number.NEGATIVE_INFINITY, opId: '' }
  return logged.flatMap((change) => {
    const isEarly = (change.returnedAt ?? Number.POSITIVE_INFINITY) < latestInvocation.invokedAt
    const { opId } = latestInvocation
    if (change.invokedAt > latestInvocation.invokedAt) latestInvocation = change
    return isEarly
      ? [violation('order', `${change.opId} of ${layer} was answered before ${opId} was sent, and follows it`)]
      : []
  })
}
