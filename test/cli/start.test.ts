// `npm start`: the first thing a new user runs.
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from './program.js'

t.test(
  'npm start plans and applies the four-provider example, ends with an empty plan, and leaves no file behind',
  async (t) => {
    const example = join(root, 'examples/four-providers')
    const before = readdirSync(example, { recursive: true })
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/start.mjs')], {
      encoding: 'utf8',
    })
    t.equal(status, 0, stderr)
    t.match(stdout, '$ agents plan --provider all')
    t.match(stdout, '$ agents apply --provider all')
    t.match(stdout, /Applied: \d+ created, \d+ recorded\./)
    t.match(stdout, /No changes\. \d+ resources as declared\.\s*$/)
    for (const provider of ['bailian', 'qoder', 'claude', 'ark']) t.match(stdout, `created ${provider}.agent.reviewer`)
    t.same(readdirSync(example, { recursive: true }), before)
  },
)
