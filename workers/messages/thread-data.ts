// Start data of a thread, passed by the pool and checked inside the thread.
import { workerData } from 'node:worker_threads'
import type { JobLimits } from '../limits.js'

export interface ThreadData {
  /** mupdf, compiled once for all threads. */
  readonly module: WebAssembly.Module
  readonly limits: JobLimits
}

/**
 * Returns the shared module; undefined outside of a pool, where mupdf compiles itself and jobs can be called directly.
 */
export function sharedModule(): WebAssembly.Module | undefined {
  return threadData()?.module
}

export function threadData(): ThreadData | undefined {
  return isThreadData(workerData) ? workerData : undefined
}

function isThreadData(value: unknown): value is ThreadData {
  return typeof value === 'object' && value !== null && 'module' in value && value.module instanceof WebAssembly.Module
}
