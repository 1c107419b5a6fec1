import { join } from 'node:path'
import t from 'tap'
import { declarationLimits } from '../../../core/declaration/limits.js'
import { head, load, reportOf, textOf, theOne, underlined } from './subject.js'

t.test('a message quotes no more of a long key or line than anybody reads', async (t) => {
  const long = 'y'.repeat(100_000)
  for (const text of [`agents: { a: { ${long}: 1 } }\n`, `agents: { a: { model: \${A} ${long} } }\n`]) {
    const { diagnostics } = await load(t, `${head}${text}`)
    t.ok(diagnostics.length > 0)
    for (const { detail = '', fix = '' } of diagnostics) t.ok(detail.length + fix.length < 5_000, detail.slice(0, 80))
  }
})

t.test('a file that cannot be read at all is reported by name, without a place', async (t) => {
  const cases: readonly { readonly title: string; readonly text?: string | Uint8Array; readonly code: string }[] = [
    { title: 'missing', code: 'declaration.file-missing' },
    { title: 'empty', text: '', code: 'declaration.file-empty' },
    { title: 'blank', text: '  \n\n', code: 'declaration.file-empty' },
    { title: 'not UTF-8', text: Buffer.from([0x61, 0x3a, 0xff]), code: 'declaration.not-utf8' },
    { title: 'too large', text: `# ${'x'.repeat(declarationLimits.fileBytesMax)}`, code: 'declaration.file-too-large' },
  ]
  for (const { title, text, code } of cases) {
    await t.test(title, async (t) => {
      const files = text === undefined ? {} : { 'agents.yaml': text instanceof Uint8Array ? Buffer.from(text) : text }
      const { project, diagnostics } = await load(t, undefined, { files })
      t.equal(project, undefined)
      t.strictSame(reportOf(diagnostics), [code])
      t.ok(theOne(diagnostics).fix)
    })
  }
  await t.test('a folder', async (t) => {
    const { diagnostics } = await load(t, undefined, { files: { 'agents.yaml': {} } })
    t.strictSame(reportOf(diagnostics), ['declaration.file-unreadable'])
  })
  await t.test('a file of exactly the largest size is read', async (t) => {
    const text = `${head}# `
    const { project } = await load(t, text + 'x'.repeat(declarationLimits.fileBytesMax - text.length))
    t.ok(project)
  })
})

t.test('the file is named relative to the working folder where that is shorter', async (t) => {
  const { diagnostics } = await load(t, undefined, {
    files: { inner: { 'agents.yaml': 'a: 1' } },
    file: 'inner/agents.yaml',
  })
  t.equal(diagnostics.find(({ place }) => place)?.place?.file, join('inner', 'agents.yaml'))
})

t.test('invalid YAML is reported with its place', async (t) => {
  const cases: readonly (readonly [title: string, text: string, told: string, underlined: string])[] = [
    ['only comments', '# nothing\n', 'declaration.file-empty', ''],
    ['a list', '- a\n- b\n', 'declaration.not-a-map 1:1', '- a'],
    ['a text', 'hello\n', 'declaration.not-a-map 1:1', 'hello'],
    ['a tab as indentation', `${head}agents:\n\ta: {}\n`, 'declaration.tab 6:1', '\t'],
    ['several documents', `${head}---\na: 1\n`, 'declaration.several-documents 5:1', '---'],
    ['a map in the middle of a line', `${head}agents: a: b\n`, 'declaration.syntax 5:9', 'a'],
    ['a text that begins with @', `${head}x-a: @b\n`, 'declaration.syntax 5:6', '@'],
    ['an open quote', `${head}x-a: "b\n`, 'declaration.syntax 6:1', ''],
    ['an unknown anchor', `${head}defaults: *nothing\n`, 'declaration.unknown-alias 5:11', '*nothing'],
    ['a tag', `${head}agents:\n  a: !thing {}\n`, 'declaration.tag 6:13', '{}'],
    ['a key that is a number', `${head}agents:\n  1: {}\n`, 'declaration.key-not-text 6:3', '1'],
    ['a key that is a map', `${head}? {a: 1}\n: 2\n`, 'declaration.key-not-text 5:3', '{a: 1}'],
    ['a merge of a text', `${head}defaults:\n  <<: claude\n`, 'declaration.merge 6:7', 'claude'],
  ]
  for (const [title, text, expected, mark] of cases) {
    await t.test(title, async (t) => {
      const { project, diagnostics } = await load(t, text)
      t.equal(project, undefined)
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      t.equal(reportOf(errors)[0], expected)
      const [first] = errors
      if (first?.place) t.equal(underlined(first), mark)
    })
  }
})

t.test('duplicate keys are reported at every level, with the line of the first', async (t) => {
  const { diagnostics } = await load(
    t,
    `${head}agents:\n  a:\n    model: x\n    instructions: y\n    model: z\n  a: {}\nagents: {}\n`,
  )
  t.strictSame(reportOf(diagnostics), [
    'declaration.duplicate-key 9:5',
    'declaration.duplicate-key 10:3',
    'declaration.duplicate-key 11:1',
  ])
  t.match(textOf(diagnostics[0] ?? theOne([])), /line 7/)
})

t.test('an unquoted variable inside { } or [ ] is reported with the corrected line', async (t) => {
  const cases: readonly (readonly [line: string, corrected: string])[] = [
    ['  claude: { api_key: ${KEY} }', 'claude: { api_key: "${KEY}" }'],
    ['  claude: { api_key: pre-${KEY}-post, beta: "${B}" }', 'claude: { api_key: "pre-${KEY}-post", beta: "${B}" }'],
    ["  claude: { api_key: ${KEY:-a b}, beta: '${B}' }", `claude: { api_key: "\${KEY:-a b}", beta: '\${B}' }`],
    ['  claude: { api_key: ${KEY}, beta: ${B}}', 'claude: { api_key: "${KEY}", beta: "${B}"}'],
  ]
  for (const [line, corrected] of cases) {
    await t.test(line, async (t) => {
      const { diagnostics } = await load(t, `version: "1"\nproviders:\n${line}\nagentz: {}\n`)
      const errors = diagnostics.filter(({ severity }) => severity === 'error')
      t.strictSame(
        errors.map(({ code }) => code),
        ['declaration.unquoted-variable', 'declaration.unknown-key'],
        'the rest of the file is checked too',
      )
      t.equal(errors[0]?.fix, `Write: ${corrected}`)
      t.match(errors[0]?.place?.sourceLine, line, 'the line is shown as it is written')
    })
  }
  await t.test('in a list', async (t) => {
    const { diagnostics } = await load(
      t,
      `${head}agents:\n  a:\n${' '.repeat(4)}model: m\n    instructions: x\n    files: [one, \${TWO}, three]\n`,
    )
    const error = theOne(diagnostics, 'declaration.unquoted-variable')
    t.strictSame([error.place?.line, error.place?.column], [9, 18])
    t.equal(error.fix, 'Write: files: [one, "${TWO}", three]')
  })
  await t.test('over several lines, each line once', async (t) => {
    const { diagnostics } = await load(
      t,
      'version: "1"\nproviders: {\n  claude: {\n    api_key: ${KEY},\n    beta: ${BETA}\n  }\n}\n',
    )
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    t.strictSame(reportOf(errors), ['declaration.unquoted-variable 4:14', 'declaration.unquoted-variable 5:11'])
  })
  await t.test('a brace that is never closed is a plain syntax error', async (t) => {
    const { diagnostics } = await load(t, `${head}x-a: [ \${A\n`)
    t.equal(diagnostics[0]?.code, 'declaration.syntax')
  })
})

t.test('the version is the text "1" and nothing else', async (t) => {
  const cases: readonly (readonly [line: string, told: string, text: RegExp])[] = [
    ['version: 1', 'declaration.version 1:10', /Quote it: version: "1"/],
    ['version: 1.0', 'declaration.version 1:10', /Quote it/],
    ['version: "99"', 'declaration.version 1:10', /only version there is so far is "1"/],
    ['version:', 'declaration.version 1:9', /version: "1"/],
    ['x-nothing: 1', 'declaration.missing-key 1:1', /version: "1"/],
  ]
  for (const [line, expected, text] of cases) {
    await t.test(line, async (t) => {
      const { diagnostics } = await load(t, head.replace('version: "1"', line))
      t.strictSame(reportOf(diagnostics), [expected])
      t.match(textOf(theOne(diagnostics)), text)
    })
  }
})

t.test('aliases and merge keys work, and explicit keys win over merged ones', async (t) => {
  const text = `${head}x-base: &base
  model: m
  instructions: Help.
  metadata: &meta { team: a }
agents:
  first:
    <<: *base
  second:
    <<: [{ model: other }, *base]
    instructions: Wait.
    metadata: *meta
`
  const { project, diagnostics } = await load(t, text)
  t.strictSame(reportOf(diagnostics), [])
  t.strictSame(
    project?.declarations.map(({ body }) => body),
    [
      { model: 'm', instructions: 'Help.', metadata: { team: 'a' } },
      { instructions: 'Wait.', metadata: { team: 'a' }, model: 'other' },
    ],
  )
})

t.test('an error behind an alias is reported where it is written', async (t) => {
  const { diagnostics } = await load(
    t,
    `${head}x-base: &base\n  modle: m\n  instructions: Help.\nagents:\n  a:\n    <<: *base\n    model: m\n`,
  )
  const unknown = theOne(diagnostics)
  t.equal(reportOf([unknown])[0], 'declaration.unknown-key 6:3')
  t.equal(unknown.address, 'agent.a')
})

t.test('aliases that expand exponentially, and anchors that contain themselves, are refused', async (t) => {
  await t.test('a billion laughs', async (t) => {
    const levels = Array.from(
      { length: 12 },
      (_, i) =>
        `x-${i}: &l${i} [${Array(9)
          .fill(i === 0 ? 'ha' : `*l${i - 1}`)
          .join(', ')}]`,
    )
    const { diagnostics } = await load(
      t,
      `${head}${levels.join('\n')}\nagents:\n  a:\n    model: m\n    instructions: x\n    files: *l11\n`,
    )
    t.ok(reportOf(diagnostics).some((line) => line.startsWith('declaration.too-many-aliases')))
  })
  await t.test('a list within itself', async (t) => {
    const { diagnostics } = await load(
      t,
      `${head}agents:\n  a:\n    model: m\n    instructions: x\n    files: &self [*self]\n`,
    )
    t.ok(reportOf(diagnostics).some((line) => line.startsWith('declaration.too-deep')))
  })
  await t.test('a map merged into itself', async (t) => {
    const { project } = await load(t, `${head}agents: &all\n  <<: *all\n  a:\n    model: m\n    instructions: x\n`)
    t.equal(project?.declarations.length, 1)
  })
  await t.test('brackets without end', async (t) => {
    const { project, diagnostics } = await load(t, `${head}x-a: ${'['.repeat(50_000)}`)
    t.equal(project, undefined)
    t.ok(diagnostics.length > 0)
  })
  const deep: Readonly<Record<string, string>> = {
    lists: `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    maps: `${'{a: '.repeat(20_000)}1${'}'.repeat(20_000)}`,
    'lists of dashes': `\n  ${'- '.repeat(20_000)}1`,
    'maps of lines': `\n${Array.from({ length: 1_500 }, (_, depth) => `${' '.repeat(depth + 1)}a:`).join('\n')} 1`,
  }
  for (const [what, value] of Object.entries(deep))
    await t.test(`${what} without measure, well closed`, async (t) => {
      const { project, diagnostics } = await load(t, `${head}x-a: ${value}\n`)
      t.equal(project, undefined)
      const { code, place, detail } = theOne(diagnostics)
      t.equal(code, 'declaration.too-deep')
      t.ok((place?.line ?? 0) >= 5, 'the place is where it becomes too deep')
      t.notMatch(detail, /call stack/)
    })
})

t.test('control characters are refused in values, keys and names, however they are written', async (t) => {
  for (const written of ['"a\\x01b"', '"a\\u0002b"', '"\\0"', '"a\\eb"', '"\\ud800"', '"\\x7f"']) {
    await t.test(written, async (t) => {
      const { diagnostics } = await load(
        t,
        `${head}agents:\n  a:\n    model: m\n    instructions: ${written}\n    metadata: { ${written}: x }\n`,
      )
      const codes = reportOf(diagnostics)
      t.ok(codes.includes('declaration.control-character 8:19'))
      t.ok(codes.includes('declaration.control-character 9:17'))
    })
  }
  await t.test('tabs and line ends are fine', async (t) => {
    const { project } = await load(t, `${head}agents:\n  a:\n    model: m\n    instructions: "a\\tb\\r\\nc\\f"\n`)
    t.equal(project?.declarations[0]?.body['instructions'], 'a\tb\r\nc\f')
  })
})

t.test('a byte order mark and Windows line ends change nothing', async (t) => {
  const { project, diagnostics } = await load(
    t,
    `\uFEFF${head}agents:\n  a:\n    model: m\n    instructions: x\n    modle: y\n`.replaceAll('\n', '\r\n'),
  )
  t.equal(project, undefined)
  const unknown = theOne(diagnostics)
  t.strictSame([unknown.place?.line, unknown.place?.column, unknown.place?.sourceLine], [9, 5, '    modle: y'])
})

t.test('a very long line is shown in part', async (t) => {
  const { diagnostics } = await load(t, `${head}x: ${'y'.repeat(10_000)}\n`)
  t.equal(theOne(diagnostics).place?.sourceLine.length, declarationLimits.sourceLineMax)
})

t.test('a file behind a link is read', async (t) => {
  const files = { real: { 'agents.yaml': head }, 'agents.yaml': t.fixture('symlink', 'real/agents.yaml') }
  const { project } = await load(t, undefined, { files })
  t.ok(project)
})
