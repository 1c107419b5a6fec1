// The content of a plugin that a person allows: everything that its loading runs, and no more than that.
import { appendFileSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import t, { type Test } from 'tap'
import { pluginContent } from '../../../core/plugin/plugin-content.js'
import { nodeDisk } from '../../../core/ports/node-disk.js'
import type { Folder } from '../declaration/subject.js'

const program = '/nowhere'

async function contentIn(folder: string, entry: string, packageName?: string) {
  const { files, sha256 } = await pluginContent({
    disk: nodeDisk,
    entry: join(folder, entry),
    packageName,
    folder,
    program,
  })
  const root = await nodeDisk.realPath(folder)
  return { files: files.map(({ path }) => relative(root, path)), sha256 }
}

/** The folder has a package.json of its own, so that none above it counts. */
const plugin = (t: Test, files: Folder) => t.testdir({ 'package.json': '{}', ...files })

t.test('what a module imports from the project belongs to it, in every spelling', async (t) => {
  for (const [title, source] of Object.entries({
    import: "import x from './lib/other.mjs'",
    'import for its effects': "import './lib/other.mjs'",
    'import with a comment': "import /* the other */ './lib/other.mjs'",
    export: "export * from './lib/other.mjs'",
    'without a space': 'export{x}from"./lib/other.mjs"',
    'import()': "const x = await import('./lib/other.mjs')",
    'import() of a template': 'const x = await import(`./lib/other.mjs`)',
    require: "const x = require('./lib/other')",
    'require.resolve': "const x = require.resolve('./lib/other.mjs')",
    'import.meta.resolve': "const x = import.meta.resolve('./lib/other.mjs')",
    'new URL': "new Worker(new URL('./lib/other.mjs', import.meta.url))",
    'a folder': "const x = require('./lib')",
    'a computed name': 'const x = await import(name)',
    'a name put together': "const x = require('./lib/' + name)",
    'a name of package.json': "import x from '#other'",
    'an escape': "import './lib/\\u006fther.mjs'",
    'an escape of a byte': "import './lib/\\x6fther.mjs'",
    'an escape of a character': "const x = require('./lib/\\other')",
    'an encoded character': "import './lib/%6fther.mjs'",
    'a query': "import './lib/other.mjs?x=1#y'",
    'an encoded folder above': "import './lib/deep/%2e%2e/other.mjs'",
    'a chain': "import './first.mjs'",
  })) {
    const folder = plugin(t, {
      'plugin.mjs': source,
      'first.mjs': "import './lib/other.mjs'",
      lib: { 'other.mjs': 'export const x = 1' },
      'notes.md': 'Notes.',
    })
    const before = await contentIn(folder, 'plugin.mjs')
    t.ok(before.files.includes('lib/other.mjs'), title)
    t.notOk(before.files.includes('notes.md'), title)
    appendFileSync(join(folder, 'lib/other.mjs'), '\n')
    t.not((await contentIn(folder, 'plugin.mjs')).sha256, before.sha256, title)
  }
})

t.test('what names of package.json stand for belongs to it', async (t) => {
  const folder = plugin(t, {
    'package.json': JSON.stringify({ imports: { '#p': { node: 'dep' }, '#q': './far/q.mjs', '#r/*': './any/*.mjs' } }),
    near: { 'plugin.mjs': "import '#p'; import '#q'; import '#r/one'" },
    far: { 'q.mjs': '' },
    any: { 'one.mjs': '' },
    node_modules: { dep: { 'package.json': '{"dependencies":{"peer":"1"}}' }, peer: { 'index.js': '' } },
  })
  const { files } = await contentIn(folder, 'near/plugin.mjs')
  for (const file of ['far/q.mjs', 'any/one.mjs', 'node_modules/dep/package.json', 'node_modules/peer/index.js'])
    t.ok(files.includes(file), file)
})

t.test('what Node loads for a name without a folder of its own belongs to it', async (t) => {
  const folder = plugin(t, {
    'package.json': JSON.stringify({
      name: 'own',
      exports: { './part': { import: './parts/one.mjs' }, './*': './any/*.mjs' },
    }),
    'plugin.mjs': "import 'own/part'; import 'dep'; import '@scope/dep'; import './led'; import 'led'; import 'bare'",
    parts: { 'one.mjs': "import 'deep'" },
    any: { 'two.mjs': '' },
    led: { 'package.json': '{"main":"../elsewhere/main.js"}' },
    elsewhere: { 'main.js': '' },
    node_modules: {
      // `require` prefers a file of the name to a folder.
      'dep.js': '',
      dep: { 'index.js': '' },
      '@scope': { 'dep.cjs': '', 'dep.js': '' },
      led: { 'package.json': '{"main":"../../far/main"}' },
      deep: { 'index.js': '' },
      bare: { 'index.js': '' },
    },
    far: { 'main.js': '' },
    below: { 'plugin.mjs': "import 'bare'", node_modules: { bare: { 'notes.txt': '' } } },
  })
  const { files } = await contentIn(folder, 'plugin.mjs')
  for (const file of [
    'parts/one.mjs',
    'any/two.mjs',
    'node_modules/deep/index.js',
    'node_modules/dep.js',
    'node_modules/dep/index.js',
    'node_modules/@scope/dep.js',
    'elsewhere/main.js',
    'far/main.js',
  ])
    t.ok(files.includes(file), file)
  t.ok((await contentIn(folder, 'below/plugin.mjs')).files.includes('node_modules/bare/index.js'))
})

t.test('what a linked package imports from beside it belongs to it', async (t) => {
  const folder = plugin(t, {
    'plugin.mjs': "import 'linked'",
    real: { 'ext.mjs': '', linked: { 'package.json': '{}', 'index.js': "await import('../ext.mjs')" } },
    node_modules: {},
  })
  symlinkSync('../real/linked', join(folder, 'node_modules/linked'))
  t.ok((await contentIn(folder, 'plugin.mjs')).files.includes('real/ext.mjs'))
})

t.test('files that it does not import may change', async (t) => {
  const folder = plugin(t, { 'plugin.mjs': "import './a.mjs'", 'a.mjs': '', 'b.mjs': '', 'agents.yaml': '' })
  const before = await contentIn(folder, 'plugin.mjs')
  t.strictSame(before.files, ['a.mjs', 'package.json', 'plugin.mjs'])
  appendFileSync(join(folder, 'b.mjs'), '\n')
  t.strictSame(await contentIn(folder, 'plugin.mjs'), before)
})

t.test('the package.json that says how a module is read belongs to it', async (t) => {
  const folder = plugin(t, { 'package.json': '{"type":"module"}', src: { 'plugin.js': '' } })
  t.strictSame((await contentIn(folder, 'src/plugin.js')).files, ['package.json', 'src/plugin.js'])
})

t.test('a package belongs to it as a whole, with the packages that it uses', async (t) => {
  const folder = plugin(t, {
    node_modules: {
      acme: {
        'package.json': '{ "dependencies": { "named": "1" }, "main": "main.js" }',
        'main.js': "require('fs'); require('used/part'); require('./node_modules/direct/at.js')",
        data: { 'table.txt': 'x' },
        node_modules: { used: { 'index.js': 'inner', 'package.json': '{}' }, direct: { 'at.js': '', 'other.js': '' } },
      },
      named: { 'index.js': "import '@scope/deep'" },
      '@scope': { deep: { 'index.js': '' } },
      used: { 'index.js': 'outer' },
      other: { 'index.js': '' },
    },
  })
  const found = await contentIn(folder, 'node_modules/acme/main.js', 'acme')
  t.strictSame(found.files, [
    'node_modules/@scope/deep/index.js',
    'node_modules/acme/data/table.txt',
    'node_modules/acme/main.js',
    'node_modules/acme/node_modules/direct/at.js',
    'node_modules/acme/node_modules/used/index.js',
    'node_modules/acme/node_modules/used/package.json',
    'node_modules/acme/package.json',
    'node_modules/named/index.js',
  ])
  for (const path of found.files) {
    const before = await contentIn(folder, 'node_modules/acme/main.js', 'acme')
    appendFileSync(join(folder, path), path.endsWith('.json') ? ' ' : '\n')
    t.not((await contentIn(folder, 'node_modules/acme/main.js', 'acme')).sha256, before.sha256, path)
  }
})

t.test('a module of the project brings the packages that it imports', async (t) => {
  const folder = plugin(t, {
    'plugin.mjs': "import { x } from '@scope/deep/part'",
    node_modules: { '@scope': { deep: { 'part.js': '' } } },
  })
  t.strictSame((await contentIn(folder, 'plugin.mjs')).files, [
    'node_modules/@scope/deep/part.js',
    'package.json',
    'plugin.mjs',
  ])
})

t.test('the running program is no part of it, and links in circles end', async (t) => {
  const folder = plugin(t, {
    'plugin.mjs': "import 'steward/plugin'; require('./lib')",
    steward: { 'package.json': '{}', 'plugin.js': '' },
    lib: { 'a.js': '' },
    node_modules: {},
  })
  symlinkSync('..', join(folder, 'lib/up'))
  symlinkSync(join(folder, 'steward'), join(folder, 'node_modules/steward'))
  const request = { disk: nodeDisk, entry: join(folder, 'plugin.mjs'), packageName: undefined, folder }
  const own = await nodeDisk.realPath(join(folder, 'steward'))
  const { files } = await pluginContent({ ...request, program: own })
  t.ok(files.some(({ path }) => path.endsWith('lib/a.js')))
  const other = plugin(t, {
    'plugin.mjs': "import 'steward/plugin'",
    node_modules: { steward: { 'package.json': '{}' } },
  })
  t.strictSame((await contentIn(other, 'plugin.mjs')).files, [
    'node_modules/steward/package.json',
    'package.json',
    'plugin.mjs',
  ])
})

t.test('what cannot be read is no part of it, and no file takes long', async (t) => {
  const folder = plugin(t, {
    'plugin.mjs': "import './loop.mjs'; require('./lib'); import './gone.mjs'",
    lib: { 'a.js': '', 'loop.js': t.fixture('symlink', 'loop.js') },
    'loop.mjs': t.fixture('symlink', 'loop.mjs'),
    'long.mjs': `from${' '.repeat(300_000)}x import${' /* '.repeat(30_000)} from \`${'from `'.repeat(30_000)}`,
  })
  t.strictSame((await contentIn(folder, 'plugin.mjs')).files, ['lib/a.js', 'package.json', 'plugin.mjs'])
  t.strictSame((await contentIn(folder, 'long.mjs')).files, ['long.mjs', 'package.json'])
})

t.test('the hash is the same in another folder, so that it can be pinned', async (t) => {
  const files = () => ({ 'package.json': '{}', 'plugin.mjs': "import './a.mjs'", 'a.mjs': '' })
  const folder = t.testdir({ one: files(), two: files() })
  const [one, two] = [
    await contentIn(join(folder, 'one'), 'plugin.mjs'),
    await contentIn(join(folder, 'two'), 'plugin.mjs'),
  ]
  t.strictSame(one, two)
})
