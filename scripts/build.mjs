// Bundles the command line and the two library entries into dist/, split so that a command loads only what it uses.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const output = join(root, 'dist')
const sources = ['core', 'plugins', 'workers', 'server', 'cli', 'scripts', 'package.json', 'package-lock.json']

if (process.argv.includes('--if-needed') && isFresh()) process.exit(0)

rmSync(output, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: { agents: 'cli/main.ts', steward: 'core/index.ts', plugin: 'core/plugin/index.ts' },
  outdir: output,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  minifySyntax: true,
  // CommonJS packages that call require() at run time; only commands that serve HTTP load them.
  external: ['fastify', '@fastify/*'],
})
execFileSync(
  process.execPath,
  [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'tsconfig.build.json')],
  {
    stdio: 'inherit',
  },
)

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
  return Math.max(0, ...readdirSync(path).map((name) => newestMs(join(path, name))))
}
