// The verdict of a soak: what grew, what was left open, and what was answered wrongly.
import { type Trend, trendOf } from './judge.js'
import type { Measurement } from './measurements.js'

export interface SoakRecord {
  /** Measured under load, after the warm-up. */
  readonly measurements: readonly Measurement[]
  /** Measured without clients and documents, after the warm-up and at the end. */
  readonly idle: { readonly before: Measurement; readonly after: Measurement }
  /** Answers that must not be, findings of `serve --check`, an early end of the process. */
  readonly complaints: readonly string[]
}

/**
 * Threads keep up to 64 documents open each, and close many at once: lower quartiles of resident memory grow and shrink by up
 * to 62 MB in ten minutes of an hour in which they grew by 47 MB in all; a slower leak shows in a longer soak. Descriptors differ by as many as there are
 * open documents, so that they are judged without load only, where a leak shows exactly.
 */
const tolerances = {
  residentMb: { absolute: 80, relative: 0.12 },
  heapMb: { absolute: 8, relative: 0.1 },
  // Threads come and go with the pictures and slow tasks in flight, so that a few more or less say nothing.
  threads: { absolute: 6, relative: 0 },
} as const
export type Judged = keyof typeof tolerances

/** Descriptors of an idle server may differ by these: files of the database, and connections that are being closed. */
const idleFilesMore = 12
/** Threads of an idle server: those that encode pictures end some time after their last one. */
const idleThreadsMore = 4

export interface Verdict {
  readonly trends: Readonly<Record<Judged, Trend>>
  /** Empty if the soak passed. */
  readonly failures: readonly string[]
  /** Those of the failures that no measurement is needed for. */
  readonly complaints: readonly string[]
}

export function verdictOf({ measurements, idle, complaints }: SoakRecord): Verdict {
  const trend = (name: Judged) =>
    trendOf(
      measurements.map((one) => ({ minute: one.minute, value: one[name] })),
      tolerances[name],
    )
  const trends = {
    residentMb: trend('residentMb'),
    heapMb: trend('heapMb'),
    threads: trend('threads'),
  }
  const growing = Object.entries(trends)
    .filter(([, { grows }]) => grows)
    .map(([name, { growth, allowed }]) => `${name} grew by ${growth.toFixed(1)}; allowed: ${allowed.toFixed(1)}`)
  const left = [
    ...leftOpen('descriptors', idle.after.files - idle.before.files, idleFilesMore),
    ...leftOpen('threads', idle.after.threads - idle.before.threads, idleThreadsMore),
  ]
  return { trends, failures: [...growing, ...left, ...complaints], complaints }
}

const leftOpen = (what: string, more: number, allowed: number): readonly string[] =>
  more > allowed ? [`${more} more ${what} are open without clients than before`] : []
