// Keys of parts are recorded in state in clear text, so a variable in one is refused, with its name and position.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from '../emulator.js'
import { agentsHere } from '../in-process.js'
import { records, scratchFolder } from '../scratch.js'

const project = {
  version: '1',
  providers: { qoder: { api_key: 'x' } },
  environments: { e: { config: { type: 'cloud' } } },
  agents: { a: { model: 'auto', environment: 'e', instructions: 'Answer.' } },
}

const secret = { name: 'c', type: 'environment_variable', secret_name: '${V}', secret_value: 'x' }
const upload = { type: 'file', source: './${V}.md', mount_path: '/data/x.md' }
const start = [{ type: 'user.message', content: 'Begin.' }]

const refused = {
  'the key of a memory': { memory_stores: { m: { entries: [{ key: 'notes/${V}.md', content: 'x' }] } } },
  'the name of a secret': { vaults: { v: { credentials: [secret] } } },
  'a tool, in a spelling of the provider': { agents: { a: { ...project.agents.a, tools: { builtin: ['${V}'] } } } },
  'the path of an implied upload': { deployments: { d: { agent: 'a', initial_events: start, resources: [upload] } } },
} as const

const cloud = { type: 'cloud', packages: { pip: ['${V}'] } }
const taken = {
  'a field beside keys that are written out': {
    environments: { e: { config: cloud, metadata: { product: 'x', prod: 'y', region: '${V}' } } },
  },
  'the path of a declared file': { files: { f: { source: './${V}.md' } } },
} as const

async function plan(
  t: Parameters<typeof scratchFolder>[0] & Parameters<typeof emulate>[0],
  sections: object,
  value: string,
) {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  writeFileSync(join(folder, 'agents.yaml'), JSON.stringify({ ...project, ...sections }))
  writeFileSync(join(folder, `${value}.md`), 'Text.\n')
  const run = await agentsHere(['plan', '--json', '--out', 'saved.json'], { folder, env: { ...env, V: value } })
  return { ...run, folder }
}

for (const value of ['prod', 'My-Secret-Value', 'eu1'])
  for (const [what, sections] of Object.entries(refused))
    t.test(`"${value}" in ${what} is refused`, async (t) => {
      const { code, stdout } = await plan(t, sections, value)
      t.equal(code, 1)
      const errors = records(stdout).filter(({ severity }) => severity === 'error')
      t.match(errors, [{ code: 'graph.variable-in-key', detail: /^\S*\$\{V\}\S* becomes part of/ }])
      t.notOk(stdout.includes(value))
    })

for (const [what, sections] of Object.entries(taken))
  t.test(`a variable in ${what} is accepted`, async (t) => {
    const { code, stdout, folder } = await plan(t, sections, 'prod')
    t.equal(code, 0, stdout)
    t.notMatch(readFileSync(join(folder, 'saved.json'), 'utf8'), /\bprod\.md/)
  })
