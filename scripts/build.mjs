// Bundles the command line and the library entries into dist/, split so that a command loads only what it uses.
//
//   node scripts/build.mjs [--if-needed]
//
// Everything is made in a folder of its own and then takes the place of dist/, so that a program that runs meanwhile
// never meets half a build.
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const output = join(root, 'dist')
const workshop = join(root, 'node_modules/.steward')
const making = join(workshop, `made-${process.pid}`)
const old = join(workshop, `old-${process.pid}`)
const sources = [
  'core',
  'plugins',
  'workers',
  'server',
  'cli',
  'scripts/build.mjs',
  'package.json',
  'package-lock.json',
]

const common = {
  absWorkingDir: root,
  outdir: making,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  minifySyntax: true,
  // Bundled CommonJS packages call require() for modules of Node.
  banner: {
    js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
  },
  // These packages look for files of their own at run time; only commands that serve HTTP load them.
  external: ['fastify', '@fastify/*', 'harfbuzzjs', 'level', 'mupdf', 'piscina', 'sharp'],
}

if (process.argv.includes('--if-needed') && isFresh()) process.exit(0)

const startedAt = new Date()
mkdirSync(workshop, { recursive: true })
try {
  await bundle()
  declareTypes()
  takePlace()
} finally {
  for (const folder of [making, old]) rmSync(folder, { recursive: true, force: true })
}

function takePlace() {
  if (existsSync(output)) unless('ENOENT', () => renameSync(output, old))
  // A concurrent build of the same sources may have finished first; both results are equal.
  unless('ENOTEMPTY', () => renameSync(making, output))
}

function unless(code, move) {
  try {
    move()
  } catch (error) {
    if (error.code !== code) throw error
  }
}

async function bundle() {
  await build({
    ...common,
    entryPoints: {
      agents: 'cli/main.ts',
      steward: 'core/index.ts',
      plugin: 'core/plugin.ts',
      kinds: 'plugins/kinds/index.ts',
      providers: 'plugins/builtins.ts',
      server: 'server/index.ts',
      'server-conformance': 'server/storage/conformance/index.ts',
    },
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
  })
  // In one file: a thread that loads hundreds of small ones takes twice as long to start, and 20 MB more memory.
  // The pool resolves it by the name `#worker-thread` (package.json, imports).
  await build({ ...common, entryPoints: { 'worker-thread': 'workers/thread/thread.ts' } })
  const program = join(making, 'agents.js')
  chmodSync(program, 0o755)
  // A file edited during the build counts as newer than the build.
  utimesSync(program, startedAt, startedAt)
}

/** Writes type declarations, for programs that embed the engine. */
function declareTypes() {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const project = join(root, 'tsconfig.build.json')
  const folder = join(making, 'types')
  execFileSync(process.execPath, [compiler, '-p', project, '--outDir', folder], { stdio: 'inherit' })
}

/** True when nothing that goes into dist/ is newer than what is there. */
function isFresh() {
  const built = join(output, 'agents.js')
  if (!existsSync(built)) return false
  const builtAtMs = statSync(built).mtimeMs
  return sources.every((source) => newestMs(join(root, source)) <= builtAtMs)
}

function newestMs(path) {
  if (!existsSync(path)) return 0
  const status = statSync(path)
  if (!status.isDirectory()) return status.mtimeMs
  // The folder's own time changes when files are removed.
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))))
}
