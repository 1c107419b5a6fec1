// Members that only sessions use are not part of the object at the provider: a plan reports their change until it is applied.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const blocks: Readonly<Record<string, string>> = {
  claude: 'claude: { api_key: "${KEY}" }',
  qoder: 'qoder: { api_key: "${KEY}" }',
  ark: 'ark: { api_key: "${KEY}" }',
}
const models: Readonly<Record<string, string>> = {
  claude: 'claude-sonnet-4-5',
  qoder: 'auto',
  ark: 'doubao-seed-2-0-pro-260215',
}

for (const [provider, block] of Object.entries(blocks))
  t.test(`a plan of ${provider} reports that another environment of an agent applies to sessions`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const run = (...words: string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'k' } })
    const write = (uses: string) =>
      writeFileSync(
        join(folder, 'agents.yaml'),
        `version: "1"
providers: { ${block} }
environments:
  base: { config: { type: cloud } }
  other: { config: { type: cloud } }
memory_stores: { notes: {} }
agents:
  helper: { model: ${models[provider]}, instructions: Help., ${uses} }
`,
      )
    write('environment: base')
    t.equal((await run('apply', '--yes')).code, 0)
    t.match((await run('plan')).stdout, /^No changes\. 4 resources as declared\.$/m)
    const changes: readonly (readonly [uses: string, says: RegExp])[] = [
      ['environment: other', /New sessions use the environment other, and no longer use the environment base\./],
      ['environment: other, memory_stores: [notes]', /New sessions use the memory store notes\./],
      ['environment: other', /New sessions no longer use the memory store notes\./],
    ]
    for (const [uses, says] of changes) {
      write(uses)
      const writes = (await emulator.requests()).filter(({ method }) => method !== 'GET').length
      const planned = await run('plan', '--detailed-exitcode')
      t.equal(planned.code, 0, 'no change at the provider')
      t.match(planned.stdout.replaceAll(/\s+/g, ' '), says)
      const change = records((await run('plan', '--json')).stdout).find(({ type }) => type === 'change')
      t.match(change, { action: 'none', notes: [{ code: 'plan.sessions-only', severity: 'note' }] })
      t.match((await run('apply', '--yes')).stdout.replaceAll(/\s+/g, ' '), says)
      t.notMatch((await run('plan')).stdout, /New sessions/, 'it is reported until it is applied')
      const after = (await emulator.requests()).filter(({ method }) => method !== 'GET').length
      t.equal(after, writes, 'the provider has nothing to change')
    }
    if (provider === 'claude')
      for (const [uses, says] of [
        ['environment: other, budget: { amount: 2.5 }', /New sessions use the budget 2\.5 USD\./],
        ['environment: other', /New sessions no longer use the budget 2\.5 USD\./],
      ] as const) {
        write(uses)
        t.match((await run('plan')).stdout.replaceAll(/\s+/g, ' '), says)
        t.equal((await run('apply', '--yes')).code, 0)
        t.notMatch((await run('plan')).stdout, /New sessions/)
      }
    // Together with another change it is recorded the same way.
    write('environment: base, description: Helps')
    t.match((await run('plan')).stdout, /update .*[\s\S]*New sessions use the environment base/)
    t.equal((await run('apply', '--yes')).code, 0)
    t.notMatch((await run('plan')).stdout, /New sessions/)
    // A row without a record (from an import) causes no note.
    const path = join(folder, 'agents.state.json')
    const state: { rows: Record<string, Record<string, unknown>> } = JSON.parse(readFileSync(path, 'utf8'))
    const row = state.rows[`${provider}.agent.helper`] ?? {}
    delete row['sessionUses']
    writeFileSync(path, JSON.stringify(state))
    write('environment: other, description: Helps')
    t.notMatch((await run('plan')).stdout, /New sessions/)
  })
