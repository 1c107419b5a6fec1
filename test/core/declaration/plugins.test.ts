import t from 'tap'
import { builtins } from '../../../plugins/builtins.js'
import { load, reportOf, textOf, theOne } from './subject.js'

const file = (plugin: string, more = '') =>
  `version: "1"\nproviders:\n  acme:\n    plugin: ${plugin}\n    token: \${TOKEN}\n${more}`

const code = (exported: string) => `
const acme = {
  name: 'acme', title: 'Acme', aliases: ['a-corp'],
  configuration: { type: 'object', required: ['token'], properties: { token: { type: 'string' } }, additionalProperties: false },
  words: {}, identify: () => ({ host: 'https://acme' }), connect: () => ({}), classify: () => ({ class: 'invalid' }),
  handlers: [{ kind: 'agent' }],
  rules: [{ code: 'acme.no-x', kind: 'agent', phase: 'declaration', severity: 'error', summary: 'No x', fix: 'Remove it.',
    *check({ declaration }) { if (declaration.name === 'x') yield { at: ['model'], detail: 'x is taken.' } } }],
}
${exported}
`
const asDefault = code('export default acme')

t.test('a plugin is a path or a package beside the file, exported as default or as provider', async (t) => {
  const cases: readonly (readonly [title: string, plugin: string, files: Record<string, unknown>])[] = [
    ['a path', './plugin.mjs', { 'plugin.mjs': asDefault }],
    ['a named export', './plugin.mjs', { 'plugin.mjs': code('export { acme as provider }') }],
    ['CommonJS', './plugin.cjs', { 'plugin.cjs': code('module.exports = acme') }],
    [
      'a folder',
      './plugin',
      { plugin: { 'package.json': '{ "type": "module", "main": "main.js" }', 'main.js': asDefault } },
    ],
    [
      'a package',
      'agents-provider-acme',
      {
        node_modules: {
          'agents-provider-acme': { 'package.json': '{ "type": "module", "main": "main.js" }', 'main.js': asDefault },
        },
      },
    ],
    [
      'a package for import alone',
      '@acme/agents',
      {
        node_modules: {
          '@acme': {
            agents: {
              'package.json':
                '{ "type": "module", "exports": { ".": { "types": "./x.d.ts", "import": "./main.js" } } }',
              'main.js': asDefault,
            },
          },
        },
      },
    ],
  ]
  for (const [title, plugin, files] of cases) {
    await t.test(title, async (t) => {
      const text = file(JSON.stringify(plugin), 'agents: { helper: { model: { a-corp: m }, instructions: x } }\n')
      const { project, registry, diagnostics } = await load(t, text, {
        files: files as never,
        environment: { TOKEN: 't' },
      })
      t.strictSame(reportOf(diagnostics), [])
      t.match(project?.providers.get('acme'), { name: 'acme', plugin })
      t.strictSame(Object.keys(project?.providers.get('acme')?.configuration ?? {}), ['token'])
      t.equal(registry.provider('a-corp'), registry.providers.get('acme'))
      t.strictSame(project?.find('agent', 'helper')?.body['model'], { acme: 'm' })
    })
  }
})

t.test('its rules and its schema apply', async (t) => {
  const text = file('./plugin.mjs', '    tokn: y\nagents: { x: { model: m, instructions: x } }\n')
  const { diagnostics } = await load(t, text, { files: { 'plugin.mjs': asDefault }, environment: { TOKEN: 't' } })
  t.strictSame(reportOf(diagnostics), ['declaration.unknown-key 6:5', 'acme.no-x 7:23'])
})

const defining = (kind: string, section: string) =>
  asDefault.replace(
    "{ kind: 'agent' }",
    `{ kind: '${kind}', definition: { kind: '${kind}', section: '${section}', summary: 'Hooks.', references: () => [], rules: [],
      schema: { type: 'object', required: ['url'], properties: { url: { type: 'string' } }, additionalProperties: false } } }`,
  )

t.test('it may define kinds, which are sections of the file like others', async (t) => {
  const files = { 'plugin.mjs': defining('hook', 'hooks') }
  const read = (more: string) => load(t, file('./plugin.mjs', more), { files, environment: { TOKEN: 't' } })
  const { project, diagnostics } = await read('hooks: { done: { url: x } }\n')
  t.strictSame(reportOf(diagnostics), [])
  t.strictSame(project?.find('hook', 'done')?.body, { url: 'x' })
  t.strictSame(reportOf((await read('hooks: { done: { ulr: x } }\n')).diagnostics), ['declaration.unknown-key 6:18'])
})

t.test('it cannot redefine an existing kind', async (t) => {
  for (const [kind, section] of [
    ['agent', 'assistants'],
    ['assistant', 'agents'],
  ] as const) {
    const files = { 'plugin.mjs': defining(kind, section) }
    const { diagnostics } = await load(t, file('./plugin.mjs'), { files, environment: { TOKEN: 't' } })
    t.strictSame(reportOf(diagnostics), ['provider.plugin-shape 3:3'])
  }
})

t.test('a plugin that cannot be loaded is reported with the reason', async (t) => {
  const cases: readonly (readonly [
    title: string,
    plugin: string,
    content: string | undefined,
    told: string,
    text: RegExp,
  ])[] = [
    ['no such path', './nowhere.mjs', undefined, 'provider.plugin-missing 3:3', /nowhere.mjs/],
    ['a module of Node', 'fs', undefined, 'provider.plugin-missing 3:3', /fs is found neither/],
    ['no such package', 'agents-provider-nobody', undefined, 'provider.plugin-missing 3:3', /agents-provider-nobody/],
    [
      'one that throws',
      './plugin.mjs',
      'throw new Error("broken inside")',
      'provider.plugin-failed 3:3',
      /broken inside/,
    ],
    ['a syntax error', './plugin.mjs', 'export default {', 'provider.plugin-failed 3:3', /plugin.mjs/],
    ['nothing exported', './plugin.mjs', 'export const x = 1', 'provider.plugin-shape 3:3', /is not an object/],
    [
      'something else exported',
      './plugin.mjs',
      'export default { name: "acme", title: "A" }',
      'provider.plugin-shape 3:3',
      /has no list "aliases"/,
    ],
  ]
  for (const [title, plugin, content, expected, says] of cases) {
    await t.test(title, async (t) => {
      // The sections that it would bring are unknown.
      const { project, diagnostics } = await load(t, file(plugin, 'hooks: {}\n'), {
        files: content === undefined ? {} : { 'plugin.mjs': content },
        environment: { TOKEN: 't' },
      })
      t.equal(project, undefined)
      t.strictSame(reportOf(diagnostics), [expected])
      t.match(textOf(theOne(diagnostics)), says)
    })
  }
})

t.test('a name that would not work in addresses is refused', async (t) => {
  for (const name of ['Acme', 'a.b', 'all', '"a b"']) {
    const { diagnostics } = await load(t, file('./plugin.mjs').replace('acme', name), {
      files: { 'plugin.mjs': asDefault },
      environment: { TOKEN: 't' },
    })
    t.strictSame(reportOf(diagnostics), ['provider.invalid-name 3:3'])
  }
})

t.test('only plugins named in the file are loaded', async (t) => {
  const files = { 'plugin.mjs': 'globalThis.wasLoaded = true\nexport default {}' }
  const { registry } = await load(t, 'version: "1"\nproviders:\n  claude: { api_key: "${KEY}" }\n', { files })
  t.notOk('wasLoaded' in globalThis)
  t.strictSame([...registry.providers.keys()], ['claude'])
})

t.test('the table of built-in providers has the names and aliases of the providers', async (t) => {
  for (const [name, { aliases, load: loadProvider }] of Object.entries(builtins)) {
    const provider = await loadProvider()
    t.equal(provider.name, name)
    t.strictSame(provider.aliases, aliases)
  }
})
