// Drift around a file that a deployment uploads: its path stays a path, its comments stay, and nothing that is in use is
// removed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { isObject } from '../../core/value/tree.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const cases = {
  qoder: { api_key: 'x', model: 'auto', root: '/data' },
  claude: { api_key: 'x', model: 'claude-sonnet-4-5', root: '/workspace' },
} as const

const declared = (provider: keyof typeof cases) => `version: "1"
providers:
  ${provider}: { api_key: x }
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
      # What was learned.
      - type: memory_store
        memory_store: notes # small
    initial_events:
      - { type: user.message, content: Go. }
`

for (const provider of ['qoder', 'claude'] as const) {
  const { root } = cases[provider]
  for (const drift of ['place', 'access', 'both'] as const)
    t.test(`${provider}: drift of the ${drift} of what a deployment mounts moves only that`, async (t) => {
      const folder = scratchFolder(t)
      const emulator = await emulate(t)
      const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
      writeFileSync(join(folder, 'agents.yaml'), declared(provider))
      writeFileSync(join(folder, 'template.md'), 'Template\n')
      const { code, stderr } = await run('apply', '--yes')
      t.equal(code, 0, stderr)
      const objects = await emulator.objects()
      const idOf = (kind: string) => objects.find((object) => object.kind === kind)?.id ?? ''
      const read = async () => {
        const response = await fetch(`${emulator.url}/_emulator/objects/${idOf('deployment')}`)
        const body: unknown = await response.json()
        return isObject(body) && Array.isArray(body['resources']) ? body['resources'].filter(isObject) : []
      }
      const resources = (await read()).map((resource) => ({
        ...resource,
        ...(resource['type'] === 'file' && drift !== 'access' ? { mount_path: `${root}/other.md` } : {}),
        ...(resource['type'] === 'memory_store' && drift !== 'place' ? { access: 'read_only' } : {}),
      }))
      await emulator.patch(idOf('deployment'), { resources })
      const synced = await run('sync')
      t.equal(synced.code, 0, synced.stderr)
      const after = readFileSync(join(folder, 'agents.yaml'), 'utf8')
      for (const comment of declared(provider).match(/#.*/g) ?? []) t.match(after, comment)
      t.notMatch(after, 'file_id')
      t.equal(after.split('source:').length, 2, after)
      t.match((await run('plan')).stdout, 'No changes.')
      t.equal((await run('apply', '--yes')).code, 0)
      for (const resource of await read())
        for (const id of [resource['file_id'], resource['memory_store_id']])
          if (typeof id === 'string') t.ok(await emulator.has(id), `${id} is there`)
    })
}

t.test('a file that is no longer declared stays while a deployment refers to its id', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
  writeFileSync(join(folder, 'agents.yaml'), declared('qoder'))
  writeFileSync(join(folder, 'template.md'), 'Template\n')
  t.equal((await run('apply', '--yes')).code, 0)
  const id = (await emulator.objects()).find(({ kind }) => kind === 'file')?.id ?? ''
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
  t.notOk(await emulator.has(id), 'gone as soon as nothing refers to it')
})
