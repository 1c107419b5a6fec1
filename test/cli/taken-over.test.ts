// What another project in the account has, or took over since, where no plan of whole objects decides: taken names, replaced
// objects, skills without a mark, memories and runs.
import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { created, declared, providers, twoProjects } from './two-projects.js'

t.test('a name that an object of another project has is refused with the name of that project', async (t) => {
  const scene = await twoProjects(t, 'bailian')
  const id = await created(t, scene, 'team-a')
  scene.write('team-b', declared)
  const { code, stderr } = await scene.run('team-b', 'apply', '--yes')
  t.equal(code, 1)
  t.match(stderr, '[provider.name-taken]')
  t.match(stderr.replaceAll(/\s+/g, ' '), `${id} has the name and belongs to the project "team-a"`)
  t.match(stderr.replaceAll(/\s+/g, ' '), `agents import bailian.environment.box ${id} --take team-a`)
})

for (const provider of providers)
  t.test(`${provider}: a replaced object that another project took over since is not removed`, async (t) => {
    for (const name of ['own', 'foreign'] as const) {
      const scene = await twoProjects(t, provider)
      await created(t, scene, 'team-b')
      await scene.seed('env_replaced')
      await scene.mark('env_replaced', name)
      const state = JSON.parse(readFileSync(scene.path('team-b', 'agents.state.json'), 'utf8'))
      const row = state.rows[`${provider}.environment.box`]
      row.deposed = [{ id: 'env_replaced', ...(row.api === undefined ? {} : { api: row.api }) }]
      writeFileSync(scene.path('team-b', 'agents.state.json'), JSON.stringify(state))
      const { code, stdout, stderr } = await scene.run('team-b', 'apply', '--yes', '--json')
      t.equal(code, 0, stderr)
      t.equal((await scene.body('env_replaced')) !== undefined, name === 'foreign', name)
      t.equal(stdout.includes('plan.left-to-project'), name === 'foreign')
      t.match((await scene.run('team-b', 'plan')).stdout, 'No changes. 1 resource as declared.')
    }
  })

for (const [provider, model] of [
  ['bailian', 'qwen3.7-plus'],
  ['claude', 'claude-sonnet-4-5'],
] as const)
  t.test(`${provider}: skills have no mark, and belong to the project whose agents use them`, async (t) => {
    const scene = await twoProjects(t, provider)
    scene.writeSkill('team-a')
    scene.write('team-a', `skills: { tone: { source: ./tone } }\n${agentWith(model, ', skills: [tone]')}`)
    t.equal((await scene.run('team-a', 'apply', '--yes')).code, 0)
    const [skill, agent] = scene.idsIn('team-a').map(String).sort()
    scene.write('team-b', '')
    const left = await scene.run('team-b', 'sync', '--import')
    t.equal(left.code, 0)
    t.match(left.stderr, '2 objects belong to the project "team-a"')
    t.same(scene.idsIn('team-b'), [])
    const taken = await scene.run('team-b', 'sync', '--import', '--take', 'team-a')
    t.equal(taken.code, 0, taken.stderr)
    t.same(scene.idsIn('team-b').map(String).sort(), [skill, agent])
  })

for (const provider of ['bailian', 'qoder', 'claude'] as const)
  t.test(`${provider}: memories and runs of what another project took over are not touched`, async (t) => {
    const models = { bailian: 'qwen3.7-plus', qoder: 'auto', claude: 'claude-sonnet-4-5' } as const
    const scene = await twoProjects(t, provider)
    scene.write(
      'team-b',
      `memory_stores: { notes: { description: d } }
environments: { box: { config: { type: cloud } } }
${agentWith(models[provider], '')}deployments:
  daily: { agent: writer, environment: box, initial_events: [{ type: user.message, content: Go. }] }
`,
    )
    const applied = await scene.run('team-b', 'apply', '--yes')
    t.equal(applied.code, 0, applied.stderr)
    writeFileSync(scene.path('team-b', 'note.md'), 'remember')
    const put = ['memory', 'put', 'notes', 'a.md', '--from', 'note.md']
    t.equal((await scene.run('team-b', ...put)).code, 0, 'what is ours is changed')
    for (const id of scene.idsIn('team-b')) await scene.mark(String(id), 'foreign')
    const bodies = () => Promise.all(scene.idsIn('team-b').map((id) => scene.body(String(id))))
    const before = await bodies()
    for (const words of [
      put,
      ['memory', 'rm', 'notes', 'a.md'],
      ['deployment', 'pause', 'daily'],
      ['deployment', 'resume', 'daily'],
      ['deployment', 'run', 'daily'],
    ]) {
      const { code, stderr } = await scene.run('team-b', ...words)
      t.match([code, stderr], [1, /\[plan\.other-project\][\s\S]*"team-a"/], words.join(' '))
    }
    t.same(await bodies(), before)
    t.match((await scene.run('team-b', 'memory', 'show', 'notes', 'a.md')).stdout, 'remember')
  })

function agentWith(model: string, more: string): string {
  return `agents: { writer: { model: ${model}, instructions: Write.${more} } }\n`
}
