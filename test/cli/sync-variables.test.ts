// Values of variables and `agents sync`: whatever the state of a variable, its value is neither written nor printed.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const token = 'ghp-L1VE-token-1234'
const text = `version: "1"
providers:
  qoder: { api_key: "\${QODER_PAT}" }
environments:
  dev:
    description: Reached by \${TOKEN}
    config:
      type: cloud
      packages: { pip: ["git+https://\${TOKEN}@git.example/private.git"] }
      setup_script: |
        curl -H "Bearer \${TOKEN}" https://git.example
    metadata: { reach: "\${TOKEN}" }
memory_stores:
  rules:
    description: Rules \${TOKEN}
    metadata: { a: "\${TOKEN}", b: open }
agents:
  helper:
    description: Helps with \${TOKEN}
    model: auto
    instructions: |
      Use \${TOKEN}.
    environment: dev
deployments:
  nightly:
    description: Runs \${TOKEN}
    agent: helper
    environment: dev
    environment_variables: { KEY: "\${TOKEN}", OPEN: fixed }
    initial_events:
      - { type: user.message, content: "Go with \${TOKEN}." }
    metadata: { a: "\${TOKEN}" }
`

type Values = Readonly<Record<string, string>>
const situations: Readonly<Record<string, Values>> = {
  'as it was': { TOKEN: token },
  unset: {},
  rotated: { TOKEN: 'ghp-N3W-token-5678' },
  empty: { TOKEN: '' },
}

const elsewhere = `${text}  other:
    agent: helper
    environment: dev
    initial_events: [{ type: user.message, content: "\${OLD}" }]
`

for (const [situation, values] of Object.entries({ ...situations, 'known from elsewhere': { OLD: token } })) {
  t.test(`a variable that is ${situation} stays in the file, and its value is never shown`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const put = (name: string, content: string) => writeFileSync(join(folder, name), content)
    const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
    const dotenv = (of: Values) =>
      put(
        '.env',
        Object.entries({ QODER_PAT: 'x', ...of })
          .map(([name, value]) => `${name}="${value}"\n`)
          .join(''),
      )
    put('agents.yaml', text)
    dotenv({ TOKEN: token })
    const { code, stderr } = await run('apply', '--yes')
    t.equal(code, 0, stderr)
    const state = readFileSync(join(folder, 'agents.state.json'), 'utf8')
    t.notMatch(state, token)
    const objects = await emulator.objects()
    const idOf = (kind: string) => objects.find((object) => object.kind === kind)?.id ?? ''
    dotenv(values)
    put('agents.yaml', 'OLD' in values ? elsewhere : text)
    const check = async (what: string) => {
      for (const words of [['--check'], ['--check', '--json'], ['--check', '--verbose'], []]) {
        const { stdout, stderr } = await run('sync', ...words)
        t.notMatch(`${stdout}${stderr}`, token, `${what}: ${words.join(' ')}`)
      }
      const after = readFileSync(join(folder, 'agents.yaml'), 'utf8')
      t.notMatch(after, token, what)
      t.ok(after.split('${TOKEN}').length >= text.split('${TOKEN}').length, `${what}: every variable stays`)
    }
    await check('nothing drifted')
    // The value of an unset variable is unknown, so it is copied to another place only if it is set.
    const isKnown = Object.values(values).includes(token)
    const open = isKnown ? `is ${token}` : 'moved'
    await emulator.patch(idOf('memory_store'), { description: `Leaked ${token}`, metadata: { b: open } })
    await emulator.patch(idOf('deployment'), { description: `Other ${token}` })
    await check('after drift')
  })
}

t.test(
  'a value recorded as secret in state is not written to the file after its declaration was removed',
  async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const put = (name: string, content: string) => writeFileSync(join(folder, name), content)
    const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
    put('.env', `QODER_PAT=x\nTOKEN=${token}\n`)
    put('agents.yaml', text)
    t.equal((await run('apply', '--yes')).code, 0)
    put('.env', 'QODER_PAT=x\n')
    const without = text.replace('    metadata: { a: "${TOKEN}", b: open }\n', '')
    for (const changed of [
      without,
      without.replace('    metadata: { a: "${TOKEN}" }\n', ''),
      text.replace(/memory_stores:[\s\S]*(?=agents:)/, ''),
    ]) {
      put('agents.yaml', changed)
      for (const words of [['--check', '--json'], []]) {
        const { stdout, stderr } = await run('sync', ...words)
        t.notMatch(`${stdout}${stderr}`, token)
      }
      t.notMatch(readFileSync(join(folder, 'agents.yaml'), 'utf8'), token)
    }
  },
)
