import t from 'tap'
import { head, load, manual, reportOf, textOf, theOne, underlined } from './subject.js'

const two = 'version: "1"\nproviders:\n  claude: { api_key: "${KEY}" }\n  qoder: { api_key: "${KEY}" }\n'
const plain = 'model: m, instructions: x'

t.test('every name that is used must be declared, and the nearest one is suggested', async (t) => {
  const declared = `environments: { dev: { config: { type: cloud } } }
vaults: { keys: {} }
skills: { review: { source: ./review } }
files: { notes: { source: ./notes.txt } }
memory_stores: { facts: {} }
tunnels: { inner: { tunnel_id: tnl_1 } }
identities: { chen: { external_id: u1 } }
`
  const files = { review: { 'SKILL.md': manual }, 'notes.txt': 'x' }
  const cases: readonly (readonly [title: string, text: string, marks: string, meant: string])[] = [
    ['agent -> environment', `agents: { a: { ${plain}, environment: dve } }`, 'dve', 'dev'],
    ['agent -> vault', `agents: { a: { ${plain}, vault: key } }`, 'key', 'keys'],
    ['agent -> skill', `agents: { a: { ${plain}, skills: [reviw] } }`, 'reviw', 'review'],
    ['agent -> file', `agents: { a: { ${plain}, files: [note] } }`, 'note', 'notes'],
    [
      'agent -> mounted file',
      `agents: { a: { ${plain}, files: [{ file: note, mount_path: n.txt }] } }`,
      'note',
      'notes',
    ],
    ['agent -> memory store', `agents: { a: { ${plain}, memory_stores: [fact] } }`, 'fact', 'facts'],
    [
      'agent -> memory store as a resource',
      `agents: { a: { ${plain}, resources: [{ type: memory_store, memory_store: fact }] } }`,
      'fact',
      'facts',
    ],
    ['agent -> tunnel', `agents: { a: { ${plain}, tunnel: iner } }`, 'iner', 'inner'],
    ['agent -> roster', `agents: { a: { ${plain}, multiagent: { agents: [bb] } }, b: { ${plain} } }`, 'bb', 'b'],
    [
      'deployment -> agent',
      `agents: { a1: { ${plain} } }\ndeployments: { d: { agent: a2, environment: dev, initial_events: [{ type: user.message, content: x }] } }`,
      'a2',
      'a1',
    ],
    [
      'deployment -> environment',
      `agents: { a: { ${plain} } }\ndeployments: { d: { agent: a, environment: dve, initial_events: [{ type: user.message, content: x }] } }`,
      'dve',
      'dev',
    ],
    [
      'deployment -> vault',
      `agents: { a: { ${plain} } }\ndeployments: { d: { agent: a, environment: dev, vaults: [key], initial_events: [{ type: user.message, content: x }] } }`,
      'key',
      'keys',
    ],
    [
      'deployment -> memory store',
      `agents: { a: { ${plain} } }\ndeployments: { d: { agent: a, environment: dev, memory_stores: [fact], initial_events: [{ type: user.message, content: x }] } }`,
      'fact',
      'facts',
    ],
    [
      'deployment -> tunnel',
      `agents: { a: { ${plain} } }\ndeployments: { d: { agent: a, environment: dev, tunnel: iner, initial_events: [{ type: user.message, content: x }] } }`,
      'iner',
      'inner',
    ],
    [
      'channel -> agent',
      'channels: { c: { type: dingtalk, agent: a, identity: chen, credentials: { client_id: "${KEY}", client_secret: "${KEY}" } } }',
      'a',
      'Nothing is declared there',
    ],
    [
      'channel -> identity',
      `agents: { a: { ${plain}, environment: dev, delivery: { qoder: { type: forward } } } }\nchannels: { c: { type: dingtalk, agent: a, identity: cheng, credentials: { client_id: "\${KEY}", client_secret: "\${KEY}" } } }`,
      'cheng',
      'chen',
    ],
    ['defaults.identity', 'defaults: { identity: cheng }', 'cheng', 'chen'],
  ]
  for (const [title, text, marks, meant] of cases) {
    await t.test(title, async (t) => {
      const { project, diagnostics } = await load(t, `${head.replace('claude', 'qoder')}${declared}${text}\n`, {
        files,
      })
      t.equal(project, undefined)
      const unknown = theOne(diagnostics, 'declaration.unknown-reference')
      t.equal(underlined(unknown), marks)
      t.match(textOf(unknown), meant)
    })
  }
})

t.test('a name whose declaration has errors counts as declared', async (t) => {
  const { diagnostics } = await load(
    t,
    `${head}agents: { a: { ${plain}, environment: dev } }\nenvironments: { dev: { confg: {} } }\n`,
  )
  t.strictSame(reportOf(diagnostics), ['declaration.unknown-key 6:24'])
})

t.test('a misspelt key does not hide a name that is not declared', async (t) => {
  const { diagnostics } = await load(t, `${head}agents: { a: { ${plain}, descripton: x, environment: dev } }\n`)
  t.strictSame(
    reportOf(diagnostics).map((line) => line.split(' ')[0]),
    ['declaration.unknown-key', 'declaration.unknown-reference'],
  )
})

t.test('a declaration goes to its pin, else to defaults.provider, else to the only provider', async (t) => {
  const targets = async (text: string) => {
    const { project, diagnostics } = await load(t, text)
    return project?.find('agent', 'a')?.providers ?? reportOf(diagnostics)
  }
  t.strictSame(await targets(`${head}agents: { a: { ${plain} } }\n`), { names: ['claude'], by: 'default' })
  t.strictSame(await targets(`${two}defaults: { provider: qoder }\nagents: { a: { ${plain} } }\n`), {
    names: ['qoder'],
    by: 'default',
  })
  t.strictSame(await targets(`${two}defaults: { provider: qoder }\nagents: { a: { ${plain}, provider: claude } }\n`), {
    names: ['claude'],
    by: 'pin',
  })
  t.strictSame(await targets(`${two}defaults: { provider: all }\nagents: { a: { ${plain} } }\n`), {
    names: ['claude', 'qoder'],
    by: 'default',
  })
})

t.test('several providers without a default are one error', async (t) => {
  const { diagnostics } = await load(
    t,
    `${two}agents:\n  a: { ${plain} }\n  b: { ${plain} }\n  c: { ${plain}, provider: qoder }\n`,
  )
  t.strictSame(reportOf(diagnostics), ['provider.no-target 6:3'])
  t.match(textOf(theOne(diagnostics)), /agent.a and 1 more could go to claude or qoder/)
})

t.test('pins and defaults must name declared providers', async (t) => {
  const cases: readonly (readonly [line: string, told: string, text: RegExp])[] = [
    [`agents: { a: { ${plain}, provider: cluade } }`, 'provider.undeclared 5:53', /Did you mean "claude"/],
    [`agents: { a: { ${plain}, provider: qoder } }`, 'provider.undeclared 5:53', /Add a block for it/],
    [`agents: { a: { ${plain}, provider: all } }`, 'provider.undeclared 5:53', /Only defaults.provider/],
    ['defaults: { provider: cluade }', 'provider.undeclared 5:23', /Did you mean "claude"/],
  ]
  for (const [line, expected, text] of cases) {
    await t.test(line, async (t) => {
      const { diagnostics } = await load(t, `${head}${line}\n`)
      t.strictSame(reportOf(diagnostics), [expected])
      t.match(textOf(theOne(diagnostics)), text)
    })
  }
})

t.test('providers must exist, be known, and be named once', async (t) => {
  const cases: readonly (readonly [text: string, told: readonly string[]])[] = [
    ['version: "1"\n', ['provider.none 1:1']],
    ['version: "1"\nproviders:\n', ['provider.none 2:1']],
    ['version: "1"\nproviders: {}\n', ['provider.none 2:1']],
    ['version: "1"\nproviders: [claude]\n', ['declaration.wrong-type 2:12']],
    ['version: "1"\nproviders: { cladue: { api_key: "${KEY}" } }\n', ['provider.unknown 2:14']],
    [
      'version: "1"\nproviders: { claude: { api_key: "${KEY}" }, p-c: { api_key: "${KEY}" } }\n',
      ['declaration.duplicate-key 2:45'],
    ],
    ['version: "1"\nproviders: { claude: }\n', ['declaration.missing-key 2:14']],
    [
      'version: "1"\nproviders: { claude: { api_key: "${KEY}", auth_token: "${KEY}" } }\n',
      ['declaration.refused-key 2:43'],
    ],
    ['version: "1"\nproviders: { claude: { api_keey: "${KEY}" } }\n', ['declaration.unknown-key 2:24']],
    ['version: "1"\nproviders: { claude: { api_key: "${KEY}", beeta: x } }\n', ['declaration.unknown-key 2:43']],
  ]
  for (const [text, expected] of cases) {
    await t.test(text, async (t) => {
      const { diagnostics } = await load(t, text)
      t.strictSame(reportOf(diagnostics), expected)
    })
  }
})

t.test('references resolve within the target provider', async (t) => {
  const text = `${two}defaults: { provider: claude }
environments:
  dev: { config: { type: cloud } }
  both: { provider: qoder, config: { type: cloud } }
agents:
  a: { ${plain}, provider: qoder, environment: dev }
  b: { ${plain}, provider: qoder, environment: both }
`
  const { diagnostics } = await load(t, text)
  t.strictSame(reportOf(diagnostics), ['declaration.reference-elsewhere 10:65'])
  t.match(textOf(theOne(diagnostics)), /agent.a goes to qoder, but the environment "dev" only to claude/)
})

t.test('a raw remote id demands exactly one target', async (t) => {
  const { diagnostics } = await load(
    t,
    `${two}defaults: { provider: all }\nenvironments: { dev: { environment_id: env_1 } }\n`,
  )
  t.strictSame(reportOf(diagnostics), ['declaration.remote-id-shared 6:17'])
})

t.test('a kind that a provider lacks is an error on a pin or everywhere, and a note on some of all', async (t) => {
  const identity = 'identities: { chen: { external_id: u1 } }\n'
  await t.test('on the only provider', async (t) => {
    const { project, diagnostics } = await load(t, head + identity)
    t.equal(project, undefined)
    t.strictSame(reportOf(diagnostics), ['provider.unsupported 5:15'])
    t.match(theOne(diagnostics), { severity: 'error', address: 'identity.chen', fix: 'Pin the identity to qoder.' })
  })
  await t.test('on a pin', async (t) => {
    const { diagnostics } = await load(
      t,
      `${two}defaults: { provider: all }\nidentities: { chen: { external_id: u1, provider: claude } }\n`,
    )
    t.strictSame(reportOf(diagnostics), ['provider.unsupported 6:15'])
  })
  await t.test('on some of all', async (t) => {
    const { project, diagnostics } = await load(t, `${two}defaults: { provider: all }\n${identity}`)
    t.ok(project)
    t.strictSame(reportOf(diagnostics), ['provider.partly-unsupported 6:15'])
    t.match(theOne(diagnostics), { severity: 'note', detail: /Claude.* has no identities/ })
  })
})

t.test('findings of provider rules have their place and full address', async (t) => {
  const text = `${two}defaults: { provider: all }\nenvironments:\n  dev:\n    config:\n      type: cloud\n      setup_script: echo\n`
  const { diagnostics } = await load(t, text)
  t.match(theOne(diagnostics), {
    code: 'claude.environment-setup-script',
    address: 'claude.environment.dev',
    place: { line: 10 },
  })
})

t.test('a declaration can be found again by later stages', async (t) => {
  const { source } = await load(
    t,
    `${head}agents:\n  a:\n    ${plain.replace(', ', '\n    ')}\n    skills: [{ type: official, skill_id: pdf }]\n`,
  )
  t.match(source?.place({ kind: 'agent', name: 'a' }), { line: 6, column: 3, length: 1 })
  t.match(source?.place({ kind: 'agent', name: 'a' }, ['skills', 0, 'skill_id']), { line: 9, column: 42, length: 3 })
  t.match(source?.place({ kind: 'agent', name: 'a' }, ['skills', 0, 'skill_id'], true), {
    line: 9,
    column: 32,
    length: 8,
  })
  t.match(
    source?.place({ kind: 'agent', name: 'a' }, ['description']),
    { line: 7 },
    'the place of a missing value is its closest parent',
  )
  t.equal(source?.place({ kind: 'agent', name: 'b' }), undefined)
})
