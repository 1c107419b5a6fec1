// `project:` in the file says which project it is, in a folder of any name; without it the name of the folder counts.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const head = 'version: "1"\nproviders: { claude: { api_key: "${KEY}" } }\n'
const body = 'environments: { base: { config: { type: cloud } }, other: { config: { type: cloud } } }\n'
const named = (name: string) => `${head}project: ${JSON.stringify(name)}\n${body}`

async function open(t: Test) {
  const emulator = await emulate(t)
  const first = scratchFolder(t, 'support')
  const folder = (name: string) => {
    const path = join(dirname(first), name)
    mkdirSync(path, { recursive: true })
    return path
  }
  return {
    emulator,
    folder,
    write: (name: string, text: string, file = 'agents.yaml') => writeFileSync(join(folder(name), file), text),
    run: (name: string, ...words: readonly string[]) => agentsHere(words, { folder: folder(name), env: emulator.env }),
    state: (name: string, file = 'agents.state.json') => JSON.parse(readFileSync(join(folder(name), file), 'utf8')),
    /** The marks on all objects. */
    async marks() {
      const objects = await emulator.objects()
      const bodies = objects.map(async ({ id }) => (await fetch(`${emulator.url}/_emulator/objects/${id}`)).json())
      const found = (await Promise.all(bodies)) as readonly { metadata: Record<string, string> }[]
      return [...new Set(found.map(({ metadata }) => metadata['agents.project']))].sort()
    },
  }
}

t.test('a checkout under another name, with or without the state, is the same project', async (t) => {
  const { folder, write, run, emulator } = await open(t)
  write('support', named('support'))
  t.equal((await run('support', 'apply', '--yes')).code, 0)
  write('support-desk', named('support'))
  t.match((await run('support-desk', 'plan')).stderr, '[plan.unrecorded]')
  write('job-42', named('support'))
  cpSync(join(folder('support'), 'agents.state.json'), join(folder('job-42'), 'agents.state.json'))
  const { code, stdout, stderr } = await run('job-42', 'plan')
  t.match([code, stdout, stderr], [0, 'No changes. 2 resources as declared.', ''])
  t.equal((await emulator.objects()).length, 2)
})

t.test('a name is the same in composed and decomposed characters, in the file and as that of a folder', async (t) => {
  const { write, run, emulator } = await open(t)
  const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301']
  write('one', named(composed))
  t.equal((await run('one', 'apply', '--yes')).code, 0)
  write('two', named(decomposed))
  t.match((await run('two', 'plan')).stderr, '[plan.unrecorded]')
  write(decomposed, head + body)
  t.match((await run(decomposed, 'plan')).stderr, '[plan.unrecorded]')
  t.equal((await emulator.objects()).length, 2)
})

t.test('without project:, a plan in another folder asks which project it is instead of planning twins', async (t) => {
  const { folder, write, run, emulator } = await open(t)
  write('support', head + body)
  t.equal((await run('support', 'apply', '--yes')).code, 0)
  write('support-desk', head + body)
  for (const words of [['plan'], ['apply', '--yes']]) {
    const { code, stderr } = await run('support-desk', ...words)
    t.match([code, stderr], [1, /\[plan\.same-names\][\s\S]*project: "support" [\s\S]*project: "support-desk"/])
  }
  t.equal((await emulator.objects()).length, 2)

  cpSync(join(folder('support'), 'agents.state.json'), join(folder('support-desk'), 'agents.state.json'))
  const refused = await run('support-desk', 'plan')
  t.match([refused.code, refused.stderr], [1, /\[state\.other-project\][\s\S]*project: "support"\./])
  write('support-desk', named('support'))
  t.match((await run('support-desk', 'plan')).stdout, 'No changes. 2 resources as declared.')

  write('other', named('other'))
  t.match((await run('other', 'plan')).stdout, 'Plan: 2 to create.', 'the file says that it is another project')
})

t.test('adding the name that state has changes nothing', async (t) => {
  const { write, run, state } = await open(t)
  write('support', head + body)
  write('support', head + body, 'prod.yaml')
  t.equal((await run('support', 'apply', '--yes')).code, 0)
  t.equal((await run('support', 'apply', '--yes', '--config', 'prod.yaml')).code, 0)
  write('support', named('support'))
  write('support', named('support'), 'prod.yaml')
  for (const more of [[], ['--config', 'prod.yaml']]) {
    const { stdout, stderr } = await run('support', 'plan', ...more)
    t.match([stdout, stderr], ['No changes. 2 resources as declared.', ''])
  }
  t.equal(state('support', 'prod.state.json').project, 'support.prod', 'files of one folder stay two projects')
})

t.test('another name is planned, applied to every mark, and remembered until then', async (t) => {
  const { write, run, state, marks, emulator, folder } = await open(t)
  write('support', head + body)
  t.equal((await run('support', 'apply', '--yes')).code, 0)
  write('support', named('desk'))
  const plan = await run('support', 'plan')
  t.match(plan.stderr, '[state.project-named]')
  t.match(plan.stdout, '"support" -> "desk"')
  t.match(plan.stdout, 'Plan: 2 to update.')
  t.same(await marks(), ['support'], 'a plan changes nothing')

  t.equal((await run('support', 'apply', '--yes', '--target', 'environment.base')).code, 0)
  t.same(await marks(), ['desk', 'support'])
  t.match(state('support'), { project: 'desk', formerly: ['support'] })
  const rest = await run('support', 'apply', '--yes')
  t.equal(rest.code, 0, rest.stderr)
  t.same(await marks(), ['desk'])
  t.equal((await emulator.objects()).length, 2, 'no twins')
  t.match((await run('support', 'plan')).stdout, 'No changes. 2 resources as declared.')

  rmSync(join(folder('support'), 'agents.state.json'))
  rmSync(join(folder('support'), 'agents.state.backup'))
  t.equal((await run('support', 'sync', '--import', '--owned')).code, 0)
  t.match((await run('support', 'plan')).stdout, 'No changes. 2 resources as declared.')
})

t.test('a project that takes the former name of another one is another project', async (t) => {
  const { write, run, emulator } = await open(t)
  write('support', named('support'))
  t.equal((await run('support', 'apply', '--yes')).code, 0)
  write('support', named('desk'))
  t.equal((await run('support', 'apply', '--yes')).code, 0)
  write('new', named('support'))
  t.equal((await run('new', 'apply', '--yes')).code, 0)
  const { stderr } = await run('support', 'sync', '--import')
  t.match(stderr, '2 objects belong to the project "support"')
  t.equal((await emulator.objects()).length, 4)
})

t.test('a name that cannot be one is refused at its place', async (t) => {
  const { write, run } = await open(t)
  for (const [value, code] of [
    ['[a]', 'declaration.wrong-type'],
    ['2026', 'declaration.wrong-type'],
    ['', 'declaration.wrong-type'],
    ['""', 'declaration.invalid-name'],
    ['" a"', 'declaration.invalid-name'],
    ['"a\\u202eb"', 'declaration.invalid-name'],
    ['shop-${STAGE}', 'declaration.invalid-name'],
  ] as const) {
    write('support', `${head}project: ${value}\n${body}`)
    const result = await run('support', 'validate')
    t.match([result.code, result.stdout + result.stderr], [1, `agents.yaml:3:`], value)
    t.match(result.stdout + result.stderr, `[${code}]`, value)
  }
})

for (const provider of ['bailian', 'qoder', 'claude', 'ark'])
  t.test(`${provider}: two folders of init apply beside each other, and each names its project`, async (t) => {
    const { run, folder, emulator } = await open(t)
    for (const name of ['team-a', '2 Büro', '客服', '售后']) {
      folder(name)
      const init = await run(name, 'init', '--yes', '--provider', provider)
      t.match([init.code, init.stdout], [0, `The project is ${name}`])
      t.equal(parse(readFileSync(join(folder(name), 'agents.yaml'), 'utf8')).project, name)
      const applied = await run(name, 'apply', '--yes')
      t.equal(applied.code, 0, applied.stderr)
    }
    const names = (await emulator.objects()).map(({ name }) => name)
    for (const name of ['buro-base', 'buro-helper', 'team-a-base', 'team-a-helper']) t.ok(names.includes(name), name)
    t.equal(new Set(names).size, 8)
  })
