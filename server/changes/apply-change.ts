// One change of a layer, from what is asked to what is durable: see `applyChange`.
import { Refusal } from '../errors.js'
import type { DocumentContext } from '../operation.js'
import type { ChangeWork, Outcome } from './words.js'

export interface AskedChange {
  readonly opId: string
  readonly work: ChangeWork
}

export interface Answered {
  readonly outcome: Outcome
  /** The answer was given before, to the same request. */
  readonly isReplay: boolean
}

export async function applyChange(_context: DocumentContext, { opId }: AskedChange): Promise<Answered> {
  throw new Refusal('NotImplemented', `Layers cannot be changed yet (${opId})`)
}
