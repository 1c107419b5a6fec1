// Refuses a change that takes more object numbers than a file has left, or than its layer may take.
import { JobRefusal } from '../contract/job-refusal.js'
import { limits } from '../limits.js'

export interface NumbersLeft {
  /** First object number that is unused in all layers of the document. */
  readonly nextObject: number
  /** How many new ones the change may take; default: all. */
  readonly numbersMax?: number
}

/** `next`: the first number that is unused now. Throws `LayerFull`. */
export function refuseFull(next: number, { nextObject, numbersMax = Number.POSITIVE_INFINITY }: NumbersLeft): void {
  if (next > limits.objectNumberMax) {
    const details = { lastObjectNumber: limits.objectNumberMax }
    throw new JobRefusal('LayerFull', 'The document has no object numbers left', details)
  }
  if (next - nextObject <= numbersMax) return
  throw new JobRefusal('LayerFull', 'The layer cannot take so many new objects', { numbersLeft: numbersMax })
}
