// Loads every source and every file of the built program, and starts a worker thread of both, without using anything. What
// executes then executes in every test that merely loads it. Run with trace.mjs.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { bundleThread } from '../bundle-thread.mjs'
import { compiledPath } from '../compiled-typescript.mjs'
import { root, sourcesOf } from './sources.mjs'

/** Sources that run a program when they are loaded, or need a browser or a thread. */
const isProgram = (path) =>
  path === 'cli/main.ts' || path.startsWith('workers/thread/') || path.startsWith('server/browser/')
const builtProgram = /^(agents|worker-thread)\.js$/

for (const path of sourcesOf(root)) {
  if (path.endsWith('.ts') && !isProgram(path)) await import(pathToFileURL(compiledPath(join(root, path))).href)
}
for (const folder of ['dist', 'dist/parts']) {
  for (const name of readdirSync(join(root, folder)).filter((name) => name.endsWith('.js') && !builtProgram.test(name)))
    await import(pathToFileURL(join(root, folder, name)).href)
}
const { WorkerPool } = await import(pathToFileURL(compiledPath(join(root, 'workers/pool/pool.ts'))).href)
for (const path of [await bundleThread(), join(root, 'dist/worker-thread.js')]) {
  const pool = await WorkerPool.start({ threads: 1, thread: pathToFileURL(path) })
  await pool.close()
}
process.exit(0)
