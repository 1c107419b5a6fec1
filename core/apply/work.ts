// Shared context of the steps of an apply: state, clients and outputs.

import type { Diagnostic } from '../diagnostic.js'
import type { Connections } from '../plan/connections.js'
import type { LeafHasher } from '../plan/hasher.js'
import type { KnownOutputs } from '../plan/outputs.js'
import type { Call } from '../plugin/handler.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import type { ApplyOptions } from './options.js'

/** The part of the state store that an apply needs. A resolved promise means the row survives a crash. */
export interface StateWriter {
  readonly rows: ReadonlyMap<Address, Row>
  put(address: Address, row: Row): Promise<void>
  delete(address: Address): Promise<void>
  flushed(): Promise<void>
}

export interface Work {
  readonly options: ApplyOptions
  readonly projectName: string
  readonly state: StateWriter
  readonly connections: Connections
  readonly values: KnownOutputs
  readonly hasher: LeafHasher
  /**
   * Writes that nothing has to wait for but the end of the apply: losing one costs the next plan a closer look, since
   * the id it belongs to is durable already.
   */
  readonly finishing: Promise<void>[]
  /** Outcomes that wait until what they say is durable. None of them rejects. */
  readonly ending: Promise<void>[]
  /** Creates of equal objects, by what they want: the end of the one that came last. */
  readonly alike: Map<string, Promise<void>>
}

/** Lets a write finish on its own; the apply awaits it, and tells its failure, before it ends. */
export function finishLater({ finishing }: Work, written: Promise<void>): void {
  written.catch(() => {}) // Told where the apply awaits it.
  finishing.push(written)
}

/**
 * Lets the next change start while a write is flushed; the outcome of this one is reported when it was. Safe, because
 * nothing is sent ahead of it: a create was journaled itself, behind this write, and every other effect awaits
 * `flushed`.
 */
export function reportLater({ recording }: Task, written: Promise<void>): void {
  written.catch(() => {}) // Reported with the outcome.
  recording.push(written)
}

/** One change being carried out. */
export interface Task {
  readonly work: Work
  readonly address: Address
  readonly provider: string
  /** Aborts at the change's deadline and at the second Ctrl-C. */
  readonly signal: AbortSignal
  readonly call: Call<unknown>
  /** Warnings gathered on the way. */
  readonly notes: Diagnostic[]
  /** Digests of the local sources whose bytes were asked for. */
  readonly sourcesRead: ReadonlySet<string>
  /** Writes of this change to the state that its outcome waits for, and nothing else: see `reportLater`. */
  readonly recording: Promise<void>[]
  /** Called when the provider has carried something out: a failure after that leaves the change half done. */
  onEffect(): void
}

export const applyLimits = {
  /** A change that takes longer is given up; readiness has its own, longer limit. */
  changeDeadlineMs: 10 * 60_000,
  /** Time after the first Ctrl-C in which changes in flight may end; then they are aborted, as by the second. */
  stopGraceMs: 5_000,
  createAttemptsMax: 8,
  firstBackoffMs: 500,
  longestBackoffMs: 8_000,
  /** How often an update is repeated when only the object's version moved. */
  staleAttemptsMax: 4,
} as const

export function backoffMs(attempt: number, fraction: number): number {
  return fraction * Math.min(applyLimits.longestBackoffMs, applyLimits.firstBackoffMs * 2 ** (attempt - 1))
}
