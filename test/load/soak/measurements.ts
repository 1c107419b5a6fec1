// Measures a server process: memory, heap, descriptors, threads, size of its data folder, delay of its event loop.
import { type Dirent, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type BuiltServer, openFiles, residentBytes, threadsOf } from '../built-server.js'
import { within } from '../within.js'

export interface Measurement {
  /** Minutes since the begin. */
  readonly minute: number
  readonly residentMb: number
  readonly heapMb: number
  readonly externalMb: number
  readonly files: number
  readonly threads: number
  readonly folderMb: number
  /** 99th percentile since the start of the process. */
  readonly loopDelayMs: number
  /** Worker threads that were replaced since the start. */
  readonly replaced: number
}

const metricsMsMax = 30_000
const megabyte = 1024 * 1024

export async function measure({ api, pid }: BuiltServer, folder: string, minute: number): Promise<Measurement> {
  const metrics = (await within(metricsMsMax, api.get('/metrics')))?.text ?? ''
  const metric = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? 0)
  return {
    minute,
    residentMb: residentBytes(pid) / megabyte,
    heapMb: metric('steward_nodejs_heap_size_used_bytes') / megabyte,
    externalMb: metric('steward_nodejs_external_memory_bytes') / megabyte,
    files: openFiles(pid),
    threads: threadsOf(pid),
    folderMb: folderBytes(folder) / megabyte,
    loopDelayMs: metric('steward_nodejs_eventloop_lag_p99_seconds') * 1000,
    replaced: metric('steward_pool_replaced'),
  }
}

/** Files and folders may be removed meanwhile. */
function folderBytes(folder: string): number {
  let bytes = 0
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name)
    bytes += entry.isDirectory() ? folderBytes(path) : (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  }
  return bytes
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
