// What ends, and what stands still, is said before it happens: the memories of a store, a paused deployment, a destroy that
// nobody can agree to.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const heads = {
  bailian: ['{ api_key: "${KEY}", workspace_id: w }', 'qwen3.7-plus'],
  qoder: ['{ api_key: "${KEY}" }', 'auto'],
  claude: ['{ api_key: "${KEY}" }', 'claude-sonnet-4-5'],
  ark: ['{ api_key: "${KEY}" }', 'doubao-seed'],
} as const
type ProviderName = keyof typeof heads

async function open(t: Test, provider: ProviderName) {
  const emulator = await emulate(t)
  const folder = scratchFolder(t)
  return {
    emulator,
    write: (body: string) =>
      writeFileSync(
        join(folder, 'agents.yaml'),
        `version: "1"\nproject: shop\nproviders: { ${provider}: ${heads[provider][0]} }\n${body}`,
      ),
    readPlan: () => JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')),
    run: (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env }),
  }
}

const stores = 'memory_stores: { notes: { description: What was learned } }\n'
const deployed = (provider: ProviderName) => `environments: { base: { config: { type: cloud } } }
agents: { helper: { model: ${heads[provider][1]}, instructions: Help. } }
deployments:
  daily:
    agent: helper
    environment: base
    initial_events: [{ type: user.message, content: Good morning. }]
    schedule: { expression: "0 7 * * *", timezone: UTC }
`

for (const provider of Object.keys(heads) as readonly ProviderName[])
  t.test(`${provider}: the plan says that the memories of a removed store are lost`, async (t) => {
    const { write, run } = await open(t, provider)
    write(stores)
    t.equal((await run('apply', '--yes')).code, 0)
    const lost = /! (deleted|archived for good) with everything that agents remembered in it; it cannot be restored/
    write('environments: { base: { config: { type: cloud } } }\n')
    t.match((await run('plan')).stdout, lost)
    t.match((await run('plan', '--destroy')).stdout, lost)
  })

for (const provider of ['bailian', 'qoder', 'claude'] as const)
  t.test(
    `${provider}: a paused deployment shows in the plan and in state show --live, until it is resumed`,
    async (t) => {
      const { write, run } = await open(t, provider)
      write(deployed(provider))
      const applied = await run('apply', '--yes')
      t.equal(applied.code, 0, applied.stderr)
      const before = await run('plan')
      t.notMatch(before.stderr, '[plan.paused]')
      t.equal((await run('deployment', 'pause', 'daily')).code, 0)
      const plan = await run('plan')
      t.match(plan.stdout, 'No changes.')
      t.match(plan.stderr, /\[plan\.paused\] \w+\.deployment\.daily[\s\S]*agents deployment resume daily/)
      t.match((await run('state', 'show', 'deployment.daily', '--live')).stdout, 'Paused')
      const live = records((await run('state', 'show', 'deployment.daily', '--live', '--json')).stdout)
      t.match(
        live.find(({ type }) => type === 'live'),
        { isPaused: true },
      )
      t.equal((await run('deployment', 'resume', 'daily')).code, 0)
      t.notMatch((await run('plan')).stderr, '[plan.paused]')
      t.notMatch((await run('state', 'show', 'deployment.daily', '--live')).stdout, 'Paused')
    },
  )

t.test('destroy without a terminal shows its plan and how to agree to it', async (t) => {
  const { emulator, write, run } = await open(t, 'claude')
  write(stores)
  t.equal((await run('destroy')).code, 0, 'there is nothing to agree to')
  t.equal((await run('apply', '--yes')).code, 0)
  const { code, stdout, stderr } = await run('destroy')
  t.equal(code, 64)
  t.match(stdout, '- remove claude.memory_store.notes')
  t.match(stdout, 'Plan: 1 to remove.')
  t.match(stderr, '[cli.consent-missing]')
  t.match(stderr, 'Fix: Add --yes to remove what the plan shows. To see it only: agents plan --destroy.')
  t.notMatch(stderr, 'apply')
  t.equal((await emulator.objects()).length, 1)
})

t.test('plan --destroy shows what destroy would do, and its saved plan does that', async (t) => {
  const { emulator, write, run, readPlan } = await open(t, 'claude')
  write(stores)
  t.equal((await run('apply', '--yes')).code, 0)
  const plan = await run('plan', '--destroy', '--out', 'plan.json', '--detailed-exitcode')
  t.match([plan.code, plan.stdout], [2, '- remove claude.memory_store.notes'])
  t.equal(readPlan().mode, 'destroy')
  t.equal((await emulator.objects()).length, 1)
  for (const words of [['--refresh-only'], ['--recreate', 'claude']])
    t.match(await run('plan', '--destroy', ...words), { code: 64, stderr: /--destroy cannot be combined with/ })
  t.equal((await run('apply', 'plan.json')).code, 0)
  t.equal((await emulator.objects()).length, 0)
})
