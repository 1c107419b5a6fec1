// Signals to the real program while its n-th write is held, before or after it took effect: SIGKILL, and SIGINT once and
// twice. A sample of the writes of the example with the most kinds; with STEWARD_TEST_LONG=1 every write of every example.
import t, { type Test } from 'tap'
import { chosen } from '../../core/conformance/chance.js'
import { printed } from '../cli/program.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { Scene } from './scene.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

const applied = ['apply', '--provider', 'all', '--yes']
const destroyed = ['destroy', '--provider', 'all', '--yes']

type Edit = readonly (readonly [from: string, to: string])[]

/** Example folders with edits of each: an update, a rename and a replacement. The one with most kinds is first. */
const examples: Readonly<Record<string, Edit>> = {
  qoder: [
    ['What reviews found before', 'What reviews found'],
    ['Returns are free for thirty days.', 'Returns are free for a month.'],
    ['Answer questions about orders.', 'Answer all questions about orders.'],
    ['memory_stores: [policies]', 'memory_stores: []'],
    ['  shop-chat:\n', '  chat:\n'],
    ['  nightly-review:\n', '  review-of-the-day:\n'],
    ['name: Visitor', 'name: Visitors'],
    ['SCOPE: main', 'SCOPE: all'],
  ],
  'four-providers': [
    ['Where reviews run', 'Where all reviews run'],
    ['Reviews changes before a person does', 'Reviews changes'],
    ['display_name: Access to repositories', 'display_name: Repositories'],
    ['example-github-token', 'another-github-token'],
    ['You sort new issues', 'You sort all new issues'],
    ['  searcher:\n', '  finder:\n'],
    ['builtin: [read, write, grep, web_fetch]', 'builtin: [read, write]'],
    ['apt: [ripgrep]', 'apt: [ripgrep, jq]'],
  ],
  claude: [
    ['Where tickets are answered; reaches', 'Where all tickets are answered; reaches'],
    ['Be brief and kind.', 'Be brief.'],
    ['Drafts answers to tickets', 'Drafts all answers to tickets'],
    ['  lessons:\n', '  findings:\n'],
    ['memory_stores: [lessons]', 'memory_stores: [findings]'],
    ['memory_stores: [lessons]', 'memory_stores: [findings]'],
    ['Draft an answer to every ticket', 'Draft one answer to every ticket'],
    ['  audit:\n', '  review:\n'],
  ],
  ark: [
    ['Where papers are read; reaches', 'Where all papers are read; reaches'],
    ['An agent is a model with tools', 'An agent is one model with tools'],
    ['Doubts what the reader says', 'Doubts everything'],
    ['  reading-list:\n', '  list:\n'],
    ['memory_stores: [reading-list]', 'memory_stores: [list]'],
    ['memory_stores: [reading-list]', 'memory_stores: [list]'],
    ['Write the digest of this week.', 'Write the digest of the week.'],
  ],
  bailian: [
    ['Where tables are read and drawn', 'Where all tables are read and drawn'],
    ['Revenue is counted', 'Revenue counts'],
    ['weeks: 26', 'weeks: 52'],
    ['  findings:\n', '  notes:\n'],
    ['memory_stores: [findings]', 'memory_stores: [notes]'],
    ['Write the page about last week', 'Write one page about last week'],
    ['  weekly-page:\n', '  page:\n'],
  ],
}

type End = 'killed' | 'asked to stop' | 'made to stop'

/** Write of the run that is held, and whether it is held before or after its effect. */
interface Hold {
  readonly write: number
  readonly when: 'before' | 'after'
}

/** Each way to end before a write and after one; a sample has every way, and both moments. */
const ends: readonly (readonly [End, Hold['when']])[] = [
  ['killed', 'before'],
  ['killed', 'after'],
  ['asked to stop', 'before'],
  ['made to stop', 'after'],
  ...(isLong
    ? ([
        ['asked to stop', 'after'],
        ['made to stop', 'before'],
      ] as const)
    : []),
]

interface Work {
  readonly what: string
  readonly words: readonly string[]
  prepare(scene: Scene, edit: Edit): Promise<void>
  check(t: Test, scene: Scene): Promise<void>
}

const works: readonly Work[] = [
  { what: 'a first apply', words: applied, prepare: async () => {}, check: isSettled },
  {
    what: 'an apply of changes',
    words: applied,
    async prepare(scene, edit) {
      await scene.run(...applied)
      scene.edit(...edit)
    },
    check: isSettled,
  },
  {
    what: 'a destroy',
    words: destroyed,
    prepare: async (scene) => void (await scene.run(...applied)),
    async check(t, scene) {
      t.same(await scene.left(), [], 'nothing is left that can be removed')
      t.same(scene.rows(), [], 'state holds nothing')
    },
  },
]

for (const [example, edit] of Object.entries(examples).slice(0, isLong ? undefined : 1))
  for (const work of works)
    t.test(`after an end at any write of ${work.what} of ${example}, the next run continues`, async (t) => {
      const before = await Scene.open(t, example)
      await work.prepare(before, edit)
      const undisturbed = await before.copy(t)
      const writes = await undisturbed.countWrites(...work.words)
      t.ok(writes > 5, `${writes} writes`)
      await work.check(t, undisturbed)
      for (const [end, when] of ends)
        for (const write of chosen(writes, sampleOf(1).sample))
          await t.test(`${end} at write ${write} of ${writes}, ${when} it took effect`, async (t) => {
            const scene = await before.copy(t)
            await cut(t, scene, work.words, { write, when, end })
            const { code, stderr } = await scene.run(...work.words)
            t.equal(code, 0, stderr)
            await work.check(t, scene)
          })
    })

async function cut(
  t: Test,
  scene: Scene,
  words: readonly string[],
  { end, ...hold }: Hold & { readonly end: End },
): Promise<void> {
  const { emulator } = scene
  await emulator.knobs({ hold })
  const running = scene.start(...words)
  await Promise.race([emulator.held(), running.ended])
  if (end === 'killed') {
    running.child.kill('SIGKILL')
    t.equal((await running.ended).signal, 'SIGKILL')
  } else {
    running.child.kill('SIGINT')
    await printed(running, 'stderr', 'Stopping:')
    if (end === 'made to stop') running.child.kill('SIGTERM')
    else await emulator.knobs({ hold: null })
    t.match(await running.ended, { code: 130, signal: null })
  }
  await emulator.knobs({ hold: null })
}

async function isSettled(t: Test, scene: Scene): Promise<void> {
  t.same(await scene.differences(), [], 'state equals the objects at the providers')
  const { code, stdout } = await scene.run('plan', '--provider', 'all', '--detailed-exitcode')
  t.equal(code, 0, stdout)
}
