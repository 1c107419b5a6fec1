import fc from 'fast-check'
import t from 'tap'
import type { Appender } from '../../../core/ports/disk.js'
import { type Contents, serialiseState } from '../../../core/state/document.js'
import { batchText, changeLine, fold, headerText, parseJournal, type StateChange } from '../../../core/state/journal.js'
import { JournalWriter } from '../../../core/state/journal-writer.js'
import type { Row } from '../../../core/state/row.js'
import { anyAddress, anyRow, refusal, rowOf } from './fixtures.js'

const path = '/p/agents.state.journal'
const saved: Contents = {
  project: 'demo',
  lineage: 'l',
  serial: 3,
  salt: 's',
  providers: new Map([['qoder', 'f']]),
  rows: new Map([['qoder.agent.a', rowOf('old')]]),
}
const header = headerText(saved)
const encode = (text: string) => new TextEncoder().encode(text)
const parse = (text: string) => parseJournal(encode(text), path)
const line = (address: string, row: Row | null) => changeLine({ rows: { [address]: row } })

function foldText(text: string, contents = saved): Contents {
  const journal = parse(text)
  return journal ? fold(contents, journal, path) : contents
}

const anyChange: fc.Arbitrary<StateChange> = fc.oneof(
  fc.tuple(anyAddress, fc.option(anyRow)).map(([address, row]) => ({ rows: { [address]: row } })),
  fc.tuple(fc.constantFrom('qoder', 'ark'), fc.option(fc.string())).map(([name, print]) => ({
    providers: { [name]: print },
  })),
)

/** Second implementation of folding. */
function expectedAfter(changes: readonly StateChange[]): string {
  const rows = new Map(saved.rows)
  const providers = new Map(saved.providers)
  for (const change of changes) {
    for (const [address, row] of Object.entries(change.rows ?? {})) {
      rows.delete(address)
      if (row) rows.set(address, row)
    }
    for (const [name, print] of Object.entries(change.providers ?? {})) {
      providers.delete(name)
      if (print !== null) providers.set(name, print)
    }
  }
  return serialiseState({ ...saved, rows, providers })
}

t.test('folding keeps the last change of each address, however the changes were batched', async () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyChange, { minLength: 1 })), (batches) => {
      const text = header + batches.map((changes) => batchText(changes.map(changeLine))).join('')
      return serialiseState(foldText(text)) === expectedAfter(batches.flat())
    }),
  )
})

t.test('a journal cut off at any byte gives every change before the incomplete line', async () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(anyChange, { minLength: 1 })),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (batches, at) => {
        const whole = header + batches.map((changes) => batchText(changes.map(changeLine))).join('')
        const bytes = encode(whole)
        const cut = bytes.subarray(0, Math.floor(at * bytes.length))
        const journal = parseJournal(cut, path)
        const changes = batches.flat()
        // The newline alone may be missing from a line that is otherwise whole.
        const complete = (new TextDecoder().decode(cut).match(/[^\n]\n/g) ?? []).length - 1
        const found = serialiseState(journal ? fold(saved, journal, path) : saved)
        return [complete, complete + 1].some((count) => found === expectedAfter(changes.slice(0, Math.max(0, count))))
      },
    ),
  )
})

t.test('an incomplete last line is ignored', async (t) => {
  const text = header + batchText([line('qoder.agent.a', rowOf('1'))]) + line('qoder.agent.b', rowOf('2')).slice(0, -9)
  const { rows } = foldText(text)
  t.strictSame([...rows], [['qoder.agent.a', rowOf('1')]])
})

t.test('holes in the last batch, whose flush never ended, are ignored', async (t) => {
  const lost = '\0'.repeat(50)
  const text = `${header}${batchText([line('q.agent.a', rowOf('1'))])}${lost}\n${line('q.agent.c', rowOf('3'))}\n`
  t.strictSame([...foldText(text).rows.keys()], ['qoder.agent.a', 'q.agent.a', 'q.agent.c'])
})

t.test('a torn line with a later batch behind it is an error that names the line', async (t) => {
  const first = batchText([line('q.agent.a', rowOf('1')), line('q.agent.b', rowOf('2'))])
  const text = header + first.replace('"id":"2"', '"id":') + batchText([line('q.agent.c', rowOf('3'))])
  const { code, detail } = await refusal(t, (async () => parse(text))())
  t.equal(code, 'state.journal-damaged')
  t.match(detail, 'Line 4 of agents.state.journal')
})

t.test('a JSON line that is not a row is treated like a torn one', async (t) => {
  const bad = batchText([`${JSON.stringify({ rows: { 'q.agent.a': { id: 7 } } })}\n`])
  const { code, detail } = await refusal(t, (async () => parse(header + bad + batchText([line('a.b.c', null)])))())
  t.equal(code, 'state.journal-damaged')
  t.match(detail, 'Line 3')
})

t.test('a journal with an incomplete first line is ignored', async (t) => {
  for (let length = 0; length < header.length - 1; length++) t.equal(parse(header.slice(0, length)), undefined)
  t.strictSame(parse(header)?.changes, [])
})

t.test('a journal that starts with something else is refused', async (t) => {
  const { code } = await refusal(t, (async () => parse('{"some":"thing"}\n\n'))())
  t.equal(code, 'state.journal-damaged')
  const later = await refusal(t, (async () => parse(header.replace('"journal":1', '"journal":2')))())
  t.equal(later.code, 'state.newer')
})

t.test('a journal of another lineage is refused', async (t) => {
  const text = headerText({ lineage: 'other', serial: 3 }) + batchText([line('q.agent.a', rowOf('1'))])
  t.equal((await refusal(t, (async () => foldText(text))())).code, 'state.journal-foreign')
})

t.test('a journal older than the state file is already in it and is ignored', async (t) => {
  const text = headerText({ lineage: 'l', serial: 2 }) + batchText([line('qoder.agent.a', null)])
  t.equal(foldText(text), saved)
})

t.test('a journal newer than the state file, which came from a backup, is folded', async (t) => {
  const text = headerText({ lineage: 'l', serial: 4 }) + batchText([line('qoder.agent.a', rowOf('new'))])
  t.strictSame(foldText(text).rows.get('qoder.agent.a'), rowOf('new'))
})

/** Appender whose flushes wait for the test. */
function slowAppender() {
  const written: string[] = []
  const waiting: (() => void)[] = []
  const counts = { flushes: 0 }
  const appender: Appender = {
    write: async (bytes) => void written.push(new TextDecoder().decode(bytes)),
    flush: () => {
      counts.flushes++
      return new Promise<void>((resolve) => waiting.push(resolve))
    },
    close: async () => {},
  }
  return { appender, written, counts, letGo: () => waiting.splice(0).forEach((go) => void go()) }
}

t.test('changes that arrive during one flush share the next', async (t) => {
  const { appender, written, counts, letGo } = slowAppender()
  const writer = new JournalWriter(async () => appender)
  const done: number[] = []
  const append = (index: number) => writer.append({ rows: { [`q.agent.${index}`]: null } }).then(() => done.push(index))
  const first = append(0)
  while (counts.flushes < 1) await new Promise(setImmediate)
  const others = Array.from({ length: 20 }, (_, index) => append(index + 1))
  t.strictSame(done, [], 'no change is confirmed before the flush')
  letGo()
  await first
  while (counts.flushes < 2) await new Promise(setImmediate)
  t.strictSame(done, [0])
  letGo()
  await Promise.all(others)
  t.equal(counts.flushes, 2)
  t.equal(written[1]?.match(/q\.agent\./g)?.length, 20)
})

t.test('of one row, only the last change of a batch is written; all others stay, in their order', async (t) => {
  const { appender, written, letGo, counts } = slowAppender()
  const writer = new JournalWriter(async () => appender)
  const changes: readonly StateChange[] = [
    { rows: { 'q.agent.a': rowOf('1') } },
    { rows: { 'q.agent.b': rowOf('1') } },
    { rows: { 'q.agent.a': null, 'q.agent.z': rowOf('1') } },
    { providers: { q: 'account' } },
    { rows: { 'q.agent.b': rowOf('2') } },
    { providers: { q: null } },
  ]
  const all = changes.map((change) => writer.append(change))
  while (counts.flushes < 1) await new Promise(setImmediate)
  letGo()
  await Promise.all(all)
  const others = changes.filter((_, index) => index !== 1)
  t.strictSame(written.join(''), batchText(others.map(changeLine)))
})

t.test('two changes each of 1,000 resources at parallelism 20 cost about one flush for twenty', async (t) => {
  const counts = { flushes: 0 }
  const appender: Appender = {
    write: async () => {},
    flush: async () => {
      counts.flushes++
      await new Promise(setImmediate)
    },
    close: async () => {},
  }
  const writer = new JournalWriter(async () => appender)
  let next = 0
  const worker = async () => {
    while (next < 1_000) {
      const address = `q.agent.${next++}`
      await writer.append({ rows: { [address]: rowOf(null) } })
      await writer.append({ rows: { [address]: rowOf('id') } })
    }
  }
  await Promise.all(Array.from({ length: 20 }, worker))
  t.ok(counts.flushes <= 2_000 / 10, `${counts.flushes} flushes`)
})

t.test('after a failed flush no later change counts as durable', async (t) => {
  const appender: Appender = {
    write: async () => {},
    flush: () => Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' })),
    close: async () => {},
  }
  const writer = new JournalWriter(async () => appender)
  await t.rejects(writer.append({ rows: { a: null } }), { code: 'EIO' })
  await t.rejects(writer.append({ rows: { b: null } }), { code: 'EIO' })
  await writer.close()
})
