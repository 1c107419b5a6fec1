// Tests that `validate` reports, with a place, everything that a provider would refuse late or leave out quietly,
// whichever provider it is.
import t from 'tap'
import { load, reportOf, textOf, underlined } from '../../core/declaration/subject.js'

const configurations = {
  bailian: '{ api_key: "${KEY}", workspace_id: w }',
  qoder: '{ api_key: "${KEY}" }',
  claude: '{ api_key: "${KEY}" }',
  ark: '{ api_key: "${KEY}" }',
} as const
type Name = keyof typeof configurations
const names = Object.keys(configurations) as Name[] // They are its keys.

const roots: Readonly<Record<Name, string>> = { bailian: '/mnt', qoder: '/data', claude: '/workspace', ark: '/mnt' }

const head = (name: Name) => `version: "1"\nproviders: { ${name}: ${configurations[name]} }\n`
const agent = (more: string) => `agents: { a: { model: m, instructions: x, ${more} } }\n`
const base = 'environments: { e: { config: { type: cloud } } }\n'
const deployment = (resources: string) =>
  `${base}${agent('environment: e')}deployments:\n  d:\n    agent: a\n    initial_events: [{ type: user.message, content: hi }]\n    resources:\n${resources}`
const files = { 'a.txt': 'a', 'b.txt': 'b' }
const environment = { KEY: 'secret-key', WEB: 'https://mcp.example', PART: 'so-secret:8080' }

const diagnosticsOf = async (test: Parameters<typeof load>[0], text: string) =>
  (await load(test, text, { files, environment })).diagnostics

for (const name of names) {
  t.test(`2.14 each path has one mount, however it is written: ${name}`, async (t) => {
    const two = (first: string, second: string) =>
      `${head(name)}${deployment(`      - { type: file, source: ./a.txt, mount_path: ${first} }\n      - { type: file, source: ./b.txt, mount_path: ${second} }\n`)}`
    const root = roots[name]
    for (const second of ['a.txt', './a.txt', `${root}/a.txt`, `${root}//a.txt`, `${root}/./a.txt`]) {
      const found = await diagnosticsOf(t, two('a.txt', second))
      t.strictSame(
        reportOf(found.filter(({ severity }) => severity === 'error')),
        [`${name}.mount-repeated 11:9`],
        second,
      )
      t.match(textOf(found.find(({ severity }) => severity === 'error') ?? ({ summary: '' } as never)), 'resources[0]')
    }
    t.notMatch(reportOf(await diagnosticsOf(t, two('a.txt', 'b.txt'))).join(), 'mount-repeated')
    const bound = agent('files: [{ file: f, mount_path: a.txt }, { file: g, mount_path: ./a.txt }]')
    const both = `${head(name)}files: { f: { source: ./a.txt }, g: { source: ./b.txt } }\n${bound}`
    t.match(reportOf(await diagnosticsOf(t, both)).join(), `${name}.mount-repeated`)
  })

  t.test(`2.11 a file that no session would see is warned of: ${name}`, async (t) => {
    const text = `${head(name)}files: { f: { source: ./a.txt } }\n${agent('files: [f]')}`
    const found = (await diagnosticsOf(t, text)).filter(({ code }) => code.endsWith('file-without-mount-path'))
    t.strictSame(
      found.map((one) => [one.severity, underlined(one)]),
      [['warning', 'f']],
    )
  })

  t.test(`2.14 2.16 a repository has two names: ${name}`, async (t) => {
    const codes = async (type: string) => {
      const item = `{ type: ${type}, url: "https://git.example/acme/app" }`
      const inAgent = await diagnosticsOf(t, `${head(name)}${agent(`resources: [${item}]`)}`)
      const inDeployment = await diagnosticsOf(t, `${head(name)}${deployment(`      - ${item}\n`)}`)
      return [reportOf(inAgent), reportOf(inDeployment)]
    }
    const spoken = await codes('git_repository')
    t.strictSame(await codes('github_repository'), spoken)
    t.notMatch(spoken.join(), 'unknown-word')
  })

  t.test(`2.7 2.11 2.14 an address that is none is refused: ${name}`, async (t) => {
    const bad = [
      'not a url',
      'ftp://mcp.example/x',
      'https://',
      'https:///x',
      'nope',
      'https://mcp.example/a b',
      '${PART}',
    ]
    const places = (url: string): readonly (readonly [string, string])[] => [
      ['agent.mcp-server-url', agent(`mcp_servers: [{ name: s, url: "${url}" }]`)],
      ['agent.repository-url', agent(`resources: [{ type: git_repository, url: "${url}" }]`)],
      ['deployment.repository-url', deployment(`      - { type: git_repository, url: "${url}" }\n`)],
      [
        'vault.mcp-server-url',
        `vaults: { v: { credentials: [{ name: c, type: static_bearer, access_token: "\${KEY}", mcp_server_url: "${url}" }] } }\n`,
      ],
    ]
    for (const url of bad)
      for (const [code, text] of places(url)) {
        const found = await diagnosticsOf(t, head(name) + text)
        const one = found.find((diagnostic) => diagnostic.code === code)
        t.equal(one?.severity, 'error', `${code} ${url}`)
        t.ok(one?.place, 'it has a place')
        t.notMatch(JSON.stringify(found), 'so-secret', 'the value of a variable is not shown')
        t.notOk(
          found.some(({ code }) => code === 'claude.repository-url'),
          'one mistake is told once',
        )
      }
    for (const url of ['https://mcp.example', 'http://localhost:8080/mcp?x=1', '${WEB}/mcp', '${UNSET}'])
      for (const [code, text] of places(url))
        t.notMatch(reportOf(await diagnosticsOf(t, head(name) + text)).join(), code, url)
  })

  t.test(`2.13 a toolkit of an undeclared server is refused with a suggestion: ${name}`, async (t) => {
    const server = name === 'bailian' ? '{ name: WebSearch }' : '{ name: websearch, url: "https://mcp.example" }'
    const found = await diagnosticsOf(
      t,
      `${head(name)}${agent(`mcp_servers: [${server}], tools: { builtin: [], mcp: [{ type: mcp_toolkit, mcp_server_name: websaerch }] }`)}`,
    )
    const errors = found.filter(({ severity }) => severity === 'error')
    t.equal(errors.length, 1, reportOf(errors).join())
    t.match(errors[0]?.code, /toolkit-without-server$/)
    t.match(errors[0]?.detail, /Did you mean "websearch"\?/i)
    t.equal(errors[0] && underlined(errors[0]), 'websaerch')
  })

  t.test(`2.11 a skill id that is the name of a declared skill is warned of: ${name}`, async (t) => {
    const skill = { 'SKILL.md': '---\nname: review\ndescription: d\n---\n' }
    const text = `${head(name)}skills: { review: { source: ./review } }\n`
    const reported = async (reference: string) =>
      (
        await load(t, `${text}${agent(`skills: [${reference}]`)}`, { files: { review: skill }, environment })
      ).diagnostics
        .filter(({ code }) => code === 'agent.skill-id-is-name')
        .map((one) => [one.severity, underlined(one), one.fix])
    t.match(await reported('{ type: custom, skill_id: review }'), [['warning', 'review', /^Write review alone/]])
    t.strictSame(await reported('{ type: official, skill_id: review }'), [])
    t.strictSame(await reported('{ type: custom, skill_id: skill_1 }'), [])
    t.strictSame(await reported('review'), [])
  })

  t.test(`2.5 fields of an existing environment that are not sent are not refused: ${name}`, async (t) => {
    const external = 'environments: { e: { environment_id: env_1, config: { type: self_hosted } } }\n'
    t.strictSame(reportOf(await diagnosticsOf(t, `${head(name)}${external}`)), [])
  })

  t.test(`2.7 2.9 the same fact has the same severity: ${name}`, async (t) => {
    const bearer = 'name: c, type: static_bearer, access_token: "${KEY}", mcp_server_url: "https://mcp.example"'
    const text = `${head(name)}skills: { review: { source: ./review, description: d } }\nvaults: { v: { credentials: [{ ${bearer}, protocol: sse }] } }\n`
    const skill = { 'SKILL.md': '---\nname: review\ndescription: d\n---\n' }
    const { diagnostics } = await load(t, text, { files: { review: skill }, environment })
    const fields = diagnostics.filter((one) => ['description', 'protocol'].includes(underlined(one) ?? ''))
    t.ok(fields.length > 0)
    t.ok(
      fields.every(({ severity }) => severity === 'note'),
      reportOf(fields).join(),
    )
  })
}

t.test('a key that another tool has for a field gets that field as a suggestion, once', async (t) => {
  const found = await diagnosticsOf(t, `${head('claude')}${agent('skills: [{ type: official, code: pptx }]')}`)
  t.strictSame(reportOf(found), ['declaration.unknown-key 3:70'])
  t.match(found[0]?.detail, 'Did you mean "skill_id"?')
})

t.test('the anonymous names of providers work in capitals, as the specification writes them', async (t) => {
  const text = `version: "1"\nproviders: { P-B: { api_key: "\${KEY}" } }\n${base}agents: { a: { model: { P-B: m }, instructions: x, environment: e, provider: P-B } }\n`
  const { project, diagnostics } = await load(t, text, { environment })
  t.strictSame(reportOf(diagnostics), [])
  t.strictSame([...(project?.providers.keys() ?? [])], ['qoder'])
})

t.test('a name from a variable is reported as written in the file', async (t) => {
  const text = `${head('claude')}${base}${agent('environment: "${STAGE}"')}`
  const { diagnostics } = await load(t, text, { environment: { KEY: 'secret-key', STAGE: 'dev' } })
  t.strictSame(reportOf(diagnostics), ['declaration.unknown-reference 4:56'])
  t.match(diagnostics[0]?.detail, 'There is no "${STAGE}" under environments.')
  t.notMatch(textOf(diagnostics[0] as never), '"dev"')
})

t.test('an archive where a folder is needed is to be unpacked', async (t) => {
  const text = `${head('claude')}skills: { review: { source: ./review.zip } }\n`
  const { diagnostics } = await load(t, text, { files: { 'review.zip': 'PK' }, environment })
  t.strictSame(reportOf(diagnostics), ['source.wrong-kind 3:29'])
  t.match(diagnostics[0]?.fix, 'Unpack the archive')
})
