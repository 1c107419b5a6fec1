// Port of random values, so that tests can repeat them.
import { randomUUID } from 'node:crypto'

export interface Random {
  /** Returns a new RFC 4122 version 4 id. */
  uuid(): string
  /** Returns a number of at least 0 and below 1. */
  fraction(): number
}

export const systemRandom: Random = { uuid: () => randomUUID(), fraction: () => Math.random() }
