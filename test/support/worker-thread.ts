// The worker thread as it is now, bundled for tests that run TypeScript: threads get no loader, so they need plain
// JavaScript, and the built program's may be older than the sources.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const workshop = join(root, 'node_modules/.steward')

/** For `WorkerPool.start({ thread: await builtThread() })`. Test files that run at once share one file by its content. */
export async function builtThread(): Promise<URL> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['workers/thread.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    write: false,
  })
  const [file] = outputFiles
  if (file === undefined) throw new Error('esbuild wrote nothing')
  const hash = createHash('sha256').update(file.contents).digest('hex').slice(0, 12)
  const path = join(workshop, `worker-thread-${hash}.js`)
  if (!existsSync(path)) {
    mkdirSync(workshop, { recursive: true })
    const making = `${path}.${process.pid}`
    writeFileSync(making, file.contents)
    renameSync(making, path)
  }
  return pathToFileURL(path)
}
