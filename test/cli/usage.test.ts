// Help, completion, and errors about invalid command lines.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { commands } from '../../cli/commands/index.js'
import { renderOverview } from '../../cli/render/help.js'
import { styleFor } from '../../cli/render/style.js'
import { columns, wrapped } from '../../cli/render/text.js'
import { agents, program, records, scratchFolder } from './program.js'
import { writeProject } from './projects.js'

const folder = scratchFolder(t)
const run = (...words: readonly string[]) => agents(words, { folder })

t.test('agents --help names every command, shows the first steps and the exit codes, and ends with 0', async (t) => {
  const { code, stdout, stderr } = await run('--help')
  t.equal(code, 0)
  t.equal(stderr, '')
  for (const command of ['init', 'validate', 'plan', 'apply', 'destroy', 'state list', 'state mv', 'graph', 'emulate'])
    t.match(stdout, `  ${command} `)
  t.match(stdout, 'agents emulate -- agents plan')
  t.match(stdout, /130\s+interrupted/)
})

t.test('every command has help with an example, a description and documented options', async (t) => {
  const { stdout } = await run('--help')
  const paths = [...stdout.matchAll(/^ {2}([a-z]+(?: [a-z]+)?) {2,}[A-Z]/gm)].map(([, path]) => path ?? '')
  t.ok(paths.length >= 15, `${paths.length} commands`)
  for (const path of paths) {
    const help = await run(...path.split(' '), '--help')
    t.equal(help.code, 0, path)
    t.match(help.stdout, new RegExp(`^Usage: agents ${path} .*\\[OPTIONS\\]$`, 'm'))
    t.match(help.stdout, /\nExamples\n {2}# /)
    t.notMatch(help.stdout, /#0|\n {2}--\S+\s*$/m, `${path}: every option says what it does`)
  }
})

t.test('help breaks a line only if the next word does not fit', async (t) => {
  const { stdout } = await run('destroy', '--help')
  const [details = ''] = stdout.split('\n\n').slice(2)
  const lines = details.split('\n')
  for (const [index, line] of lines.slice(0, -1).entries()) {
    t.equal(line, line.trimEnd())
    const [next = ''] = lines[index + 1]?.split(' ') ?? []
    t.ok(line.length + 1 + next.length > 100, line)
  }
})

t.test('the first line of agents --help is wrapped as the rest is', async (t) => {
  const style = styleFor({}, {})
  for (const width of [40, 60, 80]) {
    const [title = ''] = renderOverview([], '1.0.0', { style, width }).split('\n\n')
    t.ok(title.split('\n').every((line) => line.length <= width))
  }
})

t.test('agents --help lists every command there is', async (t) => {
  const { stdout } = await run('--help')
  const paths = commands.filter(({ usage }) => usage).flatMap(({ paths }) => paths.map((path) => path.join(' ')))
  t.ok(paths.length > 40)
  t.same(
    paths.filter((path) => !new RegExp(`^  ${path} `, 'm').test(stdout)),
    [],
  )
})

t.test('text is wrapped between words, whatever the width', async (t) => {
  const text = 'Explain the keys of agents.yaml: type, default, limits'
  for (const width of [26, 33, 40, 80]) {
    const lines = wrapped(text, width, '  ').split('\n')
    t.ok(lines.every((line) => line.length <= width))
    t.equal(lines.map((line) => line.trim()).join(' '), text)
    const help = columns(
      [
        ['validate', text],
        ['session archive', text],
      ],
      '  ',
      { width },
    )
    t.equal(help.replaceAll(/\s+/g, ' '), ` validate ${text} session archive ${text}`)
  }
  t.equal(wrapped('averyveryverylongwordindeed short', 20), 'averyveryverylongwordindeed\nshort')
})

t.test('global options may stand anywhere on the line, and -f is --config', async (t) => {
  const lines = ['-c none.yaml plan', '-v plan -f none.yaml', '--file=none.yaml plan', 'session -c none.yaml create x']
  for (const line of lines) {
    const { code, stderr } = await run(...line.split(' '))
    t.match({ code, stderr }, { code: 1, stderr: 'There is no none.yaml' }, line)
  }
  t.match((await run('--no-color', '--json', 'plan')).stdout, '"code":"declaration.file-missing"')
  const own = await run('session', 'create', '--file', 'x', 'helper')
  t.match(own.stderr, 'There is no agents.yaml', 'a command with its own --file')
})

t.test('a usage error is a record under --json, wherever that option stands', async (t) => {
  for (const line of ['plna --json', '--json plan --provder x', '--json', 'plan --parallelism 0 --json']) {
    const { code, stdout } = await run(...line.split(' '))
    t.equal(code, 64)
    t.match(records(stdout), [{ type: 'diagnostic', severity: 'error' }], line)
  }
  t.match(records((await run('--version', '--json')).stdout), [{ type: 'version', version: String }])
  t.match(records((await run('completion', 'bash', '--json')).stdout), [{ type: 'script', shell: 'bash' }])
})

t.test('agents help COMMAND works, and so does the help of a group', async (t) => {
  t.equal((await run('help', 'plan')).stdout, (await run('plan', '--help')).stdout)
  const group = await run('state', '--help')
  t.equal(group.code, 0)
  t.match(group.stdout, 'agents state unlock')
  t.notMatch(group.stdout, 'agents plan')
})

t.test('words after -- belong to the child command, including --help', async (t) => {
  const { code, stdout } = await run('emulate', '--', process.execPath, '-e', 'console.log("child")', '--', '--help')
  t.equal(code, 0)
  t.equal(stdout, 'child\n')
})

t.test('agents --version prints the version of the package alone', async (t) => {
  const { code, stdout } = await run('--version')
  t.equal(code, 0)
  t.match(stdout, /^\d+\.\d+\.\d+\n$/)
})

const mistakes: readonly (readonly [words: string, code: string, told: RegExp])[] = [
  ['plna', 'cli.unknown-command', /Did you mean "agents plan"\?/],
  ['state lst', 'cli.unknown-command', /Did you mean "agents state list"\?/],
  ['frobnicate', 'cli.unknown-command', /agents --help/],
  ['', 'cli.missing-command', /init, validate, plan/],
  ['--verbose', 'cli.missing-command', /init, validate, plan/],
  ['help plann', 'cli.unknown-command', /Did you mean "agents plan"\?/],
  ['plann --help', 'cli.unknown-command', /Did you mean "agents plan"\?/],
  ['state', 'cli.missing-command', /state list/],
  ['memory delete', 'cli.unknown-command', /Did you mean "agents memory rm"\?/],
  ['deployment unpause', 'cli.unknown-command', /Did you mean "agents deployment resume"\?/],
  ['session get', 'cli.unknown-command', /Did you mean "agents session show"\?/],
  ['documents rm', 'cli.unknown-command', /Did you mean "agents documents delete"\?/],
  ['state import', 'cli.unknown-command', /Did you mean "agents import"\?/],
  ['rm', 'cli.unknown-command', /Did you mean "agents state rm"\?/],
  ['-q plan', 'cli.unknown-option', /no option "-q"/],
  ['--jsn plan', 'cli.unknown-option', /Did you mean --json\?/],
  ['plan --provder qoder', 'cli.unknown-option', /Did you mean --provider\?/],
  ['plan --out', 'cli.wrong-usage', /--out/],
  ['apply one.json two.json', 'cli.wrong-usage', /two\.json|one\.json/],
  ['store copy', 'cli.wrong-usage', /It needs --from and --to\./],
  ['store copy --from=data', 'cli.wrong-usage', /It needs --to\./],
  ['store upgrade', 'cli.wrong-usage', /STEWARD_SERVE_STORE, or with --store/],
  ['state show', 'cli.wrong-usage', /It takes ADDRESS\./],
  ['plan --parallelism 0', 'cli.bad-value', /parallelism/],
  ['plan --parallelism many', 'cli.bad-value', /parallelism/],
  ['emulate --fault-rate 2', 'cli.bad-value', /fault-rate/i],
  ['completion tcsh', 'cli.bad-value', /bash/],
  ['graph --format png', 'cli.bad-value', /dot/],
]

for (const [words, code, reported] of mistakes) {
  t.test(`"agents ${words}" is wrong usage: exit code 64, reported on stderr as ${code}`, async (t) => {
    const result = await run(...words.split(' ').filter(Boolean))
    t.equal(result.code, 64)
    t.equal(result.stdout, '')
    t.match(result.stderr, `[${code}]`)
    t.match(result.stderr, reported)
    t.notMatch(result.stderr, /\n {4}at /, 'no stack trace for usage errors')
  })
}

t.test('the completion scripts are valid for their shells and know every command', async (t) => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout } = await run('completion', shell)
    t.equal(code, 0)
    for (const word of ['validate', 'emulate', 'unlock', 'detailed-exitcode'])
      t.match(stdout, word, `${shell}: ${word}`)
  }
  const { stdout } = await run('completion', 'bash')
  const project = scratchFolder(t)
  writeProject(project)
  const complete = (line: string) => {
    const words = line.split(' ')
    const script = `agents() { '${process.execPath}' '${program}' "$@"; }
${stdout}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _agents; echo "\${COMPREPLY[*]}"`
    return spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: project })
  }
  t.equal(complete('agents pla').stdout.trim(), 'plan')
  t.match(complete('agents state ').stdout, /list.*unlock|unlock.*list/)
  t.match(complete('agents state list --j').stdout, '--json')
  t.match(complete('agents plan --det').stdout, '--detailed-exitcode')
  t.equal(complete('agents pl').stderr, '')
  t.equal(complete('agents graph --format m').stdout.trim(), 'mermaid')
  t.equal(complete('agents plan --provider q').stdout.trim(), 'qoder')
  t.equal(complete('agents completion z').stdout.trim(), 'zsh')
  t.match(complete('agents plan --target qoder.').stdout, 'qoder.agent.')
  t.match(complete('agents session create ').stdout, 'helper')
  for (const [line, value] of [
    ['agents graph --format = m', 'mermaid'],
    ['agents plan --provider =', 'qoder'],
    ['agents --config = agents.yaml plan --target = qoder.', 'qoder.agent.'],
    ['agents graph --format=m', '--format=mermaid'],
  ] as const)
    t.match(complete(line).stdout, value, `${line}: a value behind "=" is completed, in one word or in three`)
  t.equal(complete('agents explain agent.tools.mcp.conf').stdout.trim().split(' ')[0], 'agent.tools.mcp.configs')
  t.equal(complete('agents plan sh').stdout.trim(), 'show', 'a command may have others below it')
  t.equal(complete('agents plan show --j').stdout.trim(), '--json')
  t.match(complete('agents --j').stdout, '--json')
  t.equal(complete('agents --json state li').stdout.trim(), 'list')
  writeFileSync(
    join(project, 'other.yaml'),
    readFileSync(join(project, 'agents.yaml'), 'utf8').replaceAll('helper', 'another'),
  )
  for (const line of ['agents -c other.yaml session create ', 'agents session create --config other.yaml ']) {
    t.match(complete(line).stdout, 'another', 'names are read from the project file of the command line')
    t.notMatch(complete(line).stdout, 'helper')
  }
  t.match(complete('agents -c other.yaml plan --target qoder.').stdout, 'qoder.agent.another')
  for (const line of [
    'agents -c oth',
    'agents -f oth',
    'agents plan -c oth',
    'agents plan --out oth',
    'agents state -c oth',
  ])
    t.equal(complete(line).stdout.trim(), 'other.yaml', line)
  t.equal(complete('agents state show ').stdout.trim(), '', 'nothing is recorded yet, which is not an error')

  const evil = ['$(touch evil)', '`touch evil`', "a'$(touch evil)", 'a"b', 'a b', 'a;touch evil', '~', '*']
  const names = [...evil, 'plain', 'über-2.b'].map((name) => `  ${JSON.stringify(name)}: { model: x, instructions: y }`)
  writeFileSync(
    join(project, 'evil.yaml'),
    ['version: "1"', 'providers: { qoder: { api_key: k } }', 'agents:', ...names, ''].join('\n'),
  )
  const offered = complete('agents -c evil.yaml session create ')
  t.same(
    [offered.stdout.trim(), offered.stderr],
    ['plain über-2.b', ''],
    'what a shell reads as more than a word is left out',
  )
  t.notOk(existsSync(join(project, 'evil')), 'no name is run')
})

t.test('agents providers shows every kind on every provider, for people and for programs', async (t) => {
  const { code, stdout } = await run('providers')
  t.equal(code, 0)
  for (const name of ['bailian', 'qoder managed', 'qoder forward', 'claude', 'ark']) t.match(stdout, name)
  const rows = records((await run('providers', '--json')).stdout)
  t.ok(rows.every(({ type }) => type === 'capability'))
  const kinds = new Set(rows.map(({ kind }) => kind))
  t.equal(kinds.size, 10)
  t.hasStrict(
    rows.find(({ provider, kind }) => provider === 'ark' && kind === 'tunnel'),
    { support: 'unsupported' },
  )
})

t.test('without a terminal nothing is coloured', async (t) => {
  const { stdout } = await agents(['--help'], { folder, env: { FORCE_COLOR: '1', TERM: 'xterm-256color' } })
  t.notMatch(stdout, /\u001b/)
})
