// Ends the process with the seed of a case that never ends. A case that blocks the event loop cannot be noticed in its own
// thread, so a second one watches.
import { Worker } from 'node:worker_threads'

/** Longer than every bound within a case allows. */
const hungAfterMs = 10 * 60 * 1000
const intervalMs = 5_000

const watcher = `
const { workerData: { cell, name, hungAfterMs, intervalMs } } = require('node:worker_threads')
let [last, since] = [0, Date.now()]
setInterval(() => {
  const now = Atomics.load(cell, 0)
  if (now !== last) [last, since] = [now, Date.now()]
  else if (Date.now() - since > hungAfterMs) {
    require('node:fs').writeSync(2, name + ': the case of seed ' + Atomics.load(cell, 1) + ' never ends\\n')
    process.kill(process.pid, 'SIGKILL')
  }
}, intervalMs)`

export interface HangWatch {
  begin(seed: number): void
  end(): void
}

export function watchForHangs(name: string): HangWatch {
  const cell = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(watcher, { eval: true, workerData: { cell, name, hungAfterMs, intervalMs } })
  worker.unref()
  return {
    begin(seed) {
      Atomics.add(cell, 0, 1)
      Atomics.store(cell, 1, seed)
    },
    end: () => void worker.terminate(),
  }
}
