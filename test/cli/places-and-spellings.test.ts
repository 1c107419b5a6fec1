// What people stumble over: endings of files, quotes in paths, dumb terminals, .env values, names that look the same.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { program } from './program.js'
import { scratchFolder } from './scratch.js'

const head = 'version: "1"\nproviders: { qoder: { api_key: "${KEY}" } }\n'
const environment = 'environments: { base: { config: { type: cloud } } }\n'

function project(t: Test, yaml: string, name?: string) {
  const folder = scratchFolder(t, name)
  writeFileSync(join(folder, 'agents.yaml'), yaml)
  const run = async (...words: readonly string[]) => {
    const { code, stdout, stderr } = await agentsHere(words, { folder, env: { KEY: 'any', SECRET: 'any' } })
    return { code, said: stdout + stderr }
  }
  return { folder, run }
}

t.test('2.7: Qoder refuses hosts of an unrestricted secret instead of dropping them', async (t) => {
  const vault = (networking: string) =>
    `${head}vaults:\n  v:\n    credentials:\n      - { name: c, type: environment_variable, secret_name: S, secret_value: "\${SECRET}", networking: ${networking} }\n`
  const refused = await project(t, vault('{ type: unrestricted, allowed_hosts: [a.example.com] }')).run('validate')
  t.equal(refused.code, 1)
  t.match(refused.said, /qoder\.credential-hosts-unlimited/)
  for (const networking of [
    '{ type: unrestricted }',
    '{ type: unrestricted, allowed_hosts: ["*"] }',
    '{ allowed_hosts: [a.example.com] }',
  ])
    t.equal((await project(t, vault(networking)).run('validate')).code, 0, networking)
})

for (const expression of ['0  6 * * 1', '0\\t6 * * 1', '0 6 * * 1 ', ' 0 6 * * 1'])
  t.test(`2.16: the cron expression "${expression}" is refused before a provider does it`, async (t) => {
    const { run } = project(
      t,
      `${head}${environment}agents: { m: { model: auto, instructions: hi, environment: base } }\ndeployments:\n  d: { agent: m, schedule: { expression: "${expression}", timezone: UTC }, initial_events: [{ type: user.message, content: go }] }\n`,
    )
    const refused = await run('validate')
    t.equal(refused.code, 1)
    t.match(refused.said, /deployment\.schedule-expression/)
  })

t.test('2.3: switches of channels are true or false, and misspelt ones are told of', async (t) => {
  const channel = (options: string) =>
    `${head}channels:\n  c: { type: dingtalk, mode: pairing, credentials: { client_id: "\${SECRET}", client_secret: "\${SECRET}" }, options: ${options} }\n`
  const refused = await project(t, channel('{ include_tool_calls: yes }')).run('validate')
  t.equal(refused.code, 1)
  t.match(refused.said, /channel\.option-not-boolean/)
  const warned = await project(t, channel('{ include_thinkng: true, other: x }')).run('validate')
  t.equal(warned.code, 0)
  t.match(warned.said, /channel\.option-misspelt[\s\S]*include_thinking/)
  t.notMatch((await project(t, channel('{ include_thinking: true, other: x }')).run('validate')).said, /option/)
})

for (const [written, reason] of [
  ['"{\\"user\\":\\"a\\"}"', /backslashes/],
  ['https://${HOST}/x', /not replaced/],
  ['"a"b"c"', /quotes inside/],
  ['"a" b', /quotes inside/],
  ['"never closed', /quotes inside/],
  ['`x`', /backticks/],
  ['plain', undefined],
  ['"a\\nb"', undefined],
  ['\'{"a": "${b}"}\'', undefined],
  ['"two\nlines"', undefined],
] as const)
  t.test(`a value ${written} in .env ${reason ? 'is told of' : 'is as elsewhere'}`, async (t) => {
    const { folder, run } = project(
      t,
      `${head}environments: { base: { description: "\${VALUE}", config: { type: cloud } } }\n`,
    )
    writeFileSync(join(folder, '.env'), `VALUE=${written}\nUNUSED="a"b"c"\n`)
    const { said } = await run('validate')
    if (reason) t.match(said, reason)
    else t.notMatch(said, /read-literally/)
    t.notMatch(said, /UNUSED/)
  })

t.test('where agents.yaml has the other ending, that is said', async (t) => {
  const { folder, run } = project(t, head + environment)
  renameSync(join(folder, 'agents.yaml'), join(folder, 'agents.yml'))
  t.match((await run('validate')).said, /agents\.yml is there[\s\S]*--config agents\.yml/)
})

t.test('a name that differs only in how its characters are composed is told apart', async (t) => {
  const agents = `${environment.replace('base', '"cafe\u0301"')}agents: { a: { model: auto, instructions: hi, environment: "caf\u00e9" } }\n`
  t.match((await project(t, head + agents).run('validate')).said, /looks the same and is spelt with other\s+characters/)
})

t.test('commands that are printed can be copied, whatever the folder is called', async (t) => {
  const emulator = await emulate(t)
  const folder = scratchFolder(t, "it's here")
  writeFileSync(join(folder, 'agents.yaml'), head + environment)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'any' } })
  await run('apply', '--yes')
  writeFileSync(join(folder, 'agents.yaml'), head + environment.replace('base', 'other'))
  await run('apply', '--yes')
  rmSync(join(folder, 'agents.state.json'))
  t.match((await run('plan', '--json')).stdout, /cp '[^ ]*it'\\\\''s here\/agents\.state\.backup'/)
  renameSync(join(folder, 'agents.state.backup'), join(folder, 'agents.state.json'))
  t.match((await run('plan', '--out', 'p 1.json')).stderr, /agents apply 'p 1\.json'/)
})

t.test('init leaves a .gitignore that is not UTF-8 as it is, and says so', async (t) => {
  const folder = scratchFolder(t)
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('node_modules\r\n', 'utf16le')])
  writeFileSync(join(folder, '.gitignore'), utf16)
  const { code, stderr } = await agentsHere(['init', '--provider', 'qoder', '--yes'], { folder })
  t.equal(code, 0)
  t.match(stderr, /init\.gitignore-kept/)
  t.strictSame(readFileSync(join(folder, '.gitignore')), utf16)
})

t.test('a file whose name cannot be sent is refused', async (t) => {
  if (process.platform === 'win32') return t.comment('no such names')
  const { folder, run } = project(t, `${head}skills: { s: { source: ./skill } }\n`)
  mkdirSync(join(folder, 'skill'))
  writeFileSync(join(folder, 'skill/SKILL.md'), '---\nname: s\ndescription: d\n---\n')
  writeFileSync(join(folder, 'skill/a "b.md'), 'x')
  t.match((await run('validate')).said, /source\.name/)
  t.ok(existsSync(join(folder, 'skill/a "b.md')))
})

for (const provider of ['bailian', 'claude', 'qoder', 'ark'])
  t.test(`2.9 the byte order mark of a SKILL.md is not sent to ${provider}`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'any' } })
    const skills = 'skills: { s: { source: ./skill } }\n'
    const workspace = provider === 'bailian' ? ', workspace_id: ws' : ''
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"\nproviders: { ${provider}: { api_key: "\${KEY}"${workspace} } }\n${skills}`,
    )
    mkdirSync(join(folder, 'skill'))
    const manifest = join(folder, 'skill/SKILL.md')
    const text = '---\nname: s\ndescription: d\n---\n'
    writeFileSync(manifest, `\ufeff${text}`)
    const applied = await run('apply', '--yes')
    t.equal(applied.code, 0, applied.stderr)
    t.match((await run('plan')).stdout, /No changes/)
    writeFileSync(manifest, text)
    t.match((await run('plan')).stdout, /No changes/, 'with and without it the text is the same')
  })

t.test('a working folder that was removed is told of in one line', async (t) => {
  if (process.platform === 'win32') return t.comment('a folder in use cannot be removed')
  const folder = scratchFolder(t)
  const command = 'rmdir "$PWD"; exec "$0" "$1" --version'
  const { status, stderr } = spawnSync('sh', ['-c', command, process.execPath, program], {
    cwd: folder,
    encoding: 'utf8',
  })
  t.equal(status, 1)
  t.match(stderr, /^The working folder no longer exists\.[^\n]*\n$/)
})

t.test('the help of destroy says in which direction it goes', async (t) => {
  const { run } = project(t, head)
  t.match(
    (await run('destroy', '--help')).said,
    /Only this resource and those that\s+need it[\s\S]*All except this resource and those it\s+needs/,
  )
})

t.test('names of prototypes are keys of metadata like any other, on every provider', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const blocks = {
    claude: ['{ api_key: "${KEY}" }', 'claude-sonnet-4-5'],
    ark: ['{ api_key: "${KEY}" }', 'doubao-seed-2-1-pro-260628'],
    qoder: ['{ api_key: "${KEY}" }', 'auto'],
    bailian: ['{ api_key: "${KEY}", workspace_id: w }', 'qwen3.7-plus'],
  } as const
  const members = Object.entries(blocks)
  const write = (metadata: string) =>
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"
providers: { ${members.map(([name, [block]]) => `${name}: ${block}`).join(', ')} }
defaults: { provider: all }
environments: { base: { config: { type: cloud }, metadata: ${metadata} } }
agents:
  helper:
    model: { ${members.map(([name, [, model]]) => `${name}: ${model}`).join(', ')} }
    instructions: Help.
    environment: base
    metadata: ${metadata}
`,
    )
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'any' } })
  for (const metadata of ['{ __proto__: a, constructor: b }', '{ __proto__: c, toString: d }', '{ toString: d }']) {
    write(metadata)
    const { code, stderr } = await run('apply', '--yes')
    t.equal(code, 0, stderr)
    t.match((await run('plan')).stdout, /^No changes\./m, metadata)
  }
  // Keys that nobody declared are drift, and sync takes them over and drops them again.
  for (const value of ['e', null]) {
    for (const { id } of await emulator.objects())
      await emulator.patch(id, {
        metadata: JSON.parse(`{"__proto__":${JSON.stringify(value)},"valueOf":${JSON.stringify(value)}}`),
      })
    const { code, stderr } = await run('sync')
    t.equal(code, 0, stderr)
    const written = readFileSync(join(folder, 'agents.yaml'), 'utf8')
    t.equal(written.split('valueOf').length - 1, value === null ? 0 : 2, written)
    t.match((await run('plan')).stdout, /^No changes\./m)
  }
})
