// `npm test -- --changed`: the tests that a change can affect, found in a repository made for the purpose.
import { execFileSync, spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'

// The runner is plain JavaScript, so that it starts before anything is compiled.
const { affectedTests } = await import(new URL('../scripts/tests/affected.mjs', import.meta.url).href)
const { nodeOptions } = await import(new URL('../scripts/tests/file.mjs', import.meta.url).href)
const { shardOf, inOrder } = await import(new URL('../scripts/tests/choose.mjs', import.meta.url).href)

interface Affected {
  readonly tests: readonly string[]
  readonly untested: readonly string[]
  readonly unknown: readonly string[]
}

const map = {
  tests: [
    ['test/core/low.test.ts', 2],
    ['test/cli/plan.test.ts', 3],
    ['test/workers/turn.test.ts', 1],
    ['test/browser/viewer.test.ts', 20],
  ],
  sources: { 'core/low.ts': [0, 1], 'workers/ops/turn.ts': [2], 'workers/ops/run.ts': [1, 2] },
}

/** A repository with one commit. */
function repository(t: Test) {
  const folder = t.testdir({
    core: {
      'low.ts': 'export const low = () => 1\n',
      'high.ts': "import { low } from './low.js'\nexport const high = low\n",
      'shape.ts': 'export interface Shape {}\n',
      'alone.ts': 'export const alone = () => 1\n',
    },
    plugins: { 'new.ts': 'export const added = () => 1\n' },
    workers: {
      ops: {
        'run.ts': 'export const run = async (name: string) => await import(`./named/${name}.ts`)\n',
        'turn.ts': "import type { Shape } from '../../core/shape.js'\nexport const turn = (): Shape => ({})\n",
        named: { 'flip.ts': 'export const flip = () => 1\n' },
      },
    },
    server: { browser: { viewer: { 'page.tsx': 'export const page = 1\n' } } },
    scripts: { 'build.mjs': 'export {}\n' },
    docs: { 'manual.md': '# Manual\n' },
    'notes.txt': 'notes\n',
    test: {
      'map.json': JSON.stringify(map),
      core: { 'low.test.ts': "import { low } from '../../core/low.js'\nlow()\n" },
      cli: { 'plan.test.ts': "import { scene } from '../support/scene.js'\nscene('scripts/build.mjs')\n" },
      workers: { 'turn.test.ts': "import t from 'tap'\n" },
      docs: { 'pages.test.ts': "import t from 'tap'\n" },
      browser: { 'viewer.test.ts': "import t from 'tap'\n" },
      plugins: { 'other.test.ts': "import t from 'tap'\n" },
      support: { 'scene.ts': 'export const scene = (path: string) => path\n' },
    },
  })
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], { cwd: folder })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'start')
  const after = (path: string, text = '// changed\n'): Affected => {
    writeFileSync(join(folder, path), text, { flag: 'a' })
    const affected: Affected = affectedTests(folder, 'HEAD')
    git('checkout', '--quiet', '.')
    git('clean', '--quiet', '--force')
    return affected
  }
  return { folder, git, after }
}

t.test('a change affects the tests that were measured to execute it', async (t) => {
  const { after, folder } = repository(t)
  t.same(affectedTests(folder, 'HEAD'), { tests: [], untested: [], unknown: [] })
  t.same(after('core/low.ts').tests, ['test/cli/plan.test.ts', 'test/core/low.test.ts'])
  t.same(after('workers/ops/turn.ts').tests, ['test/workers/turn.test.ts'])
})

t.test('what nothing executes, and what is new, is tested by the tests of what uses it', async (t) => {
  const { after } = repository(t)
  t.same(after('core/shape.ts').tests, ['test/workers/turn.test.ts'], 'types')
  t.same(after('workers/ops/named/flip.ts').tests, ['test/cli/plan.test.ts', 'test/workers/turn.test.ts'], 'by name')
  t.same(
    after('workers/ops/named/added.ts').tests,
    ['test/cli/plan.test.ts', 'test/workers/turn.test.ts'],
    'a new file',
  )
  t.same(after('core/alone.ts').tests, ['test/core/low.test.ts'], 'nothing uses it: all of its folder')
  t.same(after('plugins/new.ts').tests, ['test/plugins/other.test.ts'])
  t.same(after('server/browser/viewer/page.tsx').tests, ['test/browser/viewer.test.ts'], 'pages are run by browsers')
})

t.test('a new test counts for all that it imports; a file of the tests for the tests that use it', async (t) => {
  const { after, folder, git } = repository(t)
  writeFileSync(join(folder, 'test/new.test.ts'), "import { high } from '../core/high.js'\nhigh()\n")
  t.same(affectedTests(folder, 'HEAD').tests, ['test/new.test.ts'])
  writeFileSync(join(folder, 'core/low.ts'), 'export const low = () => 2\n')
  t.same(affectedTests(folder, 'HEAD').tests, ['test/cli/plan.test.ts', 'test/core/low.test.ts', 'test/new.test.ts'])
  rmSync(join(folder, 'test/new.test.ts'))
  git('checkout', '--quiet', '.')
  t.same(after('test/support/scene.ts').tests, ['test/cli/plan.test.ts'])
  t.same(after('scripts/build.mjs').tests, ['test/cli/plan.test.ts'], 'its name stands in the test')
  t.same(after('docs/manual.md').tests, ['test/docs/pages.test.ts'])
})

t.test('a changed source without a test is named, and so is a file that no rule knows', async (t) => {
  const { after, folder, git } = repository(t)
  git('rm', '--quiet', '-r', 'test/plugins')
  git('commit', '--quiet', '--message', 'no tests')
  t.same(after('plugins/new.ts'), { tests: [], untested: ['plugins/new.ts'], unknown: [] })
  t.same(after('notes.txt'), { tests: [], untested: [], unknown: ['notes.txt'] })
  rmSync(join(folder, 'core/high.ts'))
  t.same(affectedTests(folder, 'HEAD').untested, [], 'a removed source needs no test')
})

t.test('shards share the time, and hold every test once', async (t) => {
  const seconds: Readonly<Record<string, number>> = { a: 30, b: 20, c: 10, d: 10, e: 5, f: 1 }
  const secondsOf = (test: string) => seconds[test] ?? 0
  const shards: string[][] = [1, 2, 3].map((index) => shardOf(Object.keys(seconds), { index, count: 3 }, secondsOf))
  t.same(shards.flat().sort(), Object.keys(seconds))
  t.same(shards.map((tests) => tests.reduce((sum, test) => sum + secondsOf(test), 0)).sort(), [21, 25, 30])
})

t.test('the everyday tests come first, and among equals the longest', async (t) => {
  const seconds: Readonly<Record<string, number>> = {
    'test/core/a.test.ts': 1,
    'test/core/b.test.ts': 2,
    'test/cli/c.test.ts': 9,
  }
  t.same(
    inOrder(Object.keys(seconds), (test: string) => seconds[test]),
    ['test/core/b.test.ts', 'test/core/a.test.ts', 'test/cli/c.test.ts'],
  )
})

t.test('an error outside of every test fails its file', async (t) => {
  const folder = t.testdir({
    'thrown.mjs': stray("setTimeout(() => { throw new Error('stray') }, 1)"),
    'rejected.mjs': stray("Promise.reject(new Error('stray'))"),
    'none.mjs': stray(''),
  })
  const codeOf = (file: string) => spawnSync(process.execPath, [...nodeOptions, join(folder, file)]).status
  t.same([codeOf('thrown.mjs'), codeOf('rejected.mjs'), codeOf('none.mjs')], [1, 1, 0])
})

/** A test file that passes, but for what it starts beside. */
function stray(beside: string): string {
  return `import t from 'tap'
t.test('a', async (t) => {
  ${beside}
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.pass()
})
`
}
