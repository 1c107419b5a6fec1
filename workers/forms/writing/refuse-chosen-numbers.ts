// Refuses object numbers chosen by clients: they must be reserved, and this server does not reserve any.
import { JobRefusal } from '../../contract/job-refusal.js'

/** Throws `ObjectNumberUnavailable`. */
export function refuseChosenNumbers(...numbers: readonly (number | undefined)[]): void {
  const objectNumber = numbers.find((number) => number !== undefined)
  if (objectNumber === undefined) return
  throw new JobRefusal('ObjectNumberUnavailable', `The object number ${objectNumber} is not reserved by the caller`, {
    objectNumber,
    reason: 'not-held',
  })
}
