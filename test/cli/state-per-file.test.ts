// Several project files in one folder: each has its own state file, and they are not confused.
import { copyFileSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

type Clean = Parameters<typeof scratchFolder>[0] & Parameters<typeof emulate>[0]

const file = (name: string) =>
  `version: "1"\nproviders:\n  claude: { api_key: k }\nenvironments:\n  ${name}: { config: { type: cloud } }\n`

async function scene(t: Clean) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const at = (name: string) => join(folder, name)
  const run = (name: string, ...words: readonly string[]) =>
    agentsHere([...words, '--config', name], { folder, env: emulator.env })
  return { ...emulator, folder, at, run, write: (name: string, of = 'base') => writeFileSync(at(name), file(of)) }
}

t.test('each project file has its own state, and ignores objects of the other', async (t) => {
  const { folder, at, run, write, objects } = await scene(t)
  const states = { 'agents.yaml': 'agents', 'dev.yaml': 'dev', 'prod.yaml': 'prod', 'prod.yml': 'prod.yml' }
  for (const name of Object.keys(states)) {
    write(name)
    const { code, stdout } = await run(name, 'apply', '--yes')
    t.match([code, stdout], [0, 'Applied: 1 created.'], name)
  }
  t.equal((await objects()).length, 4)
  for (const [name, stem] of Object.entries(states)) {
    t.match((await run(name, 'plan')).stdout, 'No changes.', name)
    t.match((await run(name, 'state', 'list')).stdout, 'claude.environment.base')
    t.equal(JSON.parse(readFileSync(at(`${stem}.state.json`), 'utf8')).file, name)
  }
  const projects = Object.values(states).map(
    (stem) => JSON.parse(readFileSync(at(`${stem}.state.json`), 'utf8')).project,
  )
  t.equal(new Set(projects).size, 4, 'and their ownership marks differ')

  t.match((await run('dev.yaml', 'destroy', '--yes')).stdout, '1 removed')
  t.equal((await objects()).length, 3)
  t.match((await run('prod.yaml', 'plan')).stdout, 'No changes.')
  t.same(
    readdirSync(folder).filter((name) => /\.(lock|journal|temporary)$/.test(name)),
    [],
  )
})

t.test(
  'sync and import leave what another project file manages alone, even after the state of this one was lost',
  async (t) => {
    const { at, run, write, objects } = await scene(t)
    for (const name of ['dev.yaml', 'prod.yaml']) {
      write(name)
      await run(name, 'apply', '--yes')
    }
    t.match((await run('dev.yaml', 'sync', '--check')).code, 0)
    rmSync(at('dev.state.json'))
    const bound = await run('dev.yaml', 'sync', '--import')
    t.match([bound.code, bound.stdout], [0, '1 object bound'])
    t.match(bound.stderr, 'prod.yaml, which is in the same folder, manages one object there.')
    t.equal(readFileSync(at('dev.yaml'), 'utf8'), file('base'))
    for (const name of ['dev.yaml', 'prod.yaml']) t.match((await run(name, 'plan')).stdout, 'No changes.', name)

    const id = JSON.parse(readFileSync(at('prod.state.json'), 'utf8')).rows['claude.environment.base'].id
    const refused = await run('dev.yaml', 'import', 'claude.environment.theirs', id)
    t.match([refused.code, refused.stderr], [1, /\[import\.id-taken\][\s\S]*state rm .* --config prod\.yaml/])
    t.equal((await run('prod.yaml', 'state', 'rm', 'claude.environment.base')).code, 0)
    t.match((await run('dev.yaml', 'import', 'claude.environment.theirs', id)).stderr, '[import.other-project]')
    const take = ['--take', 'project.prod']
    t.equal((await run('dev.yaml', 'import', 'claude.environment.theirs', id, ...take)).code, 0)
    t.equal((await objects()).length, 2)
  },
)

t.test('a state that was copied with its file stops the plan of the copy', async (t) => {
  const { at, run, write, objects } = await scene(t)
  write('dev.yaml')
  await run('dev.yaml', 'apply', '--yes')
  write('prod.yaml', 'other')
  copyFileSync(at('dev.state.json'), at('prod.state.json'))
  for (const words of [['plan'], ['apply', '--yes'], ['destroy', '--yes'], ['sync', '--import']]) {
    const { code, stderr } = await run('prod.yaml', ...words)
    t.match([code, stderr], [1, /\[state\.other-file\][\s\S]*made by dev\.yaml/], words.join(' '))
  }
  t.equal((await objects()).length, 1)
})

t.test(
  'a renamed project file is refused with the path of its former state, and works once that is renamed',
  async (t) => {
    for (const old of ['dev', 'agents']) {
      const { at, run, write, objects } = await scene(t)
      write(`${old}.yaml`)
      await run(`${old}.yaml`, 'apply', '--yes')
      renameSync(at(`${old}.yaml`), at('stage.yaml'))
      const stopped = await run('stage.yaml', 'apply', '--yes')
      t.match([stopped.code, stopped.stderr], [1, '[state.other-file]'])
      t.match(stopped.stderr, `mv ${at(`${old}.state.json`)} ${at('stage.state.json')}`)
      renameSync(at(`${old}.state.json`), at('stage.state.json'))
      t.match((await run('stage.yaml', 'plan')).stdout, 'No changes.')
      t.equal((await objects()).length, 1)
    }
  },
)

t.test('a state file of an earlier version, which does not name its project file, is found too', async (t) => {
  const { at, run, write } = await scene(t)
  write('agents.yaml')
  await run('agents.yaml', 'apply', '--yes')
  const text = readFileSync(at('agents.state.json'), 'utf8')
  writeFileSync(at('agents.state.json'), text.replace(/^"file".*\n/m, ''))
  t.match((await run('agents.yaml', 'plan')).stdout, 'No changes.')
  renameSync(at('agents.yaml'), at('dev.yaml'))
  t.match((await run('dev.yaml', 'plan')).stderr, '[state.other-file]')
})

t.test('files of other programs with such names are ignored', async (t) => {
  const { at, run, write } = await scene(t)
  write('dev.yaml')
  writeFileSync(at('game.state.json'), '{"level": 3}')
  writeFileSync(at('broken.state.json'), '{')
  t.match((await run('dev.yaml', 'plan')).stdout, 'Plan: 1 to create.')
})

t.test('init adds the state of the new file to .gitignore', async (t) => {
  const { at, run } = await scene(t)
  await run('prod.yaml', 'init', '--provider', 'qoder', '--yes')
  t.match(readFileSync(at('.gitignore'), 'utf8'), 'prod.state*')
})

t.test('stages of one file have names of their own in one account, by a variable', async (t) => {
  const { folder, at, env, objects } = await scene(t)
  const text = `version: "1"
providers: { bailian: { api_key: k, workspace_id: w } }
environments:
  base: { name: "base-\${STAGE}", config: { type: cloud } }
agents:
  lead: { name: "lead-\${STAGE}", model: qwen3.8-max, instructions: Lead., environment: base }
deployments:
  nightly: { name: "nightly-\${STAGE}", agent: lead, initial_events: [{ type: user.message, content: Go. }] }
`
  for (const stage of ['dev', 'prod']) {
    const name = `${stage}.yaml`
    writeFileSync(at(name), text)
    const run = (...words: readonly string[]) =>
      agentsHere([...words, '--config', name], { folder, env: { ...env, STAGE: stage } })
    t.match((await run('apply', '--yes')).stdout, 'Applied: 3 created.', stage)
    t.match((await run('plan')).stdout, 'No changes.')
    t.equal((await run('sync')).code, 0)
    t.equal(readFileSync(at(name), 'utf8'), text)
  }
  t.same(
    (await objects()).map(({ kind, name }) => `${kind} ${name}`).sort(),
    ['agent', 'deployment', 'environment']
      .flatMap((kind) => ['dev', 'prod'].map((stage) => [kind, stage] as const))
      .map(
        ([kind, stage]) => `${kind} ${{ agent: 'lead', deployment: 'nightly', environment: 'base' }[kind]}-${stage}`,
      ),
  )
})
