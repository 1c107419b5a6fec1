// `agents validate`, `agents graph` and how diagnostics look, from outside.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { agents, records, root, scratchFolder } from './program.js'
import { writeProject } from './projects.js'

function folderWith(t: Parameters<typeof scratchFolder>[0], yaml: string): string {
  const folder = scratchFolder(t)
  writeFileSync(join(folder, 'agents.yaml'), yaml)
  return folder
}

const twoMistakes = `version: "1"
providers:
  qoder:
    api_key: \${QODER_PAT}
agents:
  helper:
    model: auto
    instrucions: Be brief.
  other:
    model: auto
    instructions: Be brief.
    environment: nowhere
`

t.test(
  'all problems are reported at once: place, code, the source line with a caret, a fix; exit code 1',
  async (t) => {
    const folder = folderWith(t, twoMistakes)
    const { code, stdout, stderr } = await agents(['validate'], { folder })
    t.equal(code, 1)
    t.equal(stderr, '')
    t.match(
      stdout,
      /^agents\.yaml:8:5: error: .+ \[declaration\.unknown-key\] agent\.helper\n {2}8 \| {5}instrucions: Be brief\.\n {4}\| {5}\^{11}\n/m,
    )
    t.match(stdout, /^agents\.yaml:12:18: error: .+\n {2}12 \| {5}environment: nowhere\n {5}\| {18}\^{7}\n/m)
    t.match(stdout, 'Did you mean "instructions"?')
    t.match(stdout, /agents\.yaml is not valid: [23] errors and 1 note\.\n$/)
  },
)

t.test('--json reports the same as records, the summary last', async (t) => {
  const folder = folderWith(t, twoMistakes)
  const { code, stdout } = await agents(['validate', '--json'], { folder })
  t.equal(code, 1)
  const all = records(stdout)
  t.match(
    all.find(({ code }) => code === 'declaration.unknown-key'),
    { type: 'diagnostic', severity: 'error', place: { file: 'agents.yaml', line: 8, column: 5, length: 11 } },
  )
  t.match(all.at(-1), { type: 'summary', isValid: false })
})

t.test('plan stops at the errors of validate, on stderr', async (t) => {
  const folder = folderWith(t, twoMistakes)
  const { code, stdout, stderr } = await agents(['plan'], { folder })
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(stderr, 'agents.yaml:8:5: error:')
})

t.test('a missing file and a folder in its place are reported with a fix', async (t) => {
  const folder = scratchFolder(t)
  const missing = await agents(['validate'], { folder })
  t.equal(missing.code, 1)
  t.match(missing.stdout, '[declaration.file-missing]')
  t.match(missing.stdout, 'agents init')
  const wrong = await agents(['validate', '--config', '.'], { folder })
  t.equal(wrong.code, 1)
  t.match(wrong.stdout, '[declaration.file-unreadable]')
})

t.test('control characters of the file never reach the terminal', async (t) => {
  const folder = folderWith(t, `version: "1"\nproviders:\n  qoder:\n    api_key: x\n"\u001b[31mred": 1\n`)
  for (const command of ['validate', 'plan']) {
    const { code, stdout, stderr } = await agents([command], { folder })
    t.equal(code, 1)
    t.notMatch(stdout + stderr, '\u001b')
  }
})

t.test('a very long line is cut around the error, and the caret is still under it', async (t) => {
  const long = 'x'.repeat(300)
  const folder = folderWith(
    t,
    `version: "1"\nproviders: { qoder: { api_key: "${long}", gatway: "y", other: "${long}" } }\n`,
  )
  const { stdout } = await agents(['validate'], { folder })
  const lines = stdout.split('\n')
  const at = lines.findIndex((line) => line.includes('gatway') && line.includes('|'))
  const source = lines[at] ?? ''
  const caret = lines[at + 1] ?? ''
  t.ok(source.length < 120, `${source.length} characters`)
  t.equal(source.slice(caret.indexOf('^'), caret.lastIndexOf('^') + 1), 'gatway')
})

t.test('agents graph draws references as DOT, Mermaid and records, without a request', async (t) => {
  const folder = scratchFolder(t)
  writeProject(folder)
  const dot = await agents(['graph'], { folder })
  t.equal(dot.code, 0)
  t.match(dot.stdout, 'digraph agents {')
  t.match(dot.stdout, '"qoder.agent.helper" -> "qoder.environment.base"')
  const mermaid = await agents(['graph', '--format', 'mermaid'], { folder })
  t.match(mermaid.stdout, /^flowchart LR\n/)
  t.match(mermaid.stdout, /n\d -\.?-> n\d/)
  const all = records((await agents(['graph', '--json'], { folder })).stdout)
  t.equal(all.filter(({ type }) => type === 'node').length, 3)
  t.match(
    all.find(({ to }) => to === 'qoder.vault.keys'),
    { type: 'edge', from: 'qoder.agent.helper' },
  )
})

t.test('the graph has a box for each provider, a legend of arrows, and implied uploads', async (t) => {
  const folder = folderWith(
    t,
    `version: "1"
providers: { qoder: { api_key: "\${KEY}" }, claude: { api_key: "\${KEY}" } }
environments: { base: { config: { type: cloud } } }
agents: { a: { model: m, instructions: x, environment: base } }
deployments:
  d:
    agent: a
    initial_events: [{ type: user.message, content: hi }]
    resources: [{ type: file, source: ./f.txt, mount_path: f.txt }]
defaults: { provider: all }
`,
  )
  writeFileSync(join(folder, 'f.txt'), 'f')
  const implied = 'file.d~./f.txt'
  const dot = await agents(['graph'], { folder })
  t.match(dot.stdout, /subgraph "cluster_claude" {\n {4}label = "claude"\n(?: {4}"claude\.[^"]+"\n)+ {2}}/)
  t.match(dot.stdout, /subgraph "cluster_qoder" {/)
  t.match(dot.stdout, `"qoder.deployment.d" -> "qoder.${implied}"`)
  const mermaid = await agents(['graph', '--format', 'mermaid'], { folder })
  t.match(mermaid.stdout, /subgraph p0\["(claude|qoder)"\]/)
  for (const { stdout } of [dot, mermaid]) t.match(stdout, 'Dashed: used when a session starts.')
  const all = records((await agents(['graph', '--json'], { folder })).stdout)
  t.strictSame(
    all.flatMap(({ address }) => (typeof address === 'string' && address.endsWith(implied) ? [address] : [])).sort(),
    [`claude.${implied}`, `qoder.${implied}`],
  )
})

t.test('the examples are valid', async (t) => {
  const { code, stdout } = await agents(['validate'], { folder: join(root, 'examples/four-providers') })
  t.equal(code, 0)
  t.notMatch(stdout, 'warning')
})

t.test(
  'notes on a valid file are shown by validate, as warnings before changes, and counted by other commands',
  async (t) => {
    const bearer = 'type: static_bearer, mcp_server_url: "https://mcp.example", access_token: "${T}"'
    const folder = folderWith(
      t,
      `version: "1"\nproviders: { claude: { api_key: "\${K}" } }\nfiles: { f: { source: ./f.txt } }\nvaults: { v: { credentials: [{ name: c, ${bearer}, protocol: sse }] } }\nagents: { a: { model: m, instructions: x, files: [f] } }\n`,
    )
    writeFileSync(join(folder, 'f.txt'), 'f')
    const env = { K: 'key-of-claude', T: 'token-of-mcp' }
    const { stdout } = await agents(['validate'], { folder, env })
    t.match(stdout, '[claude.agent-file-without-mount-path]')
    t.match(stdout, '[claude.field-not-sent]')
    const plan = await agents(['plan'], { folder, env })
    t.match(plan.stderr, '[claude.agent-file-without-mount-path]')
    t.notMatch(plan.stderr, '[claude.field-not-sent]')
    t.match(plan.stderr, 'agents.yaml: 1 note; "agents validate" shows it.')
    for (const words of [['graph'], ['destroy', '--yes']]) {
      const { stderr } = await agents(words, { folder, env })
      t.match(stderr, 'agents.yaml: 1 warning and 1 note; "agents validate" shows them.')
      t.notMatch(stderr, '[claude')
    }
  },
)
