// Bundles the worker thread for tests that run TypeScript: threads need plain JavaScript, and that of the built program may
// be outdated.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundling } from './bundling.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const workshop = join(root, 'node_modules/.steward')

/** Returns the path of the bundle, which is named by its content. */
export async function bundleThread() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({ ...bundling, entryPoints: ['workers/thread/thread.ts'], write: false })
  const [file] = outputFiles
  if (file === undefined) throw new Error('esbuild wrote nothing')
  const hash = createHash('sha256').update(file.contents).digest('hex').slice(0, 12)
  const path = join(workshop, `worker-thread-${hash}.mjs`)
  if (!existsSync(path)) {
    mkdirSync(workshop, { recursive: true })
    const making = `${path}.${process.pid}`
    writeFileSync(making, file.contents)
    renameSync(making, path)
    removeOld(path)
  }
  return path
}

/** Removes outdated bundles, except recent ones that another process may still use. */
function removeOld(newest) {
  const before = Date.now() - 60 * 60 * 1000
  for (const name of readdirSync(workshop)) {
    const path = join(workshop, name)
    if (path !== newest && name.startsWith('worker-thread-') && statSync(path).mtimeMs < before)
      rmSync(path, { force: true })
  }
}
