// Waiting resources do not count as changes in exit codes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

t.test('2.12 a default memory store without a session waits, and does not count as a change', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const run = (...words: string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'k' } })
  const write = (instructions: string) =>
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"
providers: { qoder: { api_key: "\${KEY}" } }
environments: { base: { config: { type: cloud } } }
identities: { me: { external_id: u-1 } }
defaults: { identity: me }
agents:
  helper:
    { model: auto, instructions: ${instructions}, environment: base, delivery: { qoder: { type: forward } }, default_memory_store: { name: notes } }
`,
    )
  write('Help.')
  t.equal((await run('plan', '--detailed-exitcode')).code, 2)
  t.equal((await run('apply', '--yes')).code, 0)
  for (const round of [1, 2]) {
    const { code, stdout } = await run('plan', '--detailed-exitcode')
    t.equal(code, 0, `round ${round}`)
    t.match(stdout, /No changes\. 3 resources as declared, 1 waiting\./)
    const all = records((await run('plan', '--json')).stdout)
    t.match(all.at(-1), { type: 'summary', hasChanges: false, counts: { waiting: 1, create: 0 } })
    const again = await run('apply', '--yes')
    t.equal(again.code, 0)
    t.match(again.stdout, /waiting qoder\.default_memory_store\.helper/)
  }
  write('Help well.')
  t.equal((await run('plan', '--detailed-exitcode')).code, 2, 'other changes are still reported')
})
