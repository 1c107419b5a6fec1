// Shared context of the steps of an apply: state, clients and outputs.

import type { Diagnostic } from '../diagnostic.js'
import type { Connections } from '../plan/connections.js'
import type { LeafHasher } from '../plan/hasher.js'
import type { KnownOutputs } from '../plan/outputs.js'
import type { Call } from '../plugin/handler.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import type { ApplyOptions } from './options.js'
import type { Places } from './places.js'

/** The part of the state store that an apply needs. When a returned promise resolves, the row would survive a crash. */
export interface StateWriter {
  readonly rows: ReadonlyMap<Address, Row>
  put(address: Address, row: Row): Promise<void>
  delete(address: Address): Promise<void>
  flushed(): Promise<void>
}

export interface Work {
  readonly options: ApplyOptions
  readonly projectName: string
  /** Names that this project has, and had. */
  readonly ownNames: readonly string[]
  readonly state: StateWriter
  readonly connections: Connections
  readonly values: KnownOutputs
  readonly hasher: LeafHasher
  readonly places: Places
  /**
   * Writes that only the end of the apply waits for. If one is lost, the next plan has to read its object, whose id is
   * durable already.
   */
  readonly finishing: Promise<void>[]
  /** Reports of outcomes that wait until the rows they describe are durable. None of them rejects. */
  readonly ending: Promise<void>[]
  /** Last create of each group of equal objects, by the key of the group. */
  readonly alike: Map<string, Promise<void>>
}

/** Lets a write finish in the background. The apply awaits it before it ends, and reports its failure. */
export function finishLater({ finishing }: Work, written: Promise<void>): void {
  written.catch(() => {}) // Told where the apply awaits it.
  finishing.push(written)
}

/**
 * Lets the next change start while a write is flushed; the outcome of this change is reported after the flush. This is
 * safe because no effect precedes its journal entry: a create is journaled behind this write, and every other effect
 * awaits `flushed`.
 */
export function reportLater({ recording }: Task, written: Promise<void>): void {
  written.catch(() => {}) // Reported with the outcome.
  recording.push(written)
}

/** A change in progress. */
export interface Task {
  readonly work: Work
  readonly address: Address
  readonly provider: string
  /** Aborts at the change's deadline and at the second Ctrl-C. */
  readonly signal: AbortSignal
  readonly call: Call<unknown>
  /** Warnings collected during the change. */
  readonly notes: Diagnostic[]
  /** Digests of the local sources whose bytes were read for a request. */
  readonly sourcesRead: ReadonlySet<string>
  /** State writes of this change that its outcome waits for: see `reportLater`. */
  readonly recording: Promise<void>[]
  /** Waits for a place among the changes in progress, unless the change has one. Throws `NotBegun`. */
  begin(): Promise<void>
  /** Called when the provider has made a change. A later failure leaves the change half done. */
  onEffect(): void
}

export const applyLimits = {
  /**
   * Creates that journal their intents ahead of the changes in progress, as a part of the parallelism. A place that
   * becomes free is then taken at once, not after a flush (the row "apply of … new agents" of `npm run bench`).
   */
  preparedFraction: 0.2,
  /** Time limit of a change, without the time for readiness and for what is uploaded. */
  changeDeadlineMs: 10 * 60_000,
  /** Slowest upload that is waited for. The client ends those that stand still. */
  uploadBytesPerMs: 8,
  /** Time after the first Ctrl-C in which changes in flight may end. Then they are aborted, as by the second Ctrl-C. */
  stopGraceMs: 5_000,
  createAttemptsMax: 8,
  firstBackoffMs: 500,
  longestBackoffMs: 8_000,
  /** Number of attempts of an update that fails only because the object's version has changed. */
  staleAttemptsMax: 4,
} as const

export function backoffMs(attempt: number, fraction: number): number {
  return fraction * Math.min(applyLimits.longestBackoffMs, applyLimits.firstBackoffMs * 2 ** (attempt - 1))
}
