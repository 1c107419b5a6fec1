// The house as a test: which folder may know which, what the core must not name, and how a file begins and ends.
import { dirname, join, normalize } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { importedFiles, importsOf, sourcesIn } from './support/sources.js'

const linesMax = 300

/** Folder to the folders it may import from, besides itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  workers: ['core'],
  plugins: ['core'],
  server: ['core', 'workers'],
  cli: ['core', 'plugins', 'workers', 'server'],
}

const providerNames = /(?<![a-z])(bailian|qoder|claude|ark|anthropic|volcengine|dashscope|p-[abcd])(?![a-z])/i
/** `file` is left out: it is also what a disk holds. */
const kindNames: ReadonlySet<string> = new Set(
  ['agent', 'channel', 'deployment', 'environment', 'identity', 'memory_store', 'skill', 'tunnel', 'vault'].flatMap(
    (kind) => [kind, kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`],
  ),
)
const httpPath = /^\/[a-z][a-z_-]*(\/|$)/

const folders = Object.fromEntries(Object.keys(mayImport).map((folder) => [folder, sourcesIn(folder)]))
const sources = Object.values(folders).flat()

t.test('every folder imports only from those it may know', async (t) => {
  const forbidden = Object.entries(folders).flatMap(([folder, files]) =>
    files.flatMap(({ path, tree }) =>
      importsOf(tree)
        .filter((name) => name.startsWith('.'))
        .map((name) => normalize(join(dirname(path), name)))
        .filter((target) => ![folder, ...(mayImport[folder] ?? [])].includes(target.split('/')[0] ?? ''))
        .map((target) => `${path} imports ${target}`),
    ),
  )
  t.ok((folders['core'] ?? []).length > 20, 'the core was found')
  t.same(forbidden, [])
})

t.test('commands put numbers before nouns with countOf, so that one thing is not "1 things"', async (t) => {
  const counted = /\$\{[\w.]*(?:length|size|[cC]ount|Bytes)\} [a-z]+s\b/
  const wrong = (folders['cli'] ?? []).filter(({ tree }) => counted.test(tree.text)).map(({ path }) => path)
  t.same(wrong, [])
})

t.test('no refined schema is spread, because that loses the refinement', async (t) => {
  const named = (node: ts.Node, found: ts.Node[] = []): readonly ts.Node[] => {
    if (ts.isSpreadAssignment(node) && ts.isIdentifier(node.expression)) found.push(node)
    ts.forEachChild(node, (child) => void named(child, found))
    return found
  }
  const refined = new Set(
    sources.flatMap(({ text }) =>
      [...text.matchAll(/const (\w+)(?:: \w+)? = Type\.Refine\(/g)].map(([, name]) => name),
    ),
  )
  const spread = sources.flatMap(({ path, tree }) =>
    named(tree)
      .map((node) => node.getText().slice('...'.length))
      .filter((name) => refined.has(name))
      .map((name) => `${path}: ...${name}`),
  )
  t.ok(refined.has('LayerName'))
  t.same(spread, [])
})

t.test('the core imports no package of a provider, a server or a terminal', async (t) => {
  const allowed =
    /^(node:|typebox(\/|$)|yaml$|dotenv$|croner$|fastest-levenshtein$|fflate$|ignore$|eventsource-parser$|(http|https|socks)-proxy-agent$|\.)/
  const strange = (folders['core'] ?? []).flatMap(({ path, tree }) =>
    importsOf(tree)
      .filter((name) => name !== '' && !allowed.test(name))
      .map((name) => `${path} imports ${name}`),
  )
  t.same(strange, [])
})

t.test(
  'only workers load the PDF engine and the picture library: neither may block who answers requests',
  async (t) => {
    const heavy = /^(mupdf|sharp)(\/|$)/
    const loading = sources
      .filter(({ tree }) => importsOf(tree).some((name) => heavy.test(name)))
      .map(({ path }) => path)
    t.ok(loading.length > 1, 'they were found')
    t.same(
      loading.filter((path) => !path.startsWith('workers/')),
      [],
    )
  },
)

t.test('only its adapter knows the database, and only workers know threads', async (t) => {
  const own: Readonly<Record<string, RegExp>> = { level: /^server\/storage\//, 'node:worker_threads': /^workers\// }
  const strange = sources.flatMap(({ path, tree }) =>
    importsOf(tree)
      .filter((name) => own[name] !== undefined && !own[name].test(path))
      .map((name) => `${path} imports ${name}`),
  )
  t.same(strange, [])
})

t.test(
  'only one module loads the PDF engine: a second one would lack its patches, and ends a built thread',
  async (t) => {
    const loading = sources.filter(({ tree }) => importsOf(tree, { values: true }).includes('mupdf'))
    t.same(
      loading.map(({ path }) => path),
      ['workers/engine/library.ts'],
    )
  },
)

t.test('only one module reads the memory of the PDF engine, which is reallocated when it grows', async (t) => {
  const views = new Set(['asUint8Array', 'getPixels', 'HEAPU8', 'asPNG', 'asJPEG', 'asPSD', 'asPAM'])
  const module = 'workers/engine/engine-memory.ts'
  // The library exposes its memory to that module, and measures it.
  const isAllowed = (path: string, name: string) =>
    path === module || (path === 'workers/engine/library.ts' && name === 'HEAPU8')
  const uses = sources.flatMap(({ path, tree }) =>
    wordsOf(tree)
      .filter(({ text }) => views.has(text))
      .map(({ text, line }) => ({ path, text, line })),
  )
  t.ok(
    uses.some(({ path }) => path === module),
    'the module was found',
  )
  t.same(
    uses.filter(({ path, text }) => !isAllowed(path, text)).map(({ path, text, line }) => `${path}:${line} ${text}`),
    [],
  )
})

/** What pages and the server both need, in modules that import nothing. */
const sharedWithPages = ['server/auth/scope-presets.ts', 'workers/contract/link-address.ts']

t.test('what browsers load takes only types and two tables from the server, and nothing imports it', async (t) => {
  const isBrowser = (path: string) => path.startsWith('server/browser/')
  for (const { path, text } of sources.filter(({ path }) => sharedWithPages.includes(path)))
    t.notMatch(text, /^import /m, path)
  const crossings = sources.flatMap((source) =>
    importedFiles(source, { values: isBrowser(source.path) })
      .filter((target) => isBrowser(target) !== isBrowser(source.path) && !sharedWithPages.includes(target))
      .map((target) => `${source.path} imports ${target}`),
  )
  t.ok(
    sources.some(({ path }) => path.endsWith('.tsx')),
    'pages were found',
  )
  t.same(crossings, [])
})

t.test('storage knows no request, and the answers of workers have a contract of their own', async (t) => {
  const mayKnow: Readonly<Record<string, RegExp>> = {
    'server/storage/': /^server\/(storage\/|rows\/|limits|refusals\/)/,
    'workers/contract/': /^workers\/contract\//,
  }
  const strange = sources.flatMap(({ path, tree }) => {
    const allowed = Object.entries(mayKnow).find(([folder]) => path.startsWith(folder))?.[1]
    if (allowed === undefined) return []
    return importsOf(tree)
      .filter((name) => name.startsWith('.'))
      .map((name) => normalize(join(dirname(path), name)))
      .filter((target) => !target.startsWith('core/') && !allowed.test(target))
      .map((target) => `${path} imports ${target}`)
  })
  t.same(strange, [])
})

t.test('the core names no provider, no resource kind and no HTTP path', async (t) => {
  const named = (folders['core'] ?? []).flatMap(({ path, tree }) =>
    wordsOf(tree)
      .filter(({ text, isText }) => {
        if (providerNames.test(text)) return true
        return isText && (kindNames.has(text) || (httpPath.test(text) && !hasLocalPaths(path)))
      })
      .map(({ text, line }) => `${path}:${line} names ${JSON.stringify(text)}`),
  )
  t.same(named, [])
})

t.test('providers do not know each other', async (t) => {
  const shared = ['kinds', 'shared', 'emulator']
  const crossing = (folders['plugins'] ?? []).flatMap(({ path, tree }) => {
    const own = path.split('/')[1] ?? ''
    if (shared.includes(own) || path.split('/').length < 3) return []
    return importsOf(tree)
      .filter((name) => name.startsWith('.'))
      .map((name) => normalize(join(dirname(path), name)).split('/'))
      .filter(([folder, other = '']) => folder === 'plugins' && other !== own && !shared.includes(other))
      .map((target) => `${path} imports ${target.join('/')}`)
  })
  t.same(crossing, [])
})

t.test(`no source file has more than ${linesMax} lines`, async (t) => {
  t.same(
    sources.filter(({ text }) => text.split('\n').length - 1 > linesMax).map(({ path }) => path),
    [],
  )
})

t.test('the first line of every source file describes the file', async (t) => {
  const silent = sources.filter(({ text }) => {
    const [first = '', second = ''] = text.split('\n')
    return !/^\/\/ \S.{10,}/.test(first.startsWith('#!') ? second : first)
  })
  t.same(
    silent.map(({ path }) => path),
    [],
  )
})

/** Ports reach for files of the system, and the conformance suite works in a folder that it makes up. */
function hasLocalPaths(path: string): boolean {
  return path.startsWith('core/ports/') || path.startsWith('core/conformance/')
}

/** Names and texts of the code. Comments are no part of it, and texts inside types are names of members. */
function wordsOf(tree: ts.SourceFile) {
  const found: { readonly text: string; readonly line: number; readonly isText: boolean }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralTypeNode(node)) return
    const isText = ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)
    if (isText || ts.isIdentifier(node)) {
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
      found.push({ text: node.text, line, isText })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}
