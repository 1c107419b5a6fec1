// Histories of an imagined server that makes no mistakes: concurrent clients whose requests take effect at one moment between
// sending and answer. Tests of the checker add mistakes to them.
import { type EntryState, initialEntry, inputOf, stateAfter } from './entry-model.js'
import type { ChangeRecord, Entries, EventRecord, HistoryRecord, ReadRecord } from './records.js'

/** Number below the bound, from a seeded source. */
export type Draw = (bound: number) => number

const layer = 'document/default'
const clients = 5
const keys = ['a', 'b', 'c']

interface Pending {
  readonly client: string
  readonly invokedAt: number
  readonly effectAt: number
  readonly returnedAt: number
}

export function imaginedHistory(draw: Draw, requests: number): readonly HistoryRecord[] {
  const pending = Array.from({ length: clients }, (_, client) =>
    requestsOf(`client-${client}`, draw, requests / clients),
  )
  const inOrder = pending.flat().sort((a, b) => a.effectAt - b.effectAt)
  const states = new Map<string, EntryState>()
  const applied: ChangeRecord[] = []
  const events: EventRecord[] = []
  const records: HistoryRecord[] = inOrder.map((one, index) => {
    if (draw(3) === 0) return readAt(one, entriesOf(states))
    const change = changeAt(one, { opId: `op-${index}`, key: keys[draw(keys.length)] ?? '', applied, draw })
    const state = stateAfter(states.get(change.key) ?? initialEntry, inputOf(change)) ?? initialEntry
    states.set(change.key, state)
    const entries = entriesOf(states)
    events.push(...['one', 'two'].map((reader) => eventOf(reader, events.length / 2 + 1, change.opId, entries)))
    const isAnswered = draw(20) > 0
    const answered = { ...change, ...(isAnswered ? { answer: { entries } } : { returnedAt: undefined }) }
    if (isAnswered) applied.push(answered)
    return answered
  })
  const promise = { kind: 'promise', subject: 'document', promised: 'ready', found: 'ready' } as const
  return [...records, ...events, promise]
}

/** Returns the times of the requests of a client, which sends one after the other. */
function requestsOf(client: string, draw: Draw, count: number): readonly Pending[] {
  let now = draw(10)
  return Array.from({ length: Math.floor(count) }, () => {
    const invokedAt = now
    const effectAt = invokedAt + 1 + draw(20) + draw(1000) / 1000
    const returnedAt = effectAt + 1 + draw(20)
    now = returnedAt + 1 + draw(5)
    return { client, invokedAt, effectAt, returnedAt }
  })
}

const timed = ({ client, invokedAt, returnedAt }: Pending) => ({ client, layer, invokedAt, returnedAt })

const readAt = (one: Pending, entries: Entries): ReadRecord => ({ kind: 'read', ...timed(one), entries })

const eventOf = (reader: string, id: number, opId: string, entries: Entries): EventRecord => ({
  ...{ kind: 'event', reader, layer, id, opId, entries },
})

function changeAt(
  one: Pending,
  { opId, key, applied, draw }: { opId: string; key: string; applied: readonly ChangeRecord[]; draw: Draw },
): ChangeRecord {
  const known = applied.filter((change) => (change.returnedAt ?? 0) < one.invokedAt)
  const target = draw(4) === 0 ? known[draw(Math.max(1, known.length))] : undefined
  const work = target ? { undoOf: target.opId } : { set: `value-${opId}` }
  return { kind: 'change', ...timed(one), opId, key: target?.key ?? key, work, answer: undefined }
}

const entriesOf = (states: ReadonlyMap<string, EntryState>): Entries =>
  Object.fromEntries([...states].flatMap(([key, { value }]) => (value === undefined ? [] : [[key, value]])))
