// State that several people or checkouts share: through symbolic links, and in a folder of a group.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const one =
  'version: "1"\nproviders: { claude: { api_key: "${KEY}" } }\nenvironments:\n  one: { config: { type: cloud } }\n'
const two = `${one}  two: { config: { type: cloud } }\n`

/** Two checkouts of one project, whose states are links to a file in a third folder. */
async function checkouts(t: Test) {
  const root = scratchFolder(t)
  const emulator = await emulate(t)
  const shared = join(root, 'shared')
  mkdirSync(shared)
  const folders = ['a', 'b'].map((name) => join(root, name, 'project'))
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'agents.yaml'), one)
    symlinkSync('../../shared/agents.state.json', join(folder, 'agents.state.json'))
  }
  const run = (folder: string, ...words: readonly string[]) =>
    agentsHere(words, { folder, env: { ...emulator.env, KEY: 'any' } })
  const [a = '', b = ''] = folders
  return { root, shared, a, b, run }
}

t.test('a state that is a link is written where it leads, at the first apply and at every later one', async (t) => {
  const { shared, a, b, run } = await checkouts(t)
  t.equal((await run(a, 'apply', '--yes')).code, 0)
  t.strictSame(readdirSync(shared), ['agents.state.json'])
  for (const folder of [a, b]) writeFileSync(join(folder, 'agents.yaml'), two)
  t.equal((await run(a, 'apply', '--yes')).code, 0)
  t.match((await run(b, 'apply', '--yes')).stdout, /No changes/)
  for (const folder of [a, b]) {
    t.ok(lstatSync(join(folder, 'agents.state.json')).isSymbolicLink())
    t.strictSame(readdirSync(folder).sort(), ['agents.state.json', 'agents.yaml'])
  }
  t.strictSame(readdirSync(shared), ['agents.state.backup', 'agents.state.json'])
})

t.test('checkouts whose states are one file share its lock', async (t) => {
  const { shared, a, b, run } = await checkouts(t)
  await run(a, 'apply', '--yes')
  const holder = { nonce: 'n', pid: 1, start: 's', host: 'elsewhere', command: 'agents apply', since: '2026-01-01' }
  writeFileSync(join(shared, 'agents.state.lock'), JSON.stringify(holder))
  writeFileSync(join(b, 'agents.yaml'), two)
  const locked = await run(b, 'apply', '--yes', '--json')
  t.equal(locked.code, 1)
  t.match(locked.stdout, /state\.locked/)
})

t.test('a link whose folder is missing is refused before anything is planned', async (t) => {
  const { root, a, run } = await checkouts(t)
  const project = join(root, 'elsewhere')
  mkdirSync(project)
  writeFileSync(join(project, 'agents.yaml'), readFileSync(join(a, 'agents.yaml')))
  symlinkSync('/nowhere/agents.state.json', join(project, 'agents.state.json'))
  for (const words of [['plan'], ['apply', '--yes']]) {
    const refused = await run(project, ...words, '--json')
    t.equal(refused.code, 1)
    t.match(refused.stdout, /state\.link-broken/)
  }
})

t.test('a journal beside the link is not overlooked', async (t) => {
  const { a, run } = await checkouts(t)
  await run(a, 'apply', '--yes')
  writeFileSync(join(a, 'agents.state.journal'), 'left by a run that replaced the link')
  const refused = await run(a, 'plan', '--json')
  t.equal(refused.code, 1)
  t.match(refused.stdout, /state\.journal-foreign/)
})

t.test('state is for its owner, unless its folder or the state itself is shared by a group', async (t) => {
  if (process.platform === 'win32') return t.comment('no permission bits')
  const modes = (folder: string) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('agents.state'))
      .map((name) => statSync(join(folder, name)).mode & 0o777)
  for (const [folderMode, stateMode, wanted] of [
    [0o755, undefined, 0o600],
    [0o2775, undefined, 0o660],
    [0o755, 0o664, 0o660],
    [0o755, 0o640, 0o640],
    [0o2775, 0o600, 0o600],
  ] as const) {
    const { a, run } = await checkouts(t)
    const folder = join(a, 'own')
    mkdirSync(folder)
    chmodSync(folder, folderMode)
    writeFileSync(join(folder, 'agents.yaml'), one)
    t.equal((await run(folder, 'apply', '--yes')).code, 0)
    if (stateMode !== undefined) chmodSync(join(folder, 'agents.state.json'), stateMode)
    writeFileSync(join(folder, 'agents.yaml'), two)
    t.equal((await run(folder, 'apply', '--yes')).code, 0)
    t.ok(existsSync(join(folder, 'agents.state.backup')))
    t.strictSame(
      [...new Set(modes(folder))],
      [wanted],
      `folder ${folderMode.toString(8)}, state ${stateMode?.toString(8)}`,
    )
  }
})
