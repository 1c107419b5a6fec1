// `agents sync` with several providers, on their emulators: equal objects become one declaration.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { emulate, type TestEmulator } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const keys = {
  bailian: '    api_key: ${DASHSCOPE_API_KEY}\n    workspace_id: ${WORKSPACE}\n',
  qoder: '    api_key: ${QODER_PAT}\n',
  claude: '    api_key: ${ANTHROPIC_API_KEY}\n',
  ark: '    api_key: ${ARK_API_KEY}\n',
} as const
type Name = keyof typeof keys
const everyProvider: readonly Name[] = ['bailian', 'qoder', 'claude', 'ark']
const models = { bailian: 'qwen3.7-plus', qoder: 'auto', claude: 'claude-sonnet-4-5', ark: 'doubao-seed' } as const

const headOf = (names: readonly Name[]) =>
  `version: "1"\nproviders:\n${names.map((name) => `  ${name}:\n${keys[name]}`).join('')}`

/** One declaration of each kind that sync can read from all four providers. */
const bodies = (names: readonly Name[]) => `environments:
  shop:
    description: Where work is done
    config:
      type: cloud
      packages:
        pip:
          - ruff
    metadata:
      team: a
vaults:
  keys:
    display_name: All keys
    credentials:
      - name: TOKEN
        type: environment_variable
        secret_name: TOKEN
        secret_value: \${KEYS_TOKEN}
agents:
  helper:
    description: Helps
    model:
${names.map((name) => `      ${name}: ${models[name]}\n`).join('')}    instructions: |
      Help. # Kindly.
      Then stop.
    tools:
      builtin:
        - read
    metadata:
      team: a
`

function folderOf(t: Test, emulator: TestEmulator) {
  const folder = scratchFolder(t)
  const file = join(folder, 'agents.yaml')
  const env = {
    ...emulator.env,
    KEYS_TOKEN: 'value-of-the-token',
    KEYS_CLAUDE_TOKEN: 'value-1',
    KEYS_QODER_TOKEN: 'value-2',
  }
  return {
    file,
    run: (...words: readonly string[]) => agentsHere(words, { folder, env }),
    read: () => readFileSync(file, 'utf8'),
    write(text: string, name = file) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(name === file ? file : join(folder, name), text)
    },
    readOther: (name: string) => readFileSync(join(folder, name), 'utf8'),
  }
}

async function applied(t: Test, text: string) {
  const emulator = await emulate(t)
  const here = folderOf(t, emulator)
  here.write(text)
  const { code, stderr } = await here.run('apply', '--yes', '--provider', 'all')
  t.equal(code, 0, stderr)
  const change = async (provider: Name, kind: string, body: unknown) => {
    const found = (await emulator.objects()).find((one) => one.provider === provider && one.kind === kind)
    await emulator.patch(String(found?.id), body)
  }
  return { emulator, here, change }
}

for (const names of [everyProvider, ['qoder', 'claude', 'ark'], ['bailian', 'claude']] as const)
  t.test(
    `equal objects of ${names.length} providers become one declaration for all of them, bound at once`,
    async (t) => {
      const { emulator } = await applied(t, `${headOf(names)}defaults:\n  provider: all\n${bodies(names)}`)
      const next = folderOf(t, emulator)
      next.write(headOf(names))
      const { code, stdout, stderr } = await next.run('sync', '--import')
      t.equal(code, 0, stderr)
      const written = parse(next.read())
      t.ok(
        next.read().startsWith(`${headOf(names)}\ndefaults:\n  provider: all\n`),
        'every declaration has all providers as target',
      )
      const { environments, vaults, agents } = parse(bodies(names))
      t.strictSame(written.environments, environments, 'environments')
      t.strictSame(written.vaults, vaults, 'vaults')
      t.strictSame(written.agents.helper, agents.helper, 'one agent, its model a map')
      t.match(stdout, `${3 * names.length} objects bound.`)
      const plan = await next.run('plan', '--provider', 'all')
      t.match(plan.stdout, `No changes. ${3 * names.length} resources as declared.`)
      t.equal((await next.run('sync', '--check')).code, 0)
    },
  )

t.test('different objects get separate names, each pinned to its provider', async (t) => {
  const names = ['qoder', 'claude'] as const
  const { emulator, change } = await applied(t, `${headOf(names)}defaults: { provider: all }\n${bodies(names)}`)
  await change('claude', 'environment', { description: 'Elsewhere' })
  const next = folderOf(t, emulator)
  next.write(headOf(names))
  t.equal((await next.run('sync', '--import')).code, 0)
  const { environments, agents } = parse(next.read())
  t.match(environments, {
    'shop-qoder': { provider: 'qoder', description: 'Where work is done' },
    'shop-claude': { provider: 'claude', description: 'Elsewhere' },
  })
  t.notOk(agents.helper.provider, 'equal objects are still one declaration')
  t.match((await next.run('plan', '--provider', 'all')).stdout, 'No changes. 6 resources as declared.')
})

t.test('in a file with a default target, objects of other providers are pinned', async (t) => {
  const names = ['qoder', 'claude'] as const
  const { emulator } = await applied(t, `${headOf(names)}defaults: { provider: all }\n${bodies(names)}`)
  const next = folderOf(t, emulator)
  const head = `${headOf(names)}defaults: { provider: claude } # mostly\n`
  next.write(head)
  const { code } = await next.run('sync', '--import', '--json')
  t.equal(code, 0)
  t.ok(next.read().startsWith(head))
  const { environments, agents } = parse(next.read())
  t.equal(environments['shop-claude'].provider, undefined)
  t.equal(environments['shop-qoder'].provider, 'qoder')
  for (const key of ['helper-claude', 'helper-qoder'])
    t.equal(agents[key].name, 'helper', 'an agent whose name differs from its key')
  t.equal((await next.run('sync', '--check')).code, 0)
  t.match((await next.run('plan')).stdout, 'No changes. 6 resources as declared.')
})

t.test('a declaration for several providers gets the values of the majority, and others are reported', async (t) => {
  const names = ['qoder', 'claude', 'ark'] as const
  const text = `${headOf(names)}defaults: { provider: all }\n${bodies(names)}`
  const { here, change } = await applied(t, text)
  await change('claude', 'environment', { description: 'Elsewhere' })
  const alone = await here.run('sync', '--json')
  t.equal(here.read(), text, 'one of three providers does not change the declaration')
  const notes = records(alone.stdout).filter(({ code }) => code === 'sync.still-different')
  t.match(notes, [{ address: 'claude.environment.shop', severity: 'note' }])
  t.match(alone.stdout, 'agents sync --provider claude')
  t.equal((await here.run('sync', '--check')).code, 0, 'sync would write nothing')

  await change('ark', 'environment', { description: 'Elsewhere' })
  const most = await here.run('sync')
  t.match(most.stdout, '~ environment shop  description')
  t.equal(here.read(), text.replace('Where work is done', 'Elsewhere'))
  t.equal((await here.run('sync', '--check')).code, 0, 'a second sync does not revert it')

  await change('qoder', 'environment', { description: 'Third' })
  t.equal((await here.run('sync', '--provider', 'qoder')).code, 0)
  t.match(here.read(), 'description: Third', 'a provider named by --provider is followed')
})

t.test('a model per provider changes for that provider only', async (t) => {
  const names = ['qoder', 'claude'] as const
  const text = `${headOf(names)}defaults: { provider: all }\n${bodies(names)}`
  const { here, change } = await applied(t, text)
  await change('claude', 'agent', { model: { id: 'claude-opus-4-1' } })
  const { stdout } = await here.run('sync')
  t.match(stdout, '~ agent helper  model.claude')
  t.equal(here.read(), text.replace('claude-sonnet-4-5', 'claude-opus-4-1'))
  t.match((await here.run('plan')).stdout, 'No changes.')
})
