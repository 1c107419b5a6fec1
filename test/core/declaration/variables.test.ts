import t from 'tap'
import { declarationLimits } from '../../../core/declaration/limits.js'
import { refuseUnset } from '../../../core/declaration/unset.js'
import { Problem } from '../../../core/diagnostic.js'
import { expand, placeholdersIn } from '../../../core/value/placeholder.js'
import { head, load, reportOf, textOf, theOne } from './subject.js'

const agentWith = (lines: string) => `${head}agents:\n  a:\n    model: m\n    instructions: Help.\n${lines}`

t.test('free text keeps a variable as a placeholder, so that the sender recognises it', async (t) => {
  const { project } = await load(t, agentWith('    description: from ${CITY}, ${CITY:-nowhere}\n'), {
    environment: { KEY: 'k', CITY: 'Oslo' },
  })
  const description = project?.declarations[0]?.body['description'] ?? null
  t.strictSame(placeholdersIn(description), [
    { type: 'variable', name: 'CITY', fallback: undefined },
    { type: 'variable', name: 'CITY', fallback: 'nowhere' },
  ])
  t.equal(
    expand(description, (found) => (found.type === 'variable' ? project?.variables.value(found.name) : undefined)),
    'from Oslo, Oslo',
  )
})

t.test('variables in names, models, providers, paths and enumerated words are inserted while reading', async (t) => {
  const text = `${head}defaults:
  provider: \${WHERE}
environments:
  dev:
    config: { type: "\${TYPE:-cloud}" }
agents:
  a:
    model: \${MODEL:-small}
    instructions: \${FOLDER}/prompt.md
    environment: \${ENV_NAME}
`
  const environment = { KEY: 'k', WHERE: 'p-c', MODEL: 'large', FOLDER: './texts', ENV_NAME: 'dev' }
  const { project, diagnostics } = await load(t, text, {
    environment,
    files: { texts: { 'prompt.md': 'From ${A} file.' } },
  })
  t.strictSame(reportOf(diagnostics), [])
  t.strictSame(project?.find('environment', 'dev')?.body, { config: { type: 'cloud' } })
  const agent = project?.find('agent', 'a')
  t.strictSame(
    agent?.body,
    { model: 'large', instructions: 'From ${A} file.', environment: 'dev' },
    'texts of files are not substituted',
  )
  t.strictSame(agent?.providers, { names: ['claude'], by: 'default' })
  t.strictSame([...(agent?.sources.keys() ?? [])], ['./texts/prompt.md'])
})

t.test('$${ is a literal, and a value is always text', async (t) => {
  const { project, diagnostics } = await load(t, agentWith('    metadata: { a: "$${X}", port: "${PORT}" }\n'), {
    environment: { KEY: 'k', PORT: '8080' },
  })
  t.strictSame(reportOf(diagnostics), [])
  const metadata = project?.declarations[0]?.body['metadata'] ?? null
  t.strictSame(
    expand(metadata, () => '8080'),
    { a: '${X}', port: '8080' },
  )
})

t.test('a variable never becomes a number or a truth value', async (t) => {
  const { diagnostics } = await load(
    t,
    `${head}deployments:\n  d:\n    agent: a\n    agent_version: \${N}\n    initial_events: [{ type: user.message, content: hi }]\nagents:\n  a:\n    model: m\n    instructions: x\n`,
    {
      environment: { KEY: 'k', N: '3' },
    },
  )
  const error = theOne(diagnostics)
  t.equal(reportOf([error])[0], 'declaration.wrong-type 8:20')
  t.match(textOf(error), /variable is always/)
})

t.test('the environment comes first, then the nearest .env up to the root of the repository', async (t) => {
  const text = agentWith('    model2: x\n'.replace('    model2: x\n', '    description: "${A} ${B} ${C}"\n'))
  const values = async (files: Record<string, object | string>, file: string) => {
    const { project } = await load(t, undefined, {
      files: files as never,
      file,
      environment: { KEY: 'k', A: 'process' },
    })
    return ['A', 'B', 'C'].map((name) => project?.variables.value(name))
  }
  await t.test('beside the file', async (t) => {
    t.strictSame(await values({ 'agents.yaml': text, '.env': 'A=file\nB="quoted # b"\n# C=c\n' }, 'agents.yaml'), [
      'process',
      'quoted # b',
      undefined,
    ])
  })
  await t.test('in a folder above, within the repository', async (t) => {
    const files = { '.git': {}, '.env': 'B=root', one: { two: { 'agents.yaml': text } } }
    t.strictSame(await values(files, 'one/two/agents.yaml'), ['process', 'root', undefined])
  })
  await t.test('only the nearest counts', async (t) => {
    const files = { '.git': {}, '.env': 'C=root', one: { '.env': 'B=one', two: { 'agents.yaml': text } } }
    t.strictSame(await values(files, 'one/two/agents.yaml'), ['process', 'one', undefined])
  })
  await t.test('never above the repository', async (t) => {
    const files = { '.env': 'B=outside', one: { '.git': {}, two: { 'agents.yaml': text } } }
    t.strictSame(await values(files, 'one/two/agents.yaml'), ['process', undefined, undefined])
  })
  await t.test('a work tree, whose .git is a file, is a repository too', async (t) => {
    const files = { '.git': 'gitdir: elsewhere', '.env': 'B=tree', one: { 'agents.yaml': text } }
    t.strictSame(await values(files, 'one/agents.yaml'), ['process', 'tree', undefined])
  })
})

t.test('as in a shell, a default also stands in for an empty value', async (t) => {
  const { project } = await load(t, agentWith('    description: "[${E}][${E:-d}]"\n'), {
    environment: { KEY: 'k', E: '' },
  })
  const body = project?.declarations[0]?.body ?? {}
  t.equal(
    expand(body['description'] ?? null, () => ''),
    '[][d]',
  )
})

t.test('an unset variable is one note, however often it is used, and hides no other mistake', async (t) => {
  const text = `${head}vaults:
  v:
    credentials:
      - { name: a, type: environment_variable, secret_name: "\${NAME}", secret_value: "\${NOPE}" }
      - { name: b, type: "\${TYPE}", secret_name: B, secret_value: "\${NOPE}" }
environments:
  dev: { config: { type: "\${ENV_TYPE}" } }
agents:
  a:
    model: \${MODEL}
    instructions: \${NOPE}
    environment: \${ENV}
    modle: x
`
  const { project, diagnostics } = await load(t, text)
  t.equal(project, undefined)
  t.strictSame(reportOf(diagnostics), [
    'variable.unset 8:61',
    'variable.unset 8:86',
    'variable.unset 9:26',
    'variable.unset 11:26',
    'variable.unset 14:12',
    'variable.unset 16:18',
    'declaration.unknown-key 17:5',
  ])
  t.match(diagnostics[1]?.detail, /^NOPE .* 3 places need it/)
  t.ok(diagnostics.slice(0, 6).every(({ severity }) => severity === 'note'))
})

t.test('validate needs no secrets: a valid file without any variable set is a project', async (t) => {
  const { project, diagnostics } = await load(t, agentWith('    description: ${D}\n'), { environment: {} })
  t.ok(project)
  t.strictSame(reportOf(diagnostics), ['variable.unset 4:14', 'variable.unset 9:18'])
})

t.test('an unset variable as a provider is an error, because nothing can be checked without it', async (t) => {
  for (const [line, at] of [['    provider: ${WHERE}\n', '9:15']] as const) {
    const { diagnostics } = await load(t, agentWith(line))
    t.ok(reportOf(diagnostics).includes(`variable.unset-structural ${at}`))
  }
  const { diagnostics } = await load(t, `${head}defaults:\n  provider: \${WHERE}\n`)
  t.ok(reportOf(diagnostics).includes('variable.unset-structural 6:13'))
})

t.test('a name or path that still waits for a variable is refused where it is needed', async (t) => {
  const { project } = await load(t, `${head}skills:\n  s:\n    source: \${WHERE}/\${NAME}\n`)
  const source = String(project?.declarations[0]?.body['source'])
  t.doesNotThrow(() => refuseUnset('./skills/s', 'claude.skill.s'))
  try {
    refuseUnset(source, 'claude.skill.s')
    t.fail('nothing was refused')
  } catch (error) {
    const diagnostics = error instanceof Problem ? error.diagnostics : []
    t.strictSame(reportOf(diagnostics), ['variable.unset', 'variable.unset'])
    t.match(diagnostics[1]?.detail, 'claude.skill.s needs ${NAME}')
  }
})

t.test('variables of providers stay placeholders, and under the emulator need no value', async (t) => {
  const real = await load(t, head, { environment: {} })
  t.strictSame(reportOf(real.diagnostics), ['variable.unset 4:14'])
  const emulated = await load(t, head, { environment: {}, isEmulated: true })
  t.strictSame(reportOf(emulated.diagnostics), [])
  t.strictSame(placeholdersIn(emulated.project?.providers.get('claude')?.configuration), [
    { type: 'variable', name: 'KEY', fallback: undefined },
  ])
})

t.test('a variable in a comment, in a key, or with a $ before it is none', async (t) => {
  const { project, diagnostics } = await load(
    t,
    agentWith('    # ${COMMENT}\n    metadata: { "${KEY_NAME}": "costs $5 {x}" } # ${OTHER}\n'),
  )
  t.strictSame(reportOf(diagnostics), [])
  t.strictSame(project?.declarations[0]?.body['metadata'], { '${KEY_NAME}': 'costs $5 {x}' })
})

t.test('a text that looks like a variable but is not one gets a warning and stays as written', async (t) => {
  for (const written of ['${user.name}', '${}', '${A-b}', '${1}', '${A:-${B}}', '${OPEN']) {
    await t.test(written, async (t) => {
      const { project, diagnostics } = await load(t, agentWith(`    description: '${written}'\n`), {
        environment: { KEY: 'k', A: 'a', B: 'b' },
      })
      t.equal(theOne(diagnostics).code, 'variable.malformed')
      t.ok(project, 'a warning does not stop the run')
      const description = project?.declarations[0]?.body['description']
      if (!written.includes('${B}')) t.equal(description, written)
    })
  }
})

t.test('2.5 in setup_script variables are put in as everywhere, those of the process first', async (t) => {
  const text = `${head.replace('claude', 'qoder')}environments:
  dev:
    config:
      type: cloud
      setup_script: |
        echo \${HOME} \${MINE} \${MINE:-x} \${NOT_THERE:-y} \${arr[0]} $\${LITERAL}
`
  const { project } = await load(t, text, {
    environment: { KEY: 'k', HOME: '/root', MINE: 'process' },
    files: { '.env': 'MINE=dotenv' },
  })
  const config = project?.declarations[0]?.body['config'] ?? null
  const seen = expand(config, (found) =>
    found.type === 'variable' ? (project?.variables.value(found.name) ?? found.fallback) : undefined,
  )
  t.match(seen, { setup_script: 'echo /root process process y ${arr[0]} ${LITERAL}\n' })
})

t.test('known values are masked in any text, as they are and as JSON and URLs spell them', async (t) => {
  const environment = { KEY: 'top"secret value', PIN: '123', MODEL: 'own-model' }
  const { project } = await load(t, agentWith('    description: ${PIN}\n').replace('model: m', 'model: ${MODEL}'), {
    environment,
  })
  const mask = (text: string) => project?.variables.mask(text)
  t.equal(mask('a top"secret value b'), 'a (sensitive) b')
  t.equal(mask(JSON.stringify({ a: 'top"secret value' })), '{"a":"(sensitive)"}')
  t.equal(mask('?k=top%22secret%20value'), '?k=(sensitive)')
  t.equal(mask('123 own-model'), '123 (sensitive)', 'words are masked as well; short values would hide half of a text')
})

t.test('secrets are never shown: neither values of variables nor those written out', async (t) => {
  const text = `${head}vaults:
  v:
    credentials:
      - { name: a, type: static_bearer, mcp_server_url: "https://x", access_token: hunter2-literal, extra: 1 }
      - { name: b, type: static_bearer, mcp_server_url: "\${URL}", access_token: "\${TOKEN}", protocol: "\${TOKEN}" }
`
  const { diagnostics } = await load(t, text, {
    environment: { KEY: 'key-value', TOKEN: 'hunter2-variable', URL: 'u' },
  })
  t.strictSame(reportOf(diagnostics), [
    'declaration.literal-secret 8:84',
    'declaration.unknown-key 8:101',
    'declaration.unknown-word 9:103',
  ])
  const everything = JSON.stringify(diagnostics)
  for (const secret of ['hunter2', 'key-value']) t.notMatch(everything, secret)
})

t.test('messages name the variable instead of telling its value', async (t) => {
  const text = `${head}agents:\n  a:\n    model: m\n    instructions: Help.\n    environment: \${WHERE}\n    vault: \${WHERE}\n`
  const { diagnostics } = await load(t, text, { environment: { KEY: 'k', WHERE: 'hidden-place' } })
  t.match(textOf(diagnostics[0] ?? theOne([])), 'There is no "${WHERE}" under environments')
  t.notMatch(JSON.stringify(diagnostics), 'hidden-place')
})

t.test('2.7 secrets may be written as numbers and keep every digit', async (t) => {
  const text = `${head}vaults:\n  v:\n    credentials:\n      - { name: a, type: environment_variable, secret_name: PIN, secret_value: 0070 }\n`
  const { project } = await load(t, text)
  t.match(project?.declarations[0]?.body, { credentials: [{ secret_value: '0070' }] })
})

t.test('the value of a variable cannot pretend to be a placeholder', async (t) => {
  const { project, diagnostics } = await load(t, agentWith('    description: ${EVIL}\n'), {
    environment: { KEY: 'k', EVIL: '\u0001v:KEY\u0002' },
  })
  t.equal(project, undefined)
  t.strictSame(reportOf(diagnostics), ['variable.control-character 9:18'])
  t.notMatch(JSON.stringify(diagnostics), 'v:KEY')
})

t.test('a .env file that is not UTF-8 is refused, because another value would be sent', async (t) => {
  const { diagnostics } = await load(t, head, { files: { '.env': new Uint8Array([0x41, 0x3d, 0xff, 0xfe]) } })
  t.strictSame(reportOf(diagnostics), ['variable.file-not-utf8'])
})

t.test('a value in .env that a # cuts is warned of at its place, without a word of the value', async (t) => {
  const text = agentWith('    description: ${S}\n')
  const cut = [
    ['S=abcd#efgh', '1:7'],
    ['S=#efgh', '1:3'],
    ['\r\n\r\nexport S = abcd#efgh # comment\r\nX=1', '3:16'],
    ['S=ab cd#efgh', '1:8'],
    ['S="abcd#efgh', '1:8'],
    ['S=old\nS=abcd#efgh', '2:7'],
  ] as const
  for (const [dotenv, place] of cut) {
    const { diagnostics } = await load(t, text, { files: { '.env': dotenv } })
    const found = theOne(diagnostics, 'variable.cut-at-hash')
    t.match(found, { severity: 'warning', place: { file: '.env' } }, dotenv)
    t.equal(`${found.place?.line}:${found.place?.column}`, place, dotenv)
    for (const part of ['abcd', 'efgh']) t.notMatch(JSON.stringify(diagnostics), part)
  }
  const whole = [
    'S=abcd #efgh',
    'S="abcd#efgh"',
    "S='abcd#efgh' # c",
    'S="\nS=abcd#efgh\n"',
    'S=abcd\n#efgh',
    'S= # none',
  ]
  for (const dotenv of [...whole, 'S=abcd#efgh\nS=last', 'S=abcd\nOTHER=abcd#efgh']) {
    const { diagnostics } = await load(t, text, { files: { '.env': dotenv } })
    t.notMatch(reportOf(diagnostics).join(), 'cut-at-hash', dotenv)
  }
  const environment = { KEY: 'k', S: 'of the process' }
  const { diagnostics } = await load(t, text, { files: { '.env': 'S=abcd#efgh' }, environment })
  t.notMatch(reportOf(diagnostics).join(), 'cut-at-hash', 'a value that is not used')
})

t.test('a .env file of unreasonable size is refused', async (t) => {
  const { diagnostics } = await load(t, head, {
    files: { '.env': `A=${'x'.repeat(declarationLimits.dotenvBytesMax)}` },
  })
  t.strictSame(reportOf(diagnostics), ['variable.file-too-large'])
})

t.test('an http:// address of another machine is warned of, one of this machine is not', async (t) => {
  const at = (address: string) =>
    `version: "1"\nproviders:\n  claude:\n    api_key: \${KEY}\n    base_url: ${address}\n`
  const codes = async (address: string) => reportOf((await load(t, at(address))).diagnostics)
  t.strictSame(await codes('http://proxy.example.com'), ['declaration.plain-http 5:15'])
  for (const address of ['https://proxy.example.com', 'http://127.0.0.1:4750', 'http://localhost:4750'])
    t.strictSame(await codes(address), [], address)
  t.match(
    textOf((await load(t, at('proxy.example.com'))).diagnostics[0] ?? theOne([])),
    'begins with http:// or https://',
  )
})
