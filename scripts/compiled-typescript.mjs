// Compiles TypeScript sources, each alone, and stores the code below node_modules for the next process. Types are not
// checked; `npm run typecheck` does that.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const rootUrl = new URL('../', import.meta.url).href
const root = fileURLToPath(rootUrl)
const kept = join(root, 'node_modules/.steward/compiled')
const folders = ['core', 'plugins', 'workers', 'server', 'cli', 'test']
const { version } = createRequire(import.meta.url)('esbuild/package.json')
const options = {
  loader: 'ts',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  tsconfigRaw: { compilerOptions: { target: 'ES2022', verbatimModuleSyntax: true } },
}
const compiler = JSON.stringify([version, options])

/** Returns the code of one source file, compiled if nobody has done so since it was written. */
export async function compiledText(path) {
  const source = readFileSync(path, 'utf8')
  // Ends a cached file, so that an incomplete file is never used.
  const seal = `//${createHash('sha256').update(compiler).update(`\n${path}\n`).update(source).digest('hex')}\n`
  const file = join(kept, `${relative(root, path)}.js`)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before.endsWith(seal)) return before
  const text = (await compile(source, path)) + seal
  mkdirSync(dirname(file), { recursive: true })
  const making = `${file}.${randomUUID()}`
  writeFileSync(making, text)
  renameSync(making, file)
  return text
}

/** Compiles every source of the repository, so that the processes of a test run need no compiler. */
export async function compileAll() {
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => join(root, folder, name)),
  )
  await Promise.all(sources.map(compiledText))
}

async function compile(source, path) {
  const { transform } = await import('esbuild')
  // The compiler's own process does not keep a thread alive that has nothing else to do.
  const alive = setInterval(() => {}, 1000)
  try {
    return (await transform(source, { ...options, sourcefile: path })).code
  } finally {
    clearInterval(alive)
  }
}
