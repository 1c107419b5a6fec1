// Rules of the agent configuration that `agents validate`, `init` and `import` enforce, on every provider they apply to.
// Limits and refusals are in limits.test.ts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from '../cli/emulator.js'
import { agentsHere } from '../cli/in-process.js'
import { scratchFolder } from '../cli/scratch.js'
import { fileFor, type ProviderName, providers, type Report, validate } from './validated.js'

const codes = (diagnostics: readonly Report[]) => diagnostics.map(({ code }) => code)

const deployment = (members: string, { before = '', events = '{ type: user.message, content: Tidy up. }' } = {}) =>
  `${before}environments: { base: { config: { type: cloud } } }\n` +
  'agents: { helper: { model: auto, instructions: Be brief., environment: base } }\n' +
  `deployments:\n  nightly:\n    agent: helper\n    initial_events: [${events}]\n    ${members}\n`

const roster = (member: string) =>
  'agents:\n' +
  `  lead: { model: auto, instructions: Delegate., multiagent: { type: coordinator, agents: [${member}] } }\n` +
  '  writer: { model: auto, instructions: Write. }\n'

t.test(
  '1.1 variables are read from the environment, else from the nearest .env up to the root of the repository',
  async (t) => {
    const root = scratchFolder(t)
    const folder = join(root, 'team/agents')
    mkdirSync(folder, { recursive: true })
    mkdirSync(join(root, '.git'))
    writeFileSync(
      join(folder, 'agents.yaml'),
      fileFor('qoder', 'agents: { "${NAME}": {} }\n').replace('${KEY}', '${TOKEN}'),
    )
    const unset = async (env: Readonly<Record<string, string>> = {}) =>
      (await agentsHere(['validate'], { folder, env })).stdout.includes('variable.unset')
    t.equal(await unset(), true)
    writeFileSync(join(root, '.env'), 'TOKEN=far\n')
    t.equal(await unset(), false, 'found at the root of the repository')
    writeFileSync(join(root, 'team/.env'), 'OTHER=near\n')
    t.equal(await unset(), true, 'a nearer file replaces the other')
    t.equal(await unset({ TOKEN: 'exported' }), false, 'the environment is read as well')
  },
)

t.test('1.1 init adds secrets and state to .gitignore', async (t) => {
  const folder = scratchFolder(t)
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  t.equal((await agentsHere(['init', '--yes', '--provider', 'qoder'], { folder })).code, 0)
  const ignored = readFileSync(join(folder, '.gitignore'), 'utf8').split('\n')
  t.match(ignored, ['node_modules'])
  t.ok(ignored.includes('.env'))
  t.ok(ignored.some((line) => /^agents\.state/.test(line)))
})

t.test('2.1 a pin overrides the default target, and all means every declared provider', async (t) => {
  const both = (rest: string) =>
    `version: "1"\nproviders: { qoder: { api_key: "\${KEY}" }, claude: { api_key: "\${KEY}" } }\n${rest}`
  const tunnel = 'tunnels: { office: { tunnel_id: tun_1 } }\n'
  t.same(codes((await validate(t, both(tunnel))).diagnostics), ['provider.no-target'])
  t.same(codes((await validate(t, both(`defaults: { provider: qoder }\n${tunnel}`))).diagnostics), [])
  const everywhere = await validate(t, both(`defaults: { provider: all }\n${tunnel}`))
  t.equal(everywhere.isValid, false, 'an id exists on one provider only')
  const pinned = 'tunnels: { office: { provider: qoder, tunnel_id: tun_1 } }\n'
  t.same(codes((await validate(t, both(`defaults: { provider: claude }\n${pinned}`))).diagnostics), [])
  t.same(codes((await validate(t, both(`defaults: { provider: ark }\n${pinned}`))).diagnostics), [
    'provider.undeclared',
  ])
})

const memberMistakes = {
  'a version of a member': '{ agent_id: agent_1, version: 3 }',
  'a member that is the coordinator': '{ type: self }',
  'an advisor': '{ agent_id: agent_1, role: advisor }',
  'an external template': '{ template_id: tpl_1 }',
}
for (const provider of providers) {
  t.test(`2.15.1 2.15.6 2.15.9 members are names or ids without further fields (${provider})`, async (t) => {
    for (const member of ['writer', '{ agent_id: agent_1 }']) {
      const { isValid, diagnostics } = await validate(t, fileFor(provider, roster(member)))
      t.ok(isValid, member, { diagnostics })
    }
    for (const [what, member] of Object.entries(memberMistakes)) {
      const { isValid, diagnostics } = await validate(t, fileFor(provider, roster(member)))
      t.equal(isValid, false, what)
      t.ok(codes(diagnostics).includes('declaration.unknown-key'), what, { diagnostics })
    }
    const threads = await validate(t, fileFor(provider, roster('writer').replace('type: coordinator', 'threads: 2')))
    t.match(threads.diagnostics, [{ code: 'declaration.unknown-key' }])
    const unknown = await validate(t, fileFor(provider, roster('writr')))
    t.match(unknown.diagnostics, [{ code: 'declaration.unknown-reference', detail: /Did you mean "writer"\?/ }])
  })
}

t.test('2.15.8 only the instructions of the members assign files to them', async (t) => {
  const body =
    'agents:\n  lead: { model: auto, instructions: Delegate., multiagent: { agents: [writer, editor] } }\n' +
    '  writer: { model: auto, instructions: You alone change draft.md. }\n' +
    '  editor: { model: auto, instructions: You alone change notes.md. }\n'
  t.same((await validate(t, fileFor('bailian', body))).diagnostics, [])
  const { diagnostics } = await validate(
    t,
    fileFor('bailian', body.replace('notes.md.', 'notes.md., owns: [notes.md]')),
  )
  t.match(diagnostics, [{ code: 'declaration.unknown-key', place: { file: 'agents.yaml', line: 7 } }])
})

/** Code with which each provider refuses variables of a deployment; absent = accepted. */
const variables: Readonly<Record<string, Partial<Record<ProviderName, string>>>> = {
  '{ MODE: quiet }': { claude: 'claude.deployment-foreign-field', ark: 'ark.deployment-environment-variables' },
  '{}': { claude: 'claude.deployment-foreign-field', ark: 'ark.deployment-environment-variables' },
  '{ PATHS: "/bin;/usr/bin" }': {
    qoder: 'qoder.deployment-environment-variable',
    claude: 'claude.deployment-foreign-field',
    ark: 'ark.deployment-environment-variables',
  },
  '{ "A;B": x }': {
    qoder: 'qoder.deployment-environment-variable',
    claude: 'claude.deployment-foreign-field',
    ark: 'ark.deployment-environment-variables',
  },
  '{ "A=B": x }': {
    qoder: 'qoder.deployment-environment-variable',
    claude: 'claude.deployment-foreign-field',
    ark: 'ark.deployment-environment-variables',
  },
  '{ __proto__: x }': {
    bailian: 'bailian.deployment-variable-name',
    claude: 'claude.deployment-foreign-field',
    ark: 'ark.deployment-environment-variables',
  },
  '{ EQUATION: "a=b" }': { claude: 'claude.deployment-foreign-field', ark: 'ark.deployment-environment-variables' },
}
for (const provider of providers) {
  t.test(
    `2.16 environment variables of a deployment that the provider does not support are refused (${provider})`,
    async (t) => {
      for (const [written, codeByProvider] of Object.entries(variables)) {
        const { isValid, diagnostics } = await validate(
          t,
          fileFor(provider, deployment(`environment_variables: ${written}`)),
        )
        const code = codeByProvider[provider]
        t.equal(isValid, code === undefined, written, { diagnostics })
        if (code !== undefined) t.ok(codes(diagnostics).includes(code), `${written}: ${code}`, { diagnostics })
      }
      const { diagnostics } = await validate(t, fileFor(provider, deployment('environment_variables: { PORT: 8080 }')))
      t.match(
        diagnostics.find(({ code }) => code === 'declaration.wrong-type'),
        { fix: 'Quote it: "8080".' },
      )
    },
  )
}

t.test(
  '2.11 variables of an agent must be expressible as KEY=VALUE;KEY=VALUE, and only qoder supports them',
  async (t) => {
    const body = (written: string) =>
      `agents: { helper: { model: auto, instructions: Be brief., environment_variables: ${written} } }\n`
    for (const provider of providers) {
      const { isValid } = await validate(t, fileFor(provider, body('{ MODE: quiet }')))
      t.equal(isValid, provider === 'qoder', provider)
    }
    for (const written of ['{ A: "x;y" }', '{ "A=B": x }', '{ "A;B": x }', '{ "": x }']) {
      const { diagnostics } = await validate(t, fileFor('qoder', body(written)))
      t.same(codes(diagnostics), ['qoder.agent-environment-variable'], written)
    }
  },
)

/** Code and severity, or nothing. */
const tunnels: Readonly<Record<ProviderName, string>> = {
  bailian: 'error bailian.deployment-tunnel',
  qoder: 'warning qoder.deployment-tunnel-dropped',
  claude: 'error claude.deployment-foreign-field',
  ark: 'error ark.deployment-tunnel',
}
const repositories: Readonly<Record<ProviderName, string | undefined>> = {
  bailian: 'warning bailian.deployment-repository',
  qoder: undefined,
  claude: undefined,
  ark: 'error ark.deployment-git-repository',
}
for (const provider of providers) {
  t.test(`2.6 2.16 tunnels and repositories of a deployment are sent, ignored or refused (${provider})`, async (t) => {
    const reported = async (body: string) => {
      const { diagnostics } = await validate(t, fileFor(provider, body))
      return diagnostics.map(({ severity, code }) => `${severity} ${code}`)
    }
    const before = 'tunnels: { office: { tunnel_id: tun_1 } }\n'
    t.ok((await reported(deployment('tunnel: office', { before }))).includes(tunnels[provider]))
    const repository = await reported(
      deployment('resources: [{ type: git_repository, url: "https://example.com/app.git" }]'),
    )
    t.same(repository, repositories[provider] === undefined ? [] : [repositories[provider]])
  })

  t.test(`2.16 an outcome has one rubric, and a file one origin (${provider})`, async (t) => {
    const outcome = (rubric: string) =>
      deployment('description: Nightly.', {
        events: `{ type: user.message, content: Go. }, { type: user.define_outcome, description: Tidy.${rubric} }`,
      })
    const file = (origin: string) => deployment(`resources: [{ type: file, mount_path: a.md${origin} }]`)
    const files = { 'handbook.md': 'Be kind.\n' }
    const cases = {
      'deployment.outcome-rubric': {
        right: [', rubric: Tidy.', ', rubric_file: ./handbook.md'].map(outcome),
        wrong: ['', ', rubric: Tidy., rubric_file: ./handbook.md'].map(outcome),
      },
      'deployment.file-source': {
        right: [', source: ./handbook.md', ', file_id: file_1'].map(file),
        wrong: ['', ', source: ./handbook.md, file_id: file_1'].map(file),
      },
      'source.missing': {
        right: [],
        wrong: [outcome(', rubric_file: ./handbok.md'), file(', source: ./handbok.md')],
      },
    }
    for (const [code, { right, wrong }] of Object.entries(cases)) {
      for (const body of right) t.ok((await validate(t, fileFor(provider, body), files)).isValid, body)
      for (const body of wrong) {
        const { diagnostics } = await validate(t, fileFor(provider, body), files)
        t.ok(codes(diagnostics).includes(code), code, { diagnostics })
      }
    }
  })

  t.test(`9.1 a deployment may pin a version of its agent, which is a whole number (${provider})`, async (t) => {
    t.ok((await validate(t, fileFor(provider, deployment('agent_version: 3')))).isValid)
    for (const [version, code] of [
      ['0', 'declaration.invalid-value'],
      ['1.5', 'declaration.wrong-type'],
      ['"3"', 'declaration.wrong-type'],
    ] as const) {
      const { diagnostics } = await validate(t, fileFor(provider, deployment(`agent_version: ${version}`)))
      t.ok(codes(diagnostics).includes(code), version, { diagnostics })
    }
  })
}

const blocks: Readonly<Record<ProviderName, { readonly right: readonly string[]; readonly missing: string }>> = {
  bailian: {
    right: ['api_key: "${KEY}", workspace_id: ws', 'api_key: "${KEY}", workspace_id: ws, base_url: "https://x.test"'],
    missing: 'api_key: "${KEY}"',
  },
  qoder: {
    right: ['api_key: "${KEY}"', 'api_key: "${KEY}", gateway: "https://x.test/api/v1/cloud"'],
    missing: 'gateway: "https://x.test"',
  },
  claude: { right: ['api_key: "${KEY}"', 'api_key: "${KEY}", beta: agents-1'], missing: 'beta: agents-1' },
  ark: { right: ['api_key: "${KEY}"'], missing: 'base_url: "https://x.test"' },
}
for (const provider of providers) {
  t.test(`5.1 the block of a provider is checked against its own schema (${provider})`, async (t) => {
    const { right, missing } = blocks[provider]
    const file = (block: string) => `version: "1"\nproviders: { ${provider}: { ${block} } }\n`
    for (const block of right) t.same((await validate(t, file(block))).diagnostics, [], block)
    t.same(codes((await validate(t, file(missing))).diagnostics), ['declaration.missing-key'])
    const { diagnostics } = await validate(t, file(`${right[0]}, apikey: x`))
    t.match(diagnostics, [{ code: 'declaration.unknown-key', detail: /Did you mean "api_key"\?/ }])
  })

  t.test(`5.2 a secret in the file gets a warning, and is not shown (${provider})`, async (t) => {
    const [first = ''] = blocks[provider].right
    const file = `version: "1"\nproviders: { ${provider}: { ${first.replace('"${KEY}"', 'hunter2hunter2')} } }\n`
    const { isValid, diagnostics } = await validate(t, file)
    t.equal(isValid, true)
    t.match(diagnostics, [{ code: 'declaration.literal-secret', severity: 'warning', fix: /\$\{NAME\}/ }])
    t.notMatch(JSON.stringify(diagnostics), 'hunter2')
  })
}

t.test('8.2 the duration of a setup script is limited by the provider, so a slow one is valid', async (t) => {
  for (const seconds of [599, 601]) {
    const body = `environments: { base: { config: { type: cloud, setup_script: sleep ${seconds} } } }\n`
    t.same((await validate(t, fileFor('qoder', body))).diagnostics, [])
  }
})

t.test('9.1 the version of the file is the text 1', async (t) => {
  const file = (line: string) => `${line}providers: { qoder: { api_key: "\${KEY}" } }\n`
  t.same((await validate(t, file('version: "1"\n'))).diagnostics, [])
  t.match((await validate(t, file('version: 1\n'))).diagnostics, [
    { code: 'declaration.version', fix: 'Quote it: version: "1".' },
  ])
  t.match((await validate(t, file('version: "2"\n'))).diagnostics, [{ code: 'declaration.version' }])
  t.match((await validate(t, file(''))).diagnostics, [{ code: 'declaration.missing-key', fix: /version: "1"/ }])
})

t.test(
  '2.8.P2 7.8 an import of a memory store checks that it exists, is active and unbound, and writes nothing into it',
  async (t) => {
    const folder = scratchFolder(t)
    const { url, env, requests } = await emulate(t)
    const api = async (path: string, body: unknown) => {
      const response = await fetch(`${url}/bailian/api/v1/agentstudio${path}`, {
        method: 'POST',
        headers: { authorization: 'Bearer emulator', 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const answer = (await response.json()) as { readonly id: string } // As the emulator answers.
      t.equal(response.status, 200, path)
      return answer.id
    }
    const [active, archived] = [
      await api('/memory_stores', { name: 'one' }),
      await api('/memory_stores', { name: 'two' }),
    ]
    await api(`/memory_stores/${archived}/archive`, {})
    writeFileSync(
      join(folder, 'agents.yaml'),
      fileFor('bailian', 'memory_stores:\n  one: { entries: [{ key: tone.md, content: Be kind. }] }\n  two: {}\n'),
    )
    const bind = (name: string, id: string) =>
      agentsHere(['import', `bailian.memory_store.${name}`, id], { folder, env: { ...env, KEY: 'emulator' } })
    t.match((await bind('one', 'memstore_nowhere')).stderr, '[import.not-found]')
    t.match((await bind('two', archived)).stderr, '[import.not-found]')
    const before = (await requests()).length
    t.equal((await bind('one', active)).code, 0)
    const entries = (await requests())
      .slice(before)
      .filter(({ method, path }) => method !== 'GET' && /memories/.test(path))
    t.same(entries, [], 'initial entries are for new stores')
    t.match((await bind('two', active)).stderr, '[import.id-taken]')
  },
)
