// `agents sync` on files with anchors: flow maps with aliases and merges, and a declaration that is an alias as a whole.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const head = 'version: "1"\nproviders:\n  qoder: { api_key: x }\nx-c: &c { type: cloud }\nx-m: &m { team: a }\n'
const cases: Readonly<Record<string, string>> = {
  'a flow map with an alias': 'environments: { one: { config: *c, description: a } }\n',
  'a flow merge': 'environments: { one: { config: { <<: *c }, metadata: { <<: *m, own: b }, description: a } }\n',
  'an aliased declaration between braces':
    'environments: { two: &e { config: *c, description: a }, one: *e, three: { <<: *e } }\n',
  'an aliased declaration': 'environments:\n  two: &e { config: { type: cloud }, description: a } # both\n  one: *e\n',
}

for (const [what, body] of Object.entries(cases))
  t.test(`${what} is edited, and the plan is empty`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
    writeFileSync(join(folder, 'agents.yaml'), head + body)
    t.equal((await run('apply', '--yes')).code, 0)
    t.equal((await run('sync', '--check')).code, 0)
    const id = (await emulator.objects()).find(({ name }) => name === 'one')?.id ?? ''
    await emulator.patch(id, { description: 'changed' })
    const checked = await run('sync', '--check')
    t.equal(checked.code, 2, checked.stderr)
    t.equal(readFileSync(join(folder, 'agents.yaml'), 'utf8'), head + body)
    const synced = await run('sync')
    t.equal(synced.code, 0, synced.stderr)
    const after = readFileSync(join(folder, 'agents.yaml'), 'utf8')
    t.match(after, 'description: changed')
    t.ok(after.startsWith(head), 'the anchors stay')
    t.match((await run('plan')).stdout, 'No changes.')
  })
