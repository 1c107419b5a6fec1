// Two projects in one account of each provider: no command of one changes, binds or removes an object that carries the mark
// of the other, unless it is told the name of that project.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { isObject } from '../../core/value/tree.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const heads = {
  bailian: 'bailian: { api_key: "${KEY}", workspace_id: w }',
  qoder: 'qoder: { api_key: "${KEY}" }',
  claude: 'claude: { api_key: "${KEY}" }',
  ark: 'ark: { api_key: "${KEY}" }',
} as const
type ProviderName = keyof typeof heads
const providers = Object.keys(heads) as readonly ProviderName[]

/** Mark on the object: of the project that runs the command, of the other one, or none. */
const marks = { own: 'team-b', foreign: 'team-a', none: undefined } as const
type MarkName = keyof typeof marks

const declared = 'environments: { box: { description: As declared, config: { type: cloud } } }\n'
const undeclared = 'environments: { lid: { config: { type: cloud } } }\n'

async function open(t: Test, provider: ProviderName) {
  const emulator = await emulate(t)
  const folders = { 'team-a': scratchFolder(t, 'a'), 'team-b': scratchFolder(t, 'b') } as const
  type Team = keyof typeof folders
  const fileOf = (team: Team) => join(folders[team], 'agents.yaml')
  const run = (team: Team, ...words: readonly string[]) =>
    agentsHere(words, { folder: folders[team], env: emulator.env })
  return {
    run,
    write: (team: Team, body: string) =>
      writeFileSync(fileOf(team), `version: "1"\nproject: ${team}\nproviders: { ${heads[provider]} }\n${body}`),
    writeSkill(team: Team) {
      mkdirSync(join(folders[team], 'tone'))
      writeFileSync(join(folders[team], 'tone/SKILL.md'), '---\nname: tone\ndescription: How\n---\nBe kind.\n')
    },
    path: (team: Team, name: string) => join(folders[team], name),
    idsIn: (team: Team): readonly unknown[] => {
      const state = join(folders[team], 'agents.state.json')
      if (!existsSync(state)) return []
      const { rows } = JSON.parse(readFileSync(state, 'utf8'))
      return Object.values<{ readonly id: unknown }>(rows).map(({ id }) => id)
    },
    /** Makes the object as another program would. */
    seed: async (id: string) => {
      await emulator.seed({ provider, kind: 'environment', id })
      await emulator.patch(id, { name: 'box', description: 'As declared', config: { type: 'cloud' } })
    },
    /** Writes the mark as another program would. */
    mark: (id: string, name: MarkName) => {
      const project = marks[name]
      const metadata = { 'agents.project': project ?? null, 'agents.resource': project === undefined ? null : 'box' }
      return emulator.patch(id, { metadata })
    },
    /** Body of the object; undefined if it is gone or archived. */
    body: async (id: string): Promise<string | undefined> => {
      const response = await fetch(`${emulator.url}/_emulator/objects/${id}`)
      const body: unknown = await response.json()
      return response.ok && isObject(body) && !body['archived_at'] ? JSON.stringify(body) : undefined
    },
  }
}
type Scene = Awaited<ReturnType<typeof open>>

async function created(t: Test, scene: Scene, team: 'team-a' | 'team-b'): Promise<string> {
  scene.write(team, declared)
  const { code, stderr } = await scene.run(team, 'apply', '--yes')
  t.equal(code, 0, stderr)
  return String(scene.idsIn(team)[0])
}

interface Expected {
  readonly code?: number
  /** True if the object is bound to an address of this project afterwards. Absent: a taken name decides. */
  readonly isBound?: boolean
  /** True if the object is as it was. */
  readonly isUntouched: boolean
  readonly says?: RegExp
}

interface Case {
  /** Words of the command. */
  words(provider: string, id: string): readonly string[]
  /** What the file of this project declares. */
  readonly body: string
  /** True if state of this project has the object already. */
  readonly isRecorded?: true
  readonly expected: Readonly<Record<MarkName, Expected>>
}

const untouched = { isBound: false, isUntouched: true } as const
const namesIt = /team-a/
const cases: Readonly<Record<string, Case>> = {
  'sync --import': {
    words: () => ['sync', '--import'],
    body: '',
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 0, ...untouched, says: /\[sync\.other-project\][\s\S]*"team-a"/ },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'sync --import --owned': {
    words: () => ['sync', '--import', '--owned'],
    body: '',
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 0, ...untouched, says: namesIt },
      none: { code: 0, ...untouched },
    },
  },
  'sync --import --take': {
    words: () => ['sync', '--import', '--take', 'team-a'],
    body: '',
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 0, isBound: true, isUntouched: false },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  import: {
    words: (provider, id) => ['import', `${provider}.environment.box`, id],
    body: declared,
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 1, ...untouched, says: /\[import\.other-project\][\s\S]*--take team-a/ },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'import --take of another project': {
    words: (provider, id) => ['import', `${provider}.environment.box`, id, '--take', 'team-c'],
    body: declared,
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 1, ...untouched, says: namesIt },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'import --take': {
    words: (provider, id) => ['import', `${provider}.environment.box`, id, '--take', 'team-a'],
    body: declared,
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 0, isBound: true, isUntouched: false },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'apply of the same name': {
    words: () => ['apply', '--yes'],
    body: declared,
    expected: {
      own: { code: 1, ...untouched, says: /\[plan\.unrecorded\][\s\S]*--owned/ },
      foreign: untouched,
      none: untouched,
    },
  },
  'apply --recreate of the same name': {
    words: (provider) => ['apply', '--yes', '--recreate', provider],
    body: declared,
    expected: { own: untouched, foreign: untouched, none: untouched },
  },
  'destroy without a state': {
    words: () => ['destroy', '--yes'],
    body: declared,
    expected: { own: { code: 1, ...untouched }, foreign: { code: 0, ...untouched }, none: { code: 0, ...untouched } },
  },
  'apply of a recorded object': {
    words: () => ['apply', '--yes'],
    body: declared.replace('As declared', 'Changed'),
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: true, isUntouched: false },
      foreign: { code: 1, isBound: true, isUntouched: true, says: /\[plan\.other-project\][\s\S]*"team-a"/ },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'apply --refresh-only of a recorded object': {
    words: () => ['apply', '--yes', '--refresh-only'],
    body: declared,
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 1, isBound: true, isUntouched: true, says: namesIt },
      none: { code: 0, isBound: true, isUntouched: true },
    },
  },
  'apply --recreate of a recorded object': {
    words: (provider) => ['apply', '--yes', '--recreate', provider],
    body: declared.replace('As declared', 'Changed'),
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: true, isUntouched: false },
      foreign: { isUntouched: true, says: namesIt },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'apply of a file without the recorded object': {
    words: () => ['apply', '--yes'],
    body: undeclared,
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: false, isUntouched: false },
      foreign: { code: 0, ...untouched, says: namesIt },
      none: { code: 0, isBound: false, isUntouched: false },
    },
  },
  destroy: {
    words: () => ['destroy', '--yes'],
    body: declared,
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: false, isUntouched: false },
      foreign: { code: 0, ...untouched, says: namesIt },
      none: { code: 0, isBound: false, isUntouched: false },
    },
  },
  'import --take of a recorded object': {
    words: (provider, id) => ['import', `${provider}.environment.box`, id, '--take', 'team-a'],
    body: declared,
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 0, isBound: true, isUntouched: false },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
}

for (const provider of providers)
  t.test(`${provider}: what carries the mark of another project is left alone`, async (t) => {
    for (const [command, { words, body, isRecorded, expected }] of Object.entries(cases))
      for (const name of Object.keys(marks) as readonly MarkName[]) {
        const what = `${command}, ${name}`
        const scene = await open(t, provider)
        const id = isRecorded ? await created(t, scene, 'team-b') : 'env_of_somebody'
        if (!isRecorded) await scene.seed(id)
        await scene.mark(id, name)
        scene.write('team-b', body)
        const before = await scene.body(id)
        const { code, stdout, stderr } = await scene.run('team-b', ...words(provider, id))
        const wanted = expected[name]
        if (wanted.code !== undefined) t.equal(code, wanted.code, `${what}: ${stdout}${stderr}`)
        if (wanted.says) t.match(stdout + stderr, wanted.says, what)
        if (wanted.isBound !== undefined) t.equal(scene.idsIn('team-b').includes(id), wanted.isBound, `${what}: bound`)
        t.equal((await scene.body(id)) === before, wanted.isUntouched, `${what}: untouched\n${stdout}${stderr}`)
      }
  })

t.test('a name that an object of another project has is refused with the name of that project', async (t) => {
  const scene = await open(t, 'bailian')
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
      const scene = await open(t, provider)
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
    const scene = await open(t, provider)
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
    const scene = await open(t, provider)
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
