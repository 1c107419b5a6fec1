// `npm test -- --changed`: the tests that a change can affect, found in a repository made for the purpose.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

// The runner is plain JavaScript, so that it starts before anything is compiled.
const { affectedTests } = await import(new URL('../scripts/affected-tests.mjs', import.meta.url).href)

t.test('tests that import a changed file by way of others are affected, and no others', async (t) => {
  const folder = t.testdir({
    core: {
      'low.ts': 'export const low = 1\n',
      'high.ts': "import { low } from './low.js'\nexport const high = low\n",
    },
    server: { 'other.ts': 'export const other = 1\n' },
    test: {
      'high.test.ts': "import { high } from '../core/high.js'\nhigh\n",
      'other.test.ts': "import { other } from '../server/other.js'\nother\n",
      cli: { 'plan.test.ts': "import t from 'tap'\n" },
    },
  })
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], { cwd: folder })
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'start')
  t.same(affectedTests(folder, 'HEAD'), [])
  writeFileSync(join(folder, 'server', 'other.ts'), 'export const other = 2\n')
  t.same(affectedTests(folder, 'HEAD'), ['test/other.test.ts'])
  writeFileSync(join(folder, 'core', 'low.ts'), 'export const low = 2\n')
  t.same(
    affectedTests(folder, 'HEAD'),
    ['test/cli/plan.test.ts', 'test/high.test.ts', 'test/other.test.ts'],
    'also tests that run the program',
  )
})
