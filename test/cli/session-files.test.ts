// Files of sessions: what `--file` attaches, what `session files` downloads; budgets, and the end of a session that is followed.
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { start } from './program.js'
import { records, scratchFolder } from './scratch.js'

const models: Readonly<Record<string, string>> = {
  claude: 'claude-sonnet-4-5',
  ark: 'doubao-seed-2-1-pro-260628',
  bailian: 'qwen3.7-plus',
  qoder: 'auto',
}
const blocks: Readonly<Record<string, string>> = {
  bailian: '{ api_key: "${KEY}", workspace_id: w }',
}

const project = (provider: string) => `version: "1"
providers: { ${provider}: ${blocks[provider] ?? '{ api_key: "${KEY}" }'} }
environments: { sandbox: { config: { type: cloud } } }
files: { declared: { source: declared.csv } }
agents:
  helper: { model: ${models[provider]}, instructions: Help., environment: sandbox }
`

async function applied(t: Test, provider: string) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  writeFileSync(join(folder, 'agents.yaml'), project(provider))
  for (const name of ['declared.csv', 'new.csv', 'notes', '.env']) writeFileSync(join(folder, name), `${name};1\n`)
  writeFileSync(join(folder, '.env'), 'KEY=a-key-of-the-test\n')
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env } })
  const { code, stderr } = await run('apply', '--yes')
  t.equal(code, 0, stderr)
  const idOf = async (...words: readonly string[]) => {
    const created = await run('session', 'create', 'helper', ...words, '--json')
    t.equal(created.code, 0, created.stdout + created.stderr)
    return String(records(created.stdout).find(({ type }) => type === 'session')?.['id'])
  }
  const mounts = async (id: string) => {
    const { stdout } = await run('session', 'show', id, '--json')
    const { session } = records(stdout).find(({ type }) => type === 'session') ?? {}
    const { resources } = session as { resources: readonly { file_id: string; mount_path?: string }[] }
    return resources.map(({ mount_path: path }) => path?.split('/').at(-1))
  }
  return { folder, emulator, run, idOf, mounts }
}

for (const provider of ['claude', 'bailian', 'ark', 'qoder'])
  t.test(`${provider} mounts local and declared files when a session is created`, async (t) => {
    const { idOf, mounts, emulator, folder } = await applied(t, provider)
    const state = readFileSync(join(folder, 'agents.state.json'), 'utf8')
    const id = await idOf('--file', 'new.csv', '--file', 'declared', '--file', './notes')
    t.same([...(await mounts(id))].sort(), ['declared.csv', 'new.csv', 'notes'])
    const names = (await emulator.objects()).filter(({ kind }) => kind === 'file').map(({ name }) => name)
    t.same(names.sort(), ['declared.csv', 'new.csv', 'notes'])
    t.equal(readFileSync(join(folder, 'agents.state.json'), 'utf8'), state, 'no state records an attachment')
  })

t.test('what cannot be attached is refused before any call, and an upload without a session is removed', async (t) => {
  const { run, emulator } = await applied(t, 'claude')
  const before = (await emulator.requests()).length
  for (const [file, code] of [
    ['none.csv', 'session.file-unusable'],
    ['.env', 'session.file-unusable'],
    ['agents.state.json', 'session.file-unusable'],
    ['./agents.yaml', 'session.file-unusable'],
    ['declarde', 'action.unknown-name'],
  ] as const) {
    const { code: exit, stderr } = await run('session', 'run', 'helper', 'Hi', '--file', 'new.csv', '--file', file)
    t.equal(exit, 1, file)
    t.match(stderr, `[${code}]`, file)
  }
  t.equal((await run('session', 'create', 'helper', '--file', 'new.csv', '--vault', 'none')).code, 1)
  t.equal((await emulator.requests()).length, before)
  const environment = (await emulator.objects()).find(({ kind }) => kind === 'environment')
  await emulator.remove(environment?.id ?? '')
  t.equal((await run('session', 'create', 'helper', '--file', 'new.csv')).code, 1)
  const files = (await emulator.objects()).filter(({ kind }) => kind === 'file')
  t.same(
    files.map(({ name }) => name),
    ['declared.csv'],
  )
})

t.test('send mounts files before the message, and Qoder says that it cannot', async (t) => {
  for (const provider of ['claude', 'bailian', 'ark']) {
    const { run, idOf, mounts } = await applied(t, provider)
    const id = await idOf()
    const sent = await run('session', 'send', id, 'Read it', '--file', 'new.csv', '--file', 'declared')
    t.equal(sent.code, 0, sent.stderr)
    t.match(sent.stderr, /Attached new\.csv at \/\S*new\.csv\./)
    t.same([...(await mounts(id))].sort(), ['declared.csv', 'new.csv'], provider)
  }
  const { run, idOf, emulator } = await applied(t, 'qoder')
  const id = await idOf()
  const { code, stderr } = await run('session', 'send', id, 'Read it', '--file', 'new.csv')
  t.equal(code, 1)
  t.match(stderr, /\[action\.not-offered\][\s\S]*Qoder/)
  t.equal((await emulator.objects()).filter(({ kind }) => kind === 'file').length, 1, 'nothing was uploaded')
})

t.test('made files are listed and downloaded, never outside of the folder nor over what is there', async (t) => {
  const { run, idOf, emulator, folder } = await applied(t, 'claude')
  const id = await idOf('--file', 'new.csv')
  t.match((await run('session', 'files', id)).stderr, 'There are no files.')
  const names = ['report.md', 'REPORT.md', 'new.csv', 'link.md', '..', 'a\\b', 'nul', 'c\u001b[2J.md', 'folder']
  for (const [index, filename] of names.entries())
    await emulator.seed({
      provider: 'claude',
      kind: 'file',
      id: `file_${index}`,
      body: { filename, content: `content ${index}`, session_id: id },
    })
  const other = await idOf()
  t.match((await run('session', 'files', other)).stderr, 'There are no files.')
  const listed = records((await run('session', 'files', id, '--json')).stdout).filter(({ type }) => type === 'file')
  t.equal(listed.length, names.length)
  t.match(listed.at(-1), { provider: 'claude', session: id, id: 'file_0', name: 'report.md', sizeBytes: 9 })

  const out = join(folder, 'out')
  mkdirSync(join(out, 'folder'), { recursive: true })
  writeFileSync(join(out, 'new.csv'), 'mine')
  writeFileSync(join(folder, 'outside'), 'mine')
  symlinkSync('../outside', join(out, 'link.md'))
  const got = await run('session', 'files', id, '--download', 'out')
  t.equal(got.code, 3, got.stderr)
  for (const refused of ['file_4', 'file_5', 'file_6', 'file_7']) t.match(got.stderr, `${refused} is not written`)
  t.match(got.stderr, '[session.file-refused]')
  t.match(got.stderr, '[session.file-exists]')
  t.notMatch(got.stderr + got.stdout, '\u001b[2J')
  t.same(readdirSync(out).sort(), ['REPORT.md', 'folder', 'link.md', 'new.csv'], 'the newest of one name')
  t.equal(readFileSync(join(out, 'REPORT.md'), 'utf8'), 'content 1')
  t.equal(lstatSync(join(out, 'REPORT.md')).mode & 0o777, 0o600)
  t.equal(readFileSync(join(out, 'new.csv'), 'utf8'), 'mine')

  const over = await run('session', 'files', id, '--download', 'out', '--overwrite')
  t.equal(over.code, 3, 'what is refused stays so')
  t.equal(readFileSync(join(out, 'new.csv'), 'utf8'), 'content 2')
  t.equal(readFileSync(join(out, 'link.md'), 'utf8'), 'content 3')
  t.equal(readFileSync(join(folder, 'outside'), 'utf8'), 'mine', 'a link is replaced, and not followed')
})

t.test('providers whose files of sessions cannot be read say so, by name', async (t) => {
  for (const [provider, title] of [
    ['ark', 'Ark'],
    ['bailian', 'Bailian'],
    ['qoder', 'Qoder'],
  ] as const) {
    const { run, idOf } = await applied(t, provider)
    const { code, stderr } = await run('session', 'files', await idOf())
    t.equal(code, 1)
    t.match(stderr, '[action.not-offered]')
    t.match(stderr, new RegExp(`${title}.* has no files of sessions`))
  }
})

t.test('a session has the budget of the command line, and only where there are budgets', async (t) => {
  const { run, idOf } = await applied(t, 'claude')
  const { stdout } = await run('session', 'show', await idOf('--budget', '2.5'), '--json')
  t.match(
    records(stdout).find(({ type }) => type === 'session'),
    { session: { budget: { max_list_cost: { amount: '250', currency: 'USD' } } } },
  )
  for (const wrong of ['0', '1.234', '-1', 'ten', '1e3', ''])
    t.match(await run('session', 'create', 'helper', `--budget=${wrong}`), { code: 64, stderr: /\[cli\.bad-value\]/ })
  for (const provider of ['ark', 'bailian', 'qoder']) {
    const { run, emulator } = await applied(t, provider)
    const before = (await emulator.requests()).length
    const { code, stderr } = await run('session', 'run', 'helper', 'Hi', '--budget', '2')
    t.equal(code, 1)
    t.match(stderr, '[action.not-offered]')
    t.match(stderr, 'has no budgets of sessions')
    t.equal((await emulator.requests()).length, before)
  }
})

for (const provider of ['claude', 'bailian', 'ark', 'qoder'])
  t.test(`who follows a session of ${provider} is done when it is archived`, async (t) => {
    const { run, idOf, folder, emulator } = await applied(t, provider)
    const id = await idOf('--message', 'Hello')
    const { child, seen, ended } = start(['session', 'events', id, '--follow'], { folder, env: { ...emulator.env } })
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', () => {
        if (seen.stdout.includes('Done')) resolve()
      })
      void ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)))
    })
    t.equal((await run('session', 'archive', id)).code, 0)
    t.match(await ended, { code: 0 })
  })
