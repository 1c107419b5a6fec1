import fc from 'fast-check'
import t from 'tap'
import { type Contents, parseState, serialiseState } from '../../../core/state/document.js'
import { agentRow, anyAddress, anyRow, refusal, rowOf } from './fixtures.js'

const place = { path: '/p/agents.state.json' }
const encode = (text: string) => new TextEncoder().encode(text)
const parse = (text: string, where: Parameters<typeof parseState>[1] = place) => parseState(encode(text), where)

function contentsOf(more: Partial<Contents> = {}): Contents {
  return { project: 'demo', lineage: 'l', serial: 7, salt: 's', providers: new Map(), rows: new Map(), ...more }
}

t.test('any contents are read back as written', async () => {
  const anyContents = fc.record(
    {
      project: fc.string(),
      folder: fc.string(),
      lineage: fc.uuid(),
      serial: fc.nat(),
      salt: fc.string(),
      providers: fc.dictionary(fc.string(), fc.string()).map((all) => new Map(Object.entries(all))),
      rows: fc.array(fc.tuple(anyAddress, anyRow)).map((all) => new Map(all)),
    },
    { requiredKeys: ['project', 'lineage', 'serial', 'salt', 'providers', 'rows'] },
  )
  fc.assert(
    fc.property(anyContents, (contents) => {
      const text = serialiseState(contents)
      const again = serialiseState(parse(text))
      if (again !== text) throw new Error(`${again}\n!==\n${text}`)
    }),
  )
})

t.test('the text does not depend on the order of rows and leaves', async (t) => {
  const a = rowOf('1', { x: 'h', y: 'i' })
  const b = { leaves: { y: 'i', x: 'h' }, form: 1, id: '1' }
  const one = contentsOf({
    rows: new Map([
      ['q.agent.a', a],
      ['q.agent.b', b],
    ]),
  })
  const two = contentsOf({
    rows: new Map([
      ['q.agent.b', a],
      ['q.agent.a', b],
    ]),
  })
  t.equal(serialiseState(one), serialiseState(two))
})

t.test('a resource is one line of at most 600 bytes', async (t) => {
  const rows = new Map(Array.from({ length: 1_000 }, (_, index) => [`qoder.agent.agent-${index}`, agentRow(index)]))
  const lines = serialiseState(contentsOf({ rows })).split('\n')
  const ofRows = lines.filter((line) => line.startsWith('"qoder.agent.'))
  t.equal(ofRows.length, 1_000)
  t.ok(Math.max(...ofRows.map((line) => line.length)) <= 600)
})

t.test('a damaged file is refused, and the message says how to restore it', async (t) => {
  const whole = serialiseState(contentsOf({ rows: new Map([['q.agent.a', agentRow(1)]]) }))
  const withBackup = { ...place, backup: '/p/agents.state.backup' }

  await t.test('cut off anywhere', async (t) => {
    for (let length = 0; length < whole.length - 1; length++) {
      const { code } = await refusal(t, (async () => parse(whole.slice(0, length)))())
      if (code !== 'state.damaged') t.fail(`${length} bytes: ${code}`)
    }
    const { detail } = await refusal(t, (async () => parse(whole.slice(0, 200)))())
    t.match(detail, 'breaks off before its end')
    t.match((await refusal(t, (async () => parse(''))())).detail, 'is empty')
  })
  const cases: readonly (readonly [string, string, RegExp])[] = [
    ['not JSON', `${whole.slice(0, -3)}]\n`, /is not valid JSON/],
    ['a member of the wrong type', whole.replace('"form":1', '"form":"1"'), /rows\/q\.agent\.a\/form must be number/],
    ['an unknown member', whole.replace('"form":1', '"form":1,"more":2'), /q\.agent\.a/],
    ['a member missing', whole.replace('"salt":"s",\n', ''), /salt/],
    ['a negative serial', whole.replace('"serial":7', '"serial":-7'), /serial/],
  ]
  for (const [title, text, expected] of cases) {
    await t.test(title, async (t) => {
      const { code, detail } = await refusal(t, (async () => parse(text))())
      t.equal(code, 'state.damaged')
      t.match(detail, expected)
    })
  }
  t.match(
    (await refusal(t, (async () => parse('{', withBackup))())).fix,
    'cp /p/agents.state.backup /p/agents.state.json',
  )
  t.notMatch((await refusal(t, (async () => parse('{'))())).fix, 'backup', 'no backup is promised where there is none')
  const notText = Uint8Array.from([0x7b, 0xff, 0x7d, 0x0a])
  t.equal((await refusal(t, (async () => parseState(notText, place))())).code, 'state.damaged')
})

t.test('state of a newer version is refused and not reported as damaged', async (t) => {
  const text = serialiseState(contentsOf()).replace('"version":1', '"version":2,"unheardOf":true')
  const { code, detail } = await refusal(t, (async () => parse(text))())
  t.equal(code, 'state.newer')
  t.match(detail, 'has format 2, and this program knows formats up to 1')
})

t.test('JSON of another program is refused and not reported as damaged', async (t) => {
  for (const text of [
    '[]\n',
    '{}\n',
    '{"version":"1"}\n',
    '{"version":0}\n',
    '{"version":1,"resources":[]}\n',
    'null\n',
  ]) {
    t.equal((await refusal(t, (async () => parse(text))())).code, 'state.unrecognised', text)
  }
})
