// Finds and compiles TypeScript sources. tsx does the same, and takes a quarter more processor time for each of the 400
// processes of a test run, because it also looks for what this program does not use (CommonJS, paths, JSX).
//
// Compiled code is stored below node_modules for the next process. Types are not checked; `npm run typecheck` does that.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const rootUrl = new URL('../', import.meta.url).href
const root = fileURLToPath(rootUrl)
const kept = join(root, 'node_modules/.steward/compiled')
const { version } = createRequire(import.meta.url)('esbuild/package.json')
const options = {
  loader: 'ts',
  format: 'esm',
  target: 'node20',
  sourcemap: 'inline',
  tsconfigRaw: { compilerOptions: { target: 'ES2022', verbatimModuleSyntax: true } },
}
const compiler = JSON.stringify([version, options])

/** Resolves imports: sources import each other by the names of the compiled files. */
export function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts')) {
    const url = new URL(`${specifier.slice(0, -'.js'.length)}.ts`, context.parentURL)
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true }
  }
  return next(specifier, context)
}

export async function load(url, context, next) {
  if (!url.startsWith(rootUrl) || !url.endsWith('.ts')) return next(url, context)
  return { format: 'module', source: await compiled(fileURLToPath(url)), shortCircuit: true }
}

async function compiled(path) {
  const source = readFileSync(path, 'utf8')
  // Ends a cached file, so that an incomplete file is never used.
  const seal = `//${createHash('sha256').update(compiler).update(`\n${path}\n`).update(source).digest('hex')}\n`
  const file = join(kept, `${relative(root, path)}.js`)
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (before.endsWith(seal)) return before
  const { transform } = await import('esbuild')
  const { code } = await transform(source, { ...options, sourcefile: path })
  const text = code + seal
  mkdirSync(dirname(file), { recursive: true })
  const making = `${file}.${randomUUID()}`
  writeFileSync(making, text)
  renameSync(making, file)
  return text
}
