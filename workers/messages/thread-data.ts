// What the pool gives a thread when it starts it, read back inside the thread with a check.
import { workerData } from 'node:worker_threads'
import type { JobLimits } from '../limits.js'

export interface ThreadData {
  /** mupdf, compiled once for all threads. */
  readonly module: WebAssembly.Module
  readonly limits: JobLimits
}

/** Undefined outside of a pool, where mupdf compiles itself: jobs can be called directly. */
export function sharedModule(): WebAssembly.Module | undefined {
  return threadData()?.module
}

export function threadData(): ThreadData | undefined {
  return isThreadData(workerData) ? workerData : undefined
}

function isThreadData(value: unknown): value is ThreadData {
  return typeof value === 'object' && value !== null && 'module' in value && value.module instanceof WebAssembly.Module
}
