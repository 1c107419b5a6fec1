// Bundles the command line and the library entries into dist/, split so that a command loads only what it uses.
//
//   node scripts/build.mjs [--if-needed]
//
// The build is made in a staging folder, which then replaces dist/, so that a running program never loads half a build.
import {
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { finished } from 'node:stream/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { bundling } from './bundling.mjs'
import { compileTypes } from './compiler.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const output = join(root, 'dist')
const staging = join(root, 'node_modules/.steward')
const building = join(staging, `made-${process.pid}`)
const old = join(staging, `old-${process.pid}`)
const sources = [
  'core',
  'plugins',
  'workers',
  'server',
  'cli',
  'scripts/build.mjs',
  'scripts/bundling.mjs',
  'package.json',
  'package-lock.json',
]

const common = { ...bundling, outdir: building, minifySyntax: true }

if (process.argv.includes('--if-needed') && isFresh()) process.exit(0)

const startedAt = new Date()
mkdirSync(staging, { recursive: true })
try {
  await bundle()
  declareTypes()
  replaceOutput()
} finally {
  for (const folder of [building, old]) rmSync(folder, { recursive: true, force: true })
}

function replaceOutput() {
  if (existsSync(output)) ignoring('ENOENT', () => renameSync(output, old))
  // A concurrent build of the same sources may have finished first; both results are equal.
  ignoring('ENOTEMPTY', () => renameSync(building, output))
}

function ignoring(code, move) {
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
      program: 'cli/program.ts',
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
  // As one file without the program, which it imports when it has to: each file that is loaded costs time at every start.
  await build({ ...common, entryPoints: { agents: 'cli/main.ts' }, external: ['./program.js'], banner: {} })
  await prepareAnswers()
  // As one file: loading hundreds of small files doubles the start time of a thread, and takes 20 MB more memory.
  // The pool resolves it by the name `#worker-thread` (package.json, imports).
  await build({ ...common, entryPoints: { 'worker-thread': 'workers/thread/thread.ts' } })
  await bundlePages()
  const program = join(building, 'agents.js')
  chmodSync(program, 0o755)
  // A file edited during the build counts as newer than the build.
  utimesSync(program, startedAt, startedAt)
}

/** Runs what was just bundled, and stores its answers to questions that are often asked. */
async function prepareAnswers() {
  const { catalogue, preparedLines, runProgram } = await import(pathToFileURL(join(building, 'program.js')))
  const folder = join(building, 'prepared')
  mkdirSync(folder)
  writeFileSync(join(folder, 'commands.json'), JSON.stringify(catalogue()))
  for (const words of preparedLines) {
    const stdout = createWriteStream(join(folder, `${words.join('-')}.txt`))
    const context = { env: {}, stdin: process.stdin, stderr: process.stderr, colorDepth: 1, version: '', catalogue }
    const code = await runProgram(words, { ...context, stdout, workingFolder: folder })
    if (code !== 0) throw new Error(`agents ${words.join(' ')} ended with ${code}`)
    await finished(stdout.end())
  }
}

/** Bundles what browsers load. The names of the files change with their content, so that browsers keep them for good. */
async function bundlePages() {
  const { metafile } = await build({
    absWorkingDir: root,
    outdir: join(building, 'pages'),
    entryPoints: { viewer: 'server/browser/viewer/main.tsx', console: 'server/browser/console/main.tsx' },
    entryNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome115', 'firefox115', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'linked',
    metafile: true,
  })
  const pages = Object.entries(metafile.outputs).flatMap(([script, { entryPoint, cssBundle }]) => {
    const names = { script: basename(script), style: basename(cssBundle ?? '') }
    return entryPoint === undefined ? [] : [[basename(dirname(entryPoint)), names]]
  })
  // The server finds the files by it (package.json, imports).
  writeFileSync(join(building, 'pages/pages.json'), JSON.stringify(Object.fromEntries(pages)))
}

/** Writes type declarations, for programs that embed the engine. */
function declareTypes() {
  const code = compileTypes(['-p', 'tsconfig.build.json', '--outDir', join(building, 'types')])
  if (code !== 0) throw new Error('The type declarations could not be written')
}

/** True if no source is newer than dist/. */
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
