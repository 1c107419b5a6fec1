// The tables of docs/scaling.md come from the simulation with the measured figures.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const page = readFileSync(`${root}/docs/scaling.md`, 'utf8')
const program = ['--no-warnings', '--import', './scripts/typescript.mjs', 'bench/scaling/simulate.mjs', '--units', '1']
const { stdout, status } = spawnSync(process.execPath, program, { cwd: root, encoding: 'utf8' })
const rows = stdout.split('\n').filter((line) => line.startsWith('| '))

t.equal(status, 0)
t.ok(
  rows.some((row) => row.startsWith('| 100 | any process |')),
  'the smallest deployment is simulated',
)
t.test('the page shows the measured costs and the smallest deployment as they are printed', async (t) => {
  // The sizes of caches are compared for the largest deployment, which takes minutes.
  for (const row of rows.filter((row) => !row.includes('MiB') && !row.includes('Processes for')))
    t.ok(page.includes(row), row)
})
