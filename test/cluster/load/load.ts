// What the clients of a load run share: the balancer, the history, the clock, and the documents they work on.
import type { Client } from '../../server/support/client.js'
import type { HistoryRecord } from '../history/records.js'
import type { SteadyClient } from './steady-client.js'

export interface Load {
  /** Client of the balancer with the API token. */
  readonly api: Client
  readonly steady: SteadyClient
  readonly records: HistoryRecord[]
  /** Aborted when clients send no more. */
  readonly over: AbortSignal
  /** Number below the bound, from the seed of the run. */
  draw(bound: number): number
  /** Bytes of a new document. */
  newPdf(): Uint8Array
  /** Bytes of each document that an answer promised, by its id; they are read at the end of the run. */
  readonly promises: Map<string, PromisedBytes>
}

export interface PromisedBytes {
  readonly sha256: string
  /** Path of the bytes. */
  readonly path: string
  /** What made the promise: `upload`, `import`, `signature`. */
  readonly by: string
}

export const layerNames = ['default', 'draft'] as const

/** Document that several clients edit until the next one is there, so that histories stay short. */
export interface Stage {
  readonly docId: string
  /** Applied changes that may be undone, by layer. */
  readonly applied: Map<string, AppliedChange[]>
}

export interface AppliedChange {
  readonly opId: string
  readonly key: string
}

export const now = (): number => performance.now()
