// `agents documents mark`: marks what it finds, says what it cannot see, and marks no place twice.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runServer } from '../server/support/running-server.js'
import { needlesOn } from '../support/pdf/many-pages.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const folder = scratchFolder(t)
const data = join(folder, 'data')
mkdirSync(data)
const server = await runServer(t, { folder: data })
const env = { STEWARD_URL: server.url, STEWARD_API_TOKEN: server.apiToken }
const documents = (...words: readonly string[]) => agentsHere(['documents', ...words], { folder, env })
writeFileSync(join(folder, 'needles.pdf'), needlesOn(3))
await documents('upload', 'needles.pdf', '--id', 'needles')
const marks = async (layer = 'default') =>
  (await server.api.get(`/v1/docs/needles/layers/${layer}/annotations/items`)).at('/annotations')

t.test('a dry run counts and changes nothing; a run marks, and a second one skips', async (t) => {
  const dry = await documents('mark', 'needles', '--text', 'needle', '--dry-run', '--json')
  const unseen = { pictures: 0, drawings: 0 }
  t.match(records(dry.stdout), [
    { type: 'page', page: 1, hits: 1, marked: 1, skipped: 0, unseen },
    { type: 'page', page: 2 },
    { type: 'page', page: 3 },
    { type: 'summary', isDryRun: true, pages: 3, hits: 3, marked: 3, skipped: 0, unseen },
  ])
  t.same(await marks(), [])
  const run = await documents('mark', 'needles', '--text', 'needle', '--page', '2', '--label', 'gone')
  t.same([run.code, run.stdout], [0, 'Page 2: 1 hit\n1 place marked; 1 page searched\n'], run.stderr)
  t.match(await marks(), [{ subtype: 'redact', overlayText: 'gone', page: { objectNumber: 6 } }])
  const again = await documents('mark', 'needles', '--text', 'NEEDLE')
  t.match(again.stdout, /Page 2: 1 hit, 1 marked before\n[\s\S]*2 places marked, 1 marked before; 3 pages searched/)
})

t.test('patterns, case, layers and highlights are those of the options', async (t) => {
  const words = ['--highlight', '--color', '#00FF00', '--layer', 'legal']
  const run = await documents('mark', 'needles', '--regex', 'needle [48]', ...words)
  t.match(run.stdout, /2 places marked/)
  t.match(await marks('legal'), [{ subtype: 'highlight', color: '#00ff00' }, { subtype: 'highlight' }])
  t.match((await documents('mark', 'needles', '--text', 'NEEDLE', '--match-case')).stdout, /^0 places marked/)
  t.match((await documents('mark', 'needles', '--text', 'needl', '--whole-word')).stdout, /^0 places marked/)
  t.match((await documents('mark', 'needles', '--preset', 'iban')).stdout, /^0 places marked/)
})

t.test('wrong requests say what to correct', async (t) => {
  for (const [words, code, message] of [
    [[], 64, /--text, --regex and --preset/],
    [['--text', 'a', '--preset', 'iban'], 64, /exactly one/],
    [['--preset', 'passport'], 64, /preset/],
    [['--text', 'a', '--highlight', '--label', 'b'], 64, /--label/],
    [['--text', 'needle', '--page', '9'], 1, /no page 9/],
    [['--regex', '('], 1, /pattern/],
    [['--text', 'needle', '--color', 'red'], 1, /color/],
  ] as const) {
    const run = await documents('mark', 'needles', ...words)
    t.equal(run.code, code, run.stderr)
    t.match(run.stderr, message)
  }
})
