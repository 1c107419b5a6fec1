// Drift of a deployment with an uploaded file: the path and comments in agents.yaml are kept, and nothing in use is removed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isObject } from '../../core/value/tree.js'
import { missing } from '../support/referred.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

interface Case {
  readonly connection: string
  readonly model: string
  readonly root: string
  readonly store: string
  readonly outcome: string
}

const whole = {
  store: `      # What was learned.
      - type: memory_store
        memory_store: notes # small
`,
  outcome: `      # What is good.
      - type: user.define_outcome
        description: Done
        rubric_file: ./rubric.md # ours, too
        max_iterations: 5
`,
}
const cases = {
  bailian: {
    connection: '{ api_key: x, workspace_id: w }',
    model: 'qwen3.7-plus',
    root: '/mnt',
    store: '',
    outcome: '',
  },
  qoder: { connection: '{ api_key: x }', model: 'auto', root: '/data', ...whole },
  claude: { connection: '{ api_key: x }', model: 'claude-sonnet-4-5', root: '/workspace', ...whole },
} satisfies Readonly<Record<string, Case>>

const declared = (provider: keyof typeof cases) => `version: "1"
providers:
  ${provider}: ${cases[provider].connection}
environments:
  dev: { config: { type: cloud } }
memory_stores:
  notes: { description: Notes }
agents:
  helper:
    model: ${cases[provider].model}
    instructions: Help.
    environment: dev
deployments:
  daily:
    agent: helper
    environment: dev
    resources:
      # What the report looks like.
      - type: file
        source: ./template.md # ours
        mount_path: ${cases[provider].root}/template.md
${cases[provider].store}    initial_events:
      - { type: user.message, content: Go. } # at once
${cases[provider].outcome}`

const drifts = {
  bailian: ['place', 'start'],
  qoder: ['place', 'access', 'start', 'all'],
  claude: ['place', 'access', 'start', 'all'],
} as const

for (const provider of ['bailian', 'qoder', 'claude'] as const) {
  const { root } = cases[provider]
  for (const drift of drifts[provider])
    t.test(`${provider}: drift of the ${drift} of a mounted resource changes only that`, async (t) => {
      const folder = scratchFolder(t)
      const emulator = await emulate(t)
      const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
      writeFileSync(join(folder, 'agents.yaml'), declared(provider))
      writeFileSync(join(folder, 'template.md'), 'Template\n')
      writeFileSync(join(folder, 'rubric.md'), 'Good.\n')
      const { code, stderr } = await run('apply', '--yes')
      t.equal(code, 0, stderr)
      const objects = await emulator.objects()
      const idOf = (kind: string) => objects.find((object) => object.kind === kind)?.id ?? ''
      const read = async (list: string) => {
        const response = await fetch(`${emulator.url}/_emulator/objects/${idOf('deployment')}`)
        const body: unknown = await response.json()
        return isObject(body) && Array.isArray(body[list]) ? body[list].filter(isObject) : []
      }
      const isAny = (...wanted: readonly string[]) => [...wanted, 'all'].includes(drift)
      const resources = (await read('resources')).map((resource) => ({
        ...resource,
        ...(resource['type'] === 'file' && isAny('place') ? { mount_path: `${root}/other.md` } : {}),
        ...(resource['type'] === 'memory_store' && isAny('access') ? { access: 'read_only' } : {}),
      }))
      const events = await read('initial_events')
      const [first] = events
      const changed = events.map((event) => ('description' in event ? { ...event, description: 'Well done' } : event))
      const initial_events = isAny('start') ? [first, ...changed] : events
      await emulator.patch(idOf('deployment'), { resources, initial_events })
      const synced = await run('sync')
      t.equal(synced.code, 0, synced.stderr)
      const after = readFileSync(join(folder, 'agents.yaml'), 'utf8')
      t.equal((after.match(/Well done/g) ?? []).length, cases[provider].outcome !== '' && isAny('start') ? 1 : 0)
      for (const comment of declared(provider).match(/#.*/g) ?? []) t.match(after, comment)
      t.notMatch(after, 'file_id')
      t.equal(after.split('source:').length, 2, after)
      t.match((await run('plan')).stdout, 'No changes.')
      t.equal((await run('apply', '--yes')).code, 0)
      t.same(
        await missing(
          emulator,
          objects.map(({ id }) => id),
        ),
        [],
      )
    })
}

t.test('an undeclared file is kept while a deployment refers to its id', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
  writeFileSync(join(folder, 'agents.yaml'), declared('qoder'))
  writeFileSync(join(folder, 'template.md'), 'Template\n')
  writeFileSync(join(folder, 'rubric.md'), 'Good.\n')
  t.equal((await run('apply', '--yes')).code, 0)
  const id = (await emulator.objects()).find(({ name }) => name === 'template.md')?.id ?? ''
  writeFileSync(join(folder, 'agents.yaml'), declared('qoder').replace('source: ./template.md', `file_id: ${id}`))
  const { code, stdout, stderr } = await run('apply', '--yes')
  t.equal(code, 0, stderr)
  t.match(`${stdout}${stderr}`, 'plan.still-used')
  t.ok(await emulator.has(id))
  writeFileSync(
    join(folder, 'agents.yaml'),
    declared('qoder').replace(/ {6}# What the report[\s\S]*?template.md\n(?= {6}#)/, ''),
  )
  t.equal((await run('apply', '--yes')).code, 0)
  t.notOk(await emulator.has(id), 'removed once nothing refers to it')
})
