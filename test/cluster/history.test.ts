// The checker of histories: it accepts every history of a server without mistakes, and finds each kind of mistake.
import fc from 'fast-check'
import t from 'tap'
import { isLong, seed } from '../support/sample.js'
import { checkHistory } from './history/check-history.js'
import { imaginedHistory } from './history/imagined.js'
import type { ChangeRecord, EventRecord, HistoryRecord, ReadRecord } from './history/records.js'
import { eachOnce } from './load/imports.js'
import { seededDraw } from './seeded-draw.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)

const runs = isLong ? 500 : 25
const requests = 150

t.test('a history without mistakes is accepted', async (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0 }),
      (start) => checkHistory(imaginedHistory(seededDraw(start), requests)).length === 0,
    ),
    { seed, numRuns: runs },
  )
  t.pass(`${runs} histories`)
})

type Changed = ChangeRecord & { readonly answer: { readonly entries: Readonly<Record<string, string>> } }

const isApplied = (record: HistoryRecord): record is Changed =>
  record.kind === 'change' && record.answer !== undefined && 'entries' in record.answer
const isRead = (record: HistoryRecord): record is ReadRecord => record.kind === 'read'
const isEvent = (record: HistoryRecord): record is EventRecord => record.kind === 'event'
const middleOf = <One>(all: readonly One[]): One => {
  const one = all[Math.floor(all.length / 2)]
  if (one === undefined) throw new Error('The history is too short')
  return one
}

/** Each mistake of a server: changes a correct history into what clients of that server would have recorded. */
const mistakes: Readonly<
  Record<
    string,
    { readonly rules: readonly string[]; make(records: readonly HistoryRecord[]): readonly HistoryRecord[] }
  >
> = {
  'an answered change is lost': {
    rules: ['once'],
    make(records) {
      const { opId } = middleOf(records.filter(isApplied))
      return records.filter((record) => !(isEvent(record) && record.opId === opId))
    },
  },
  'a change is applied twice': {
    rules: ['once'],
    make(records) {
      const again = middleOf(records.filter(isEvent))
      const id = 1 + Math.max(...records.filter(isEvent).map((event) => event.id))
      return [...records, ...['one', 'two'].map((reader) => ({ ...again, reader, id }))]
    },
  },
  'a refused change is applied': {
    rules: ['once'],
    make(records) {
      const wrong = middleOf(records.filter(isApplied))
      return records.map((record) => (record === wrong ? { ...wrong, answer: { refused: 'Conflict' } } : record))
    },
  },
  'a change appears that nobody sent': {
    rules: ['once'],
    make(records) {
      const { opId } = middleOf(records.filter(isApplied))
      return records.filter((record) => !(record.kind === 'change' && record.opId === opId))
    },
  },
  'a read returns an old state': {
    rules: ['read', 'linearizable'],
    make(records) {
      const read = records
        .filter(isRead)
        .toSorted((a, b) => a.invokedAt - b.invokedAt)
        .at(-1)
      return records.map((record) => (record === read ? { ...read, entries: {} } : record))
    },
  },
  'a read returns a value that was never written': {
    rules: ['read', 'linearizable'],
    make(records) {
      const read = middleOf(records.filter(isRead))
      return records.map((record) => (record === read ? { ...read, entries: { a: 'unknown' } } : record))
    },
  },
  'a reader of events misses one': {
    rules: ['events'],
    make(records) {
      const missed = middleOf(records.filter(isEvent))
      return records.filter((record) => record !== missed)
    },
  },
  'a reader receives an event twice': {
    rules: ['events'],
    make: (records) => [...records, middleOf(records.filter(isEvent))],
  },
  'two readers receive events in different orders': {
    rules: ['events'],
    make(records) {
      const own = records.filter(isEvent).filter(({ reader }) => reader === 'one')
      const [first, second] = [own.at(3), own.at(4)]
      return records.map((record) => (record === first ? second : record === second ? first : record) ?? record)
    },
  },
  'two readers receive different contents': {
    rules: ['events'],
    make(records) {
      const wrong = middleOf(records.filter(isEvent))
      return records.map((record) => (record === wrong ? { ...wrong, entries: {} } : record))
    },
  },
  'an answer shows another state than the log': {
    rules: ['answer'],
    make(records) {
      const wrong = middleOf(records.filter(isApplied))
      return records.map((record) => (record === wrong ? { ...wrong, answer: { entries: { a: 'other' } } } : record))
    },
  },
  'the log is not in the order of time': {
    rules: ['order'],
    make(records) {
      const ids = records.filter(isEvent).map(({ id }) => id)
      const last = Math.max(...ids)
      return records.map((record) => (isEvent(record) ? { ...record, id: last + 1 - record.id } : record))
    },
  },
  'a stalled writer overwrites a later change': {
    rules: ['linearizable'],
    make(records) {
      // Its old answer was computed before the later change, which its answer does not show.
      const last = records
        .filter(isApplied)
        .toSorted((a, b) => a.invokedAt - b.invokedAt)
        .at(-1)
      if (last === undefined) throw new Error('No change was applied')
      const late = { ...last, opId: 'late', invokedAt: last.invokedAt + 1000, returnedAt: last.invokedAt + 1001 }
      const read = middleOf(records.filter(isRead))
      const after = { ...read, invokedAt: last.invokedAt + 2000, returnedAt: last.invokedAt + 2001 }
      return [...records, { ...late, work: { set: 'late' }, answer: { entries: { [last.key]: 'late' } } }, after]
    },
  },
  'a promised document is not there': {
    rules: ['promise'],
    make: (records) => records.map((record) => (record.kind === 'promise' ? { ...record, found: 'nothing' } : record)),
  },
  'a failed import leaves a second document': {
    rules: ['promise'],
    make: (records) => [...records, ...eachOnce(['importer-1'], new Map([['importer-1', 2]]))],
  },
  'an import leaves no document': {
    rules: ['promise'],
    make: (records) => [...records, ...eachOnce(['importer-1'], new Map())],
  },
}

for (const [title, { rules, make }] of Object.entries(mistakes)) {
  t.test(`a mistake is found: ${title}`, async (t) => {
    for (let run = 0; run < 3; run++) {
      const history = imaginedHistory(seededDraw(seed + run), requests)
      const found = new Set(checkHistory(make(history)).map(({ rule }) => rule))
      for (const rule of rules) t.ok(found.has(rule as never), `${rule} in ${[...found]}`)
    }
  })
}

t.test('the order check and the search agree where only answers are known', async (t) => {
  // Without events there is no log, so the search alone must find a lost change.
  const history = imaginedHistory(seededDraw(seed), requests).filter((record) => !isEvent(record))
  t.same(checkHistory(history), [])
  const { opId, key, returnedAt = 0 } = middleOf(history.filter(isApplied).filter(({ work }) => 'set' in work))
  const lost = {
    ...middleOf(history.filter(isRead)),
    invokedAt: returnedAt + 0.1,
    returnedAt: returnedAt + 0.2,
    entries: { [key]: 'older' },
  }
  t.match(checkHistory([...history, lost]), [{ rule: 'linearizable' }], `${opId} is not seen`)
})
