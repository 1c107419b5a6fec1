// Pages a second that the worker pool of the built program draws and encodes with one thread and with two. The pool is
// asked directly, in this process: over HTTP, client and server would take the cores that the threads are measured on.
import { mkdtempSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { openDeployment, readSettings } from '../dist/server.js'

const rounds = 6
const picturesPerThread = 64
/** One page is drawn while the next one waits in the queue. */
const inFlightPerThread = 2

/**
 * Returns how many times as many pages two threads draw: first pages of the files in turn, 800 pixels wide. The best of
 * several rounds of each counts, taken alternately, because other processes can only slow a round down.
 */
export async function twoThreadsAgainstOne(paths, scratch) {
  const opened = []
  try {
    for (const threads of [1, 2]) opened.push(await open(threads, mkdtempSync(join(scratch, 'data-'))))
    const pools = opened.map(({ threads, deployment }) => ({ threads, workers: deployment.workers, best: 0 }))
    const pictures = []
    for (const path of paths) pictures.push(await firstPage(pools[0].workers, path))
    for (const pool of pools) await pagesPerSecond(pool, pictures)
    for (let round = 0; round < rounds; round++) {
      for (const pool of pools) pool.best = Math.max(pool.best, await pagesPerSecond(pool, pictures))
    }
    return pools[1].best / pools[0].best
  } finally {
    for (const { close } of opened) await close()
  }
}

async function open(threads, data) {
  const config = { ...(await readSettings({ flags: {}, env: {} })), data, threads }
  const logTo = new Writable({ write: (_chunk, _encoding, done) => done() })
  return { threads, ...(await openDeployment(config, { env: {}, logTo })) }
}

async function firstPage(workers, path) {
  const source = { document: path, key: path, path, sizeBytes: statSync(path).size }
  const [objectNumber] = await workers.run('pages', { source })
  const view = { viewport: { kind: 'width', width: 800 }, target: undefined, rotation: 0 }
  const looks = { family: 'pages', view, encoding: { format: 'webp' }, background: 'white' }
  return { source, page: objectNumber, ...looks }
}

async function pagesPerSecond({ threads, workers }, pictures) {
  const wanted = threads * picturesPerThread
  let asked = 0
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: threads * inFlightPerThread }, async () => {
      while (asked < wanted) await workers.run('render', pictures[asked++ % pictures.length])
    }),
  )
  return (wanted / (performance.now() - startedMs)) * 1000
}
