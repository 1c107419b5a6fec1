// Compiles TypeScript sources, each alone, into a tree below node_modules, from which Node runs them without a loader: one
// that runs in a thread of its own, as those of Node 20 do, now and then loses the last answer to the main thread, which
// then ends with code 13. Types are not checked; `npm run typecheck` does that.
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export const rootUrl = new URL('../', import.meta.url).href
const root = fileURLToPath(rootUrl)
const tree = join(root, 'node_modules/.steward/compiled')
const folders = ['core', 'plugins', 'workers', 'server', 'cli', 'test', 'scripts', 'examples']
const { version } = createRequire(import.meta.url)('esbuild/package.json')
const options = {
  loader: 'ts',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  tsconfigRaw: { compilerOptions: { target: 'ES2022', verbatimModuleSyntax: true } },
}
const compiler = JSON.stringify([version, options, 1])

/** Returns the path of the compiled code of a source. */
export function compiledPath(path) {
  return join(tree, relative(root, resolve(path))).replace(/\.ts$/, '.js')
}

/** Returns the code of one source file, compiled if nobody has done so since it was written. */
export async function compiledText(path) {
  const source = readFileSync(path, 'utf8')
  // Ends a compiled file, so that an incomplete file is never used.
  const seal = `//${createHash('sha256').update(compiler).update(`\n${path}\n`).update(source).digest('hex')}\n`
  const file = compiledPath(path)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before.endsWith(seal)) return before
  const text = (await compile(source, path)) + seal
  mkdirSync(dirname(file), { recursive: true })
  replaceFile(file, text)
  return text
}

/** Compiles every source of the repository, so that the processes of a test run need no compiler. */
export async function compileAll() {
  mkdirSync(tree, { recursive: true })
  // What the sources find by the name of the package.
  const { type, imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  replaceFile(join(tree, 'package.json'), JSON.stringify({ type, imports }))
  linkTo(join(root, 'dist'), join(tree, 'dist'))
  const paths = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('node_modules'))
      .map((name) => join(root, folder, name)),
  )
  await compileChanged(paths.filter((path) => /(?<!\.d)\.ts$/.test(path)))
  for (const path of paths.filter((path) => path.endsWith('.mjs'))) {
    linkTo(path, compiledPath(path))
  }
}

/** Compiles the sources that were written since the last time, and remembers when each was. */
async function compileChanged(paths) {
  const file = join(tree, 'written.json')
  // A copy of the repository compiles anew: the code contains the paths of its sources.
  const kind = JSON.stringify([compiler, root])
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const known = before.kind === kind ? before.written : {}
  const written = Object.fromEntries(
    paths.map((path) => {
      const { mtimeMs, size } = statSync(path)
      return [path, `${mtimeMs} ${size}`]
    }),
  )
  const changed = paths.filter((path) => known[path] !== written[path])
  if (changed.length === 0) return
  await Promise.all(changed.map(compiledText))
  replaceFile(file, JSON.stringify({ kind, written }))
}

/** Makes a link that leads to the same place of a copied repository as of this one. */
function linkTo(target, link) {
  const leadsTo = relative(dirname(link), target)
  if (readLink(link) === leadsTo) return
  mkdirSync(dirname(link), { recursive: true })
  const making = `${link}.${randomUUID()}`
  symlinkSync(leadsTo, making)
  renameSync(making, link)
}

function readLink(path) {
  try {
    return readlinkSync(path)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

async function compile(source, path) {
  const { transform } = await import('esbuild')
  // The code finds files beside its source, not beside itself.
  const place = {
    'import.meta.url': JSON.stringify(pathToFileURL(path).href),
    'import.meta.dirname': JSON.stringify(dirname(path)),
    'import.meta.filename': JSON.stringify(path),
  }
  // The compiler's own process does not keep a thread alive that has nothing else to do.
  const alive = setInterval(() => {}, 1000)
  try {
    const { code } = await transform(source, { ...options, define: place, sourcefile: path })
    // Names of modules that are put together from data end with that of a source.
    return code.replaceAll(/(import\(`[^`]*)\.ts`\)/g, '$1.js`)')
  } finally {
    clearInterval(alive)
  }
}

function replaceFile(path, text) {
  const making = `${path}.${randomUUID()}`
  writeFileSync(making, text)
  renameSync(making, path)
}
