// SIGKILL on the real program while the n-th write is held, before and after it took effect. A sample of all writes;
// every one of them with STEWARD_TEST_LONG=1.
import t, { type Test } from 'tap'
import { chosen } from '../../core/plugin/conformance/chance.js'
import { isLong, longTimeoutMs, sampleOf, seed } from '../support/sample.js'
import { Scene } from './scene.js'

t.comment(`STEWARD_TEST_SEED=${seed}`)
if (isLong) t.setTimeout(longTimeoutMs)

const applied = ['apply', '--provider', 'all', '--yes']
const destroyed = ['destroy', '--provider', 'all', '--yes']

const edits = [
  ['Where reviews run', 'Where all reviews run'],
  ['Reviews changes before a person does', 'Reviews changes'],
  ['display_name: Access to repositories', 'display_name: Repositories'],
  ['example-github-token', 'another-github-token'],
  ['You sort new issues', 'You sort all new issues'],
  ['  searcher:\n', '  finder:\n'],
  ['builtin: [read, write, grep, web_fetch]', 'builtin: [read, write]'],
  ['apt: [ripgrep]', 'apt: [ripgrep, jq]'],
] as const

interface Work {
  readonly what: string
  readonly words: readonly string[]
  prepare(scene: Scene): Promise<void>
  check(t: Test, scene: Scene): Promise<void>
}

const works: readonly Work[] = [
  { what: 'a first apply', words: applied, prepare: async () => {}, check: isSettled },
  {
    what: 'an apply of changes',
    words: applied,
    async prepare(scene) {
      await scene.run(...applied)
      scene.edit(...edits)
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

for (const work of works)
  t.test(`killed at any write of ${work.what}, the program goes on the next time`, async (t) => {
    const before = await Scene.open(t)
    await work.prepare(before)
    const undisturbed = await before.copy(t)
    const writes = await undisturbed.countWrites(...work.words)
    t.ok(writes > 10, `${writes} writes`)
    await work.check(t, undisturbed)
    for (const when of ['before', 'after'] as const)
      for (const write of chosen(writes, sampleOf(4).sample))
        await t.test(`write ${write} of ${writes}, ${when} it took effect`, async (t) => {
          const scene = await before.copy(t)
          await kill(t, scene, work.words, { write, when })
          const { code, stderr } = await scene.run(...work.words)
          t.equal(code, 0, stderr)
          await work.check(t, scene)
        })
  })

async function kill(
  t: Test,
  scene: Scene,
  words: readonly string[],
  hold: { readonly write: number; readonly when: 'before' | 'after' },
): Promise<void> {
  const { emulator } = scene
  await emulator.knobs({ hold })
  const running = scene.start(...words)
  await Promise.race([emulator.held(), running.ended])
  running.child.kill('SIGKILL')
  t.equal((await running.ended).signal, 'SIGKILL')
  await emulator.knobs({ hold: null })
}

async function isSettled(t: Test, scene: Scene): Promise<void> {
  t.same(await scene.differences(), [], 'state equals what the providers hold')
  const { code, stdout } = await scene.run('plan', '--provider', 'all', '--detailed-exitcode')
  t.equal(code, 0, stdout)
}
