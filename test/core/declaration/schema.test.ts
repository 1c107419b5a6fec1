import t from 'tap'
import { head, load, reportOf, textOf, theOne, underlined } from './subject.js'

const agent = '  a:\n    model: m\n    instructions: Help.\n'

interface Case {
  readonly title: string
  /** Follows the head of four lines. */
  readonly text: string
  readonly told: readonly string[]
  readonly marks?: string
  readonly says?: RegExp
}

const cases: readonly Case[] = [
  {
    title: 'a misspelt section',
    text: 'agnets:\n  a: {}\n',
    told: ['declaration.unknown-key 5:1'],
    marks: 'agnets',
    says: /Did you mean "agents"/,
  },
  {
    title: 'a misspelt key of defaults',
    text: 'defaults:\n  identty: x\n',
    told: ['declaration.unknown-key 6:3'],
    says: /Did you mean "identity"/,
  },
  {
    title: 'a misspelt key of a declaration',
    text: `agents:\n${agent}    enviroment: dev\n`,
    told: ['declaration.unknown-key 9:5'],
    says: /Did you mean "environment"/,
  },
  {
    title: 'a misspelt key deep inside',
    text: `agents:\n${agent}    tools: { builtin: [read], permision: {} }\n`,
    told: ['declaration.unknown-key 9:31'],
    says: /Did you mean "permissions"/,
  },
  {
    title: 'a key that resembles nothing',
    text: `agents:\n${agent}    tools: { builtin: [], zebra: 1 }\n`,
    told: ['declaration.unknown-key 9:27'],
    says: /Use builtin, default_permission, permissions, limits, custom or mcp/,
  },
  {
    title: 'keys in lists',
    text: `agents:\n${agent}    mcp_servers:\n      - { name: a, uri: x, url: "https://x" }\n`,
    told: ['declaration.unknown-key 10:20'],
    says: /Did you mean "url"/,
  },
  {
    title: 'missing keys, all of them',
    text: 'agents:\n  a: {}\n',
    told: ['declaration.missing-key 6:3', 'declaration.missing-key 6:3'],
    marks: 'a',
    says: /"model" is required/,
  },
  {
    title: 'a declaration without a value',
    text: 'agents:\n  a:\n',
    told: ['declaration.missing-key 6:3', 'declaration.missing-key 6:3'],
  },
  {
    title: 'a key without a value',
    text: `agents:\n${agent}    description:\n`,
    told: ['declaration.no-value 9:5'],
    marks: 'description',
  },
  {
    title: 'a number for a text',
    text: `agents:\n${agent}    description: 5\n`,
    told: ['declaration.wrong-type 9:18'],
    says: /Quote it: "5"/,
  },
  {
    title: 'a truth value in metadata',
    text: `agents:\n${agent}    metadata: { a: true }\n`,
    told: ['declaration.wrong-type 9:20'],
    says: /Quote it: "true"/,
  },
  {
    title: 'a text for a list',
    text: `agents:\n${agent}    skills: review\n`,
    told: ['declaration.wrong-type 9:13'],
    says: /A list is expected/,
  },
  {
    title: 'a text for a truth value',
    text: 'identities:\n  a: { external_id: x, enabled: "yes" }\n',
    told: ['declaration.wrong-type 6:33'],
    says: /truth value/,
  },
  {
    title: 'a list for a section',
    text: 'agents:\n  - a\n',
    told: ['declaration.wrong-type 6:3'],
    says: /map from name to agent/,
  },
  {
    title: 'an unknown word',
    text: 'environments:\n  dev: { config: { type: clowd } }\n',
    told: ['declaration.unknown-word 6:26'],
    marks: 'clowd',
    says: /Did you mean "cloud"/,
  },
  {
    title: 'an empty text',
    text: 'agents:\n  a:\n    model: ""\n    instructions: x\n',
    told: ['declaration.invalid-value 7:12'],
    says: /empty/,
  },
  {
    title: 'a short commit hash',
    text: `agents:\n${agent}    resources:\n      - { type: git_repository, url: u, checkout: { commit: abc123 } }\n`,
    told: ['declaration.invalid-value 10:61'],
    says: /full commit hash/,
  },
  {
    title: 'a branch and a commit',
    text: `agents:\n${agent}    resources:\n      - { type: git_repository, url: u, checkout: { branch: a, commit: ${'a'.repeat(40)} } }\n`,
    told: ['declaration.invalid-value 10:51'],
    says: /exactly one of branch or commit/,
  },
  {
    title: '2.14 a mount path of a memory store',
    text: `agents:\n${agent}    resources:\n      - { type: memory_store, memory_store: kb, mount_path: /x }\nmemory_stores: { kb: {} }\n`,
    told: ['declaration.refused-key 10:49'],
    says: /server chooses/,
  },
  {
    title: 'a name with a blank at its end',
    text: `agents:\n  "a ":\n    model: m\n    instructions: x\n`,
    told: ['declaration.invalid-name 6:3'],
  },
  {
    title: 'a name of many characters',
    text: `agents:\n  ${'a'.repeat(129)}:\n    model: m\n    instructions: x\n`,
    told: ['declaration.invalid-name 6:3'],
  },
]

t.test('a value that violates its schema is reported at its place, with a suggestion', async (t) => {
  for (const { title, text, told: expected, marks, says } of cases) {
    await t.test(title, async (t) => {
      const { project, diagnostics } = await load(t, head + text)
      t.strictSame(reportOf(diagnostics), expected)
      t.equal(project === undefined, expected.length > 0)
      const [first] = diagnostics
      if (marks !== undefined && first) t.equal(underlined(first), marks)
      if (says && first) t.match(textOf(first), says)
    })
  }
})

t.test('an error in a union is explained by the branch that was probably meant', async (t) => {
  const unions: readonly Case[] = [
    {
      title: 'by its type',
      text: 'vaults:\n  v:\n    credentials:\n      - { name: a, type: static_bearer, access_token: "${KEY}" }\n',
      told: ['declaration.missing-key 8:9'],
      says: /"mcp_server_url" is required/,
    },
    {
      title: 'an unknown type',
      text: 'vaults:\n  v:\n    credentials:\n      - { name: a, type: static_bearr }\n',
      told: ['declaration.unknown-word 8:26'],
      says: /Did you mean "static_bearer"/,
    },
    {
      title: 'no type',
      text: 'vaults:\n  v:\n    credentials:\n      - { name: a }\n',
      told: ['declaration.missing-key 8:9'],
      says: /static_bearer, environment_variable or mcp_oauth/,
    },
    {
      title: 'text or map, given a list',
      text: 'agents:\n  a:\n    model: [m]\n    instructions: x\n',
      told: ['declaration.wrong-type 7:12'],
      says: /Text or map is expected here, but this is a list/,
    },
    {
      title: 'text or map, given a wrong map',
      text: `agents:\n${agent}    skills: [{ type: official }]\n`,
      told: ['declaration.missing-key 9:14'],
      says: /skill_id/,
    },
    {
      title: 'text or list of blocks',
      text: 'deployments:\n  d:\n    agent: a\n    initial_events: [{ type: user.message, content: [{ type: text, txt: x }] }]\n',
      told: ['declaration.unknown-key 8:68'],
    },
    {
      title: 'one of three by type',
      text: 'deployments:\n  d:\n    agent: a\n    initial_events: [{ type: user.define_outcome, rubric: { type: txt } }]\n',
      told: ['declaration.unknown-word 8:67'],
      says: /text or file/,
    },
  ]
  for (const { title, text, told: expected, says } of unions) {
    await t.test(title, async (t) => {
      const { diagnostics } = await load(t, head + text)
      t.strictSame(reportOf(diagnostics), expected)
      if (says && diagnostics[0]) t.match(textOf(diagnostics[0]), says)
    })
  }
})

t.test('all problems of a file are reported at once, in the order of the file', async (t) => {
  const text = `version: 1
providers:
  cluade: { api_key: x }
  claude: { api_kee: x }
agents:
  a: { modl: x, instructions: ./nowhere.md }
  b: { model: m, instructions: x, environment: dve }
environments:
  dev: { config: { type: cloud, networkin: {} } }
`
  const { diagnostics } = await load(t, text)
  t.strictSame(reportOf(diagnostics), [
    'declaration.version 1:10',
    'provider.unknown 3:3',
    'declaration.unknown-key 4:13',
    'declaration.unknown-key 6:8',
    'source.missing 6:31',
    'declaration.unknown-reference 7:48',
    'declaration.unknown-key 9:33',
  ])
})

t.test('rules judge what another fault of a declaration leaves whole, and nothing that follows from it', async (t) => {
  const twice = 'tools: { builtin: [read, Read] }'
  const toolkit = 'tools: { builtin: [], mcp: [{ type: mcp_toolkit, mcp_server_name: docs }] }'
  const text = `version: "1"
providers: { claude: { api_key: "\${KEY}" } }
agents:
  a: { model: m, instructions: x, zzz: 1, ${twice} }
  b: { model: m, instructions: ./nowhere.md, ${twice} }
  "c ": { model: m, instructions: x, ${twice} }
  e: { model: m, instructions: x, provider: nobody, ${twice} }
  f: { model: m, instructions: x, mcp_server: [{ name: docs, url: "https://a.example" }], ${toolkit} }
`
  const { project, diagnostics } = await load(t, text)
  t.equal(project, undefined)
  t.strictSame(
    diagnostics.map(({ code, place }) => `${code} ${place?.line}`),
    [
      'declaration.unknown-key 4',
      'agent.tool-repeated 4',
      'source.missing 5',
      'agent.tool-repeated 5',
      'declaration.invalid-name 6',
      'agent.tool-repeated 6',
      'provider.undeclared 7',
      'agent.tool-repeated 7',
      'declaration.unknown-key 8',
    ],
  )
})

t.test('twenty unknown keys are twenty problems', async (t) => {
  const keys = Array.from({ length: 20 }, (_, index) => `    zz${index}: 1\n`).join('')
  const { diagnostics } = await load(t, `${head}agents:\n${agent}${keys}`)
  t.equal(diagnostics.length, 20)
})

t.test('problems above the limit are counted only', async (t) => {
  const keys = Array.from({ length: 700 }, (_, index) => `    zz${index}: 1\n`).join('')
  const { diagnostics } = await load(t, `${head}agents:\n${agent}${keys}`)
  t.equal(diagnostics.at(-1)?.code, 'declaration.more')
  t.match(diagnostics.at(-1)?.detail, /^200 more/)
})

t.test('aliases become canonical spellings', async (t) => {
  await t.test('2.13 aliases of keys', async (t) => {
    const text = `${head}agents:\n${agent}    mcp_servers: [{ name: s, url: "https://s" }]\n    tools:\n      builtin: [read]\n      mcp: [{ type: mcp_toolkit, mcpServerName: s, defaultConfig: { enabled: true } }]\n`
    const { project, diagnostics } = await load(t, text)
    t.strictSame(reportOf(diagnostics), [])
    t.match(project?.declarations[0]?.body, {
      tools: { mcp: [{ type: 'mcp_toolkit', mcp_server_name: 's', default_config: { enabled: true } }] },
    })
  })
  await t.test('both spellings at once', async (t) => {
    const text = `${head}agents:\n${agent}    tools: { builtin: [], mcp: [{ type: mcp_toolkit, mcpServerName: s, mcp_server_name: s }] }\n`
    const { diagnostics } = await load(t, text)
    t.equal(reportOf(diagnostics)[0], 'declaration.duplicate-key 9:72')
  })
  await t.test('an error inside an alias is reported where it is written', async (t) => {
    const text = `${head}agents:\n${agent}    tools: { builtin: [], mcp: [{ type: mcp_toolkit, mcpServerName: "", defaultConfig: { enabld: true } }] }\n`
    const { diagnostics } = await load(t, text)
    t.strictSame(reportOf(diagnostics), ['declaration.invalid-value 9:69', 'declaration.unknown-key 9:90'])
  })
  await t.test('names of providers, as keys and as values', async (t) => {
    const text = `version: "1"
providers:
  p-c: { api_key: "\${KEY}" }
  p-b: { api_key: "\${KEY}" }
defaults: { provider: p-c }
environments: { dev: { config: { type: cloud } }, fwd: { provider: p-b, config: { type: cloud } } }
agents:
  a: { model: { p-c: m, qoder: n }, instructions: x, environment: dev }
  b: { model: { p-b: m }, instructions: x, provider: p-b, environment: fwd, delivery: { p-b: { type: forward } } }
`
    const { project, diagnostics } = await load(t, text)
    t.strictSame(reportOf(diagnostics), [])
    t.strictSame([...(project?.providers.keys() ?? [])], ['claude', 'qoder'])
    t.strictSame(project?.find('agent', 'a')?.body['model'], { claude: 'm', qoder: 'n' })
    t.match(project?.find('agent', 'b'), {
      body: { provider: 'qoder', delivery: { qoder: { type: 'forward' } } },
      providers: { names: ['qoder'], by: 'pin' },
    })
  })
  await t.test('an unknown provider as a key', async (t) => {
    const { diagnostics } = await load(
      t,
      `${head}agents:\n  a:\n    model: { cluade: m, claude: m }\n    instructions: x\n`,
    )
    t.strictSame(reportOf(diagnostics), ['provider.unknown 7:14'])
    t.match(textOf(theOne(diagnostics)), /Did you mean "claude"/)
  })
  await t.test('words of the specification', async (t) => {
    const text = `${head.replace('claude', 'qoder')}defaults: { identity: i }
identities: { i: { external_id: u1 } }
environments: { dev: { config: { type: cloud } } }
agents:
  a: { model: m, instructions: x, environment: dev, delivery: { qoder: { type: forward } } }
  b: { model: m, instructions: x, resources: [{ type: github_repository, url: "https://github.com/a/b" }] }
channels:
  c: { agent: a, type: im_type_a, credentials: { client_id: "\${KEY}", client_secret: "\${KEY}" } }
`
    const { project, diagnostics } = await load(t, text)
    t.strictSame(reportOf(diagnostics), [])
    t.equal(project?.find('channel', 'c')?.body['type'], 'dingtalk')
    t.match(project?.find('agent', 'b')?.body, { resources: [{ type: 'git_repository' }] })
  })
})

t.test('the key __proto__ is a key like any other', async (t) => {
  const { project } = await load(t, `${head}agents:\n${agent}    metadata: { __proto__: evil, a: b }\n`)
  t.strictSame(Object.entries(project?.declarations[0]?.body['metadata'] ?? {}), [
    ['__proto__', 'evil'],
    ['a', 'b'],
  ])
  t.equal(Object.getPrototypeOf(project?.declarations[0]?.body['metadata']), Object.prototype)
})

t.test('sections may be empty, top-level x- keys are ignored, and JSON values keep their types', async (t) => {
  const text = `${head}x-anything: [1, { a: b }]\nskills:\nmemory_stores:\n  m:\n    metadata: { n: 1, b: true, l: [1, x], o: { a: null } }\n`
  const { project, diagnostics } = await load(
    t,
    text.replace('claude', 'bailian').replace('api_key: ${KEY}', 'api_key: ${KEY}\n    workspace_id: w'),
  )
  t.strictSame(reportOf(diagnostics), [])
  t.strictSame(project?.declarations[0]?.body['metadata'], { n: 1, b: true, l: [1, 'x'], o: { a: null } })
})
