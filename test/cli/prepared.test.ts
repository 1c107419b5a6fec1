// Help and completion are answered from files that the build has made. What the built program prints without its larger part
// is compared with what the program itself prints, which these tests run from its sources.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t from 'tap'
import { catalogue, preparedLines, runProgram } from '../../cli/program.js'
import { agentsHere } from './in-process.js'
import { agents, program, root, scratchFolder } from './program.js'
import { writeProject } from './projects.js'

const folder = scratchFolder(t)
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The entry of the program, which cannot load the rest. */
const entry = entryAlone()

function entryAlone(): string {
  const alone = scratchFolder(t)
  mkdirSync(join(alone, 'dist'))
  const files = ['package.json', 'dist/agents.js', 'dist/prepared']
  for (const file of files) cpSync(join(root, file), join(alone, file), { recursive: true })
  return join(alone, 'dist/agents.js')
}

function quickly(words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...words], { cwd: folder, encoding: 'utf8' })
  return { code: status, stdout: stdout.replace(`agents ${version}:`, 'agents 0.0.0:'), stderr }
}

t.test('the help of every command and group is printed without loading the program, as the program does', async (t) => {
  const paths = catalogue().map(({ path }) => path.split(' '))
  const groups = [...new Set(paths.map(([first = '']) => first))].map((first) => [first])
  t.ok(paths.length > 40)
  const lines = [...paths, ...groups].map((path) => [...path, '--help'])
  for (const words of [...lines, ['--help'], ['-h'], ['help'], ['help', 'plan'], ['plan', '-f', 'x', '-h', '--json']])
    t.same(quickly(words), await agentsHere(words, { folder }), words.join(' '))
})

t.test('what the build has stored is complete: commands, completion scripts and keys', async (t) => {
  const stored = JSON.parse(readFileSync(join(dirname(entry), 'prepared/commands.json'), 'utf8'))
  t.same(stored, JSON.parse(JSON.stringify(catalogue())))
  for (const words of preparedLines) {
    const answer = quickly(words)
    t.equal(answer.code, 0)
    t.ok(answer.stdout.length > 1000)
    t.same(answer, await agentsHere(words, { folder }), words.join(' '))
  }
})

t.test('a line that is almost one of help or completion is left to the program', async (t) => {
  for (const words of [
    ['plann', '--help'],
    ['help', 'plann'],
    ['completion'],
    ['completion bash'],
    ['completion', 'tcsh'],
    ['completion', 'bash', 'zsh'],
    ['completion', 'bash', '--json'],
    ['completion', 'bash', '-c', 'x'],
    ['__complete', 'key', '--jsn'],
    ['__complete', 'key', '--config'],
    ['emulate', '--', 'true', '--help'],
  ]) {
    t.match(quickly(words).stderr, 'program.js', `the program is loaded for: ${words.join(' ')}`)
    if (words[0] === 'emulate') continue
    const { code, stdout, stderr } = await agents(words, { folder })
    t.same({ code, stdout, stderr }, await agentsHere(words, { folder }), words.join(' '))
  }
})

t.test('keys are stored unless the project file may name a plugin, or is named and missing', async (t) => {
  const line = (...options: readonly string[]) => ['__complete', 'key', ...options]
  const isStored = (...options: readonly string[]) => quickly(line(...options)).code === 0
  t.ok(isStored(), 'there is no project file')
  t.notOk(isStored('--config', 'other.yaml'))
  t.equal((await agents(line('--config', 'other.yaml'), { folder })).stdout, '')
  writeProject(folder)
  t.ok(isStored())
  t.ok(isStored('-c', 'agents.yaml'))
  t.same(quickly(line('-c', 'agents.yaml')), await agentsHere(line('-c', 'agents.yaml'), { folder }))
  for (const [name, provider] of [
    ['plain', '{ plugin: ./acme.js }'],
    ['quoted', '{ "plugin": ./acme.js }'],
    ['escaped', '{ "pl\\x75gin": ./acme.js }'],
    ['explicit', '{ ? plugin : ./acme.js }'],
  ] as const) {
    writeFileSync(join(folder, `${name}.yaml`), `providers:\n  acme: ${provider}\n`)
    t.notOk(isStored('--config', `${name}.yaml`), name)
  }
  writeFileSync(join(folder, 'words.yaml'), 'agents:\n  a: { instructions: About plugins. }\n')
  t.ok(isStored('--config', 'words.yaml'))
  mkdirSync(join(folder, 'folder.yaml'))
  t.notOk(isStored('--config', 'folder.yaml'))
})

t.test('on a terminal help is as wide as it, and coloured unless that is refused', async (t) => {
  for (const columns of [30, 72, 200])
    for (const line of ['--help', 'documents', 'plan --help', 'serve --no-color --help', 'NO_COLOR=1 plan --help']) {
      const words = line.split(' ').filter((word) => !word.includes('='))
      if (line === 'documents') words.push('--help')
      const env = line.includes('=') ? { NO_COLOR: '1' } : {}
      const command = `stty columns ${columns}; '${process.execPath}' '${entry}' ${words.join(' ')}`
      const { stdout } = spawnSync('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
        env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
        encoding: 'utf8',
        input: '',
      })
      t.equal(stdout.replaceAll('\r\n', '\n'), await onTerminal(words, { columns, env }), `${line}, ${columns}`)
    }
})

/** Returns what the program itself prints on a terminal. */
async function onTerminal(
  words: readonly string[],
  { columns, env }: { readonly columns: number; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns })
  const stderr = new Writable({ write: (_text, _encoding, done) => done() })
  const written = text(stdout)
  await runProgram(words, {
    env,
    stdin: new PassThrough(),
    stdout,
    stderr,
    colorDepth: 1,
    workingFolder: folder,
    version,
    catalogue,
  })
  stdout.end()
  return written
}

t.test('a reader that closes the pipe ends help silently', async (t) => {
  for (const words of ['--help', 'completion fish']) {
    const { status, stderr } = inShell(`set -o pipefail; "$0" "$1" ${words} | true`)
    t.same({ status, stderr }, { status: 0, stderr: '' }, words)
  }
})

t.test(
  'help that cannot be written is reported, unless that cannot be written either',
  { skip: !existsSync('/dev/full') && 'there is no /dev/full' },
  async (t) => {
    for (const words of ['--help', 'completion fish']) {
      const { status, stderr } = inShell(`"$0" "$1" ${words} > /dev/full`)
      t.equal(status, 1)
      t.match(stderr, /^Standard output could not be written: ENOSPC.*\n$/)
      t.equal(inShell(`"$0" "$1" ${words} > /dev/full 2>&1`).status, 1)
    }
  },
)

function inShell(command: string) {
  return spawnSync('bash', ['-c', command, process.execPath, program], { encoding: 'utf8' })
}
