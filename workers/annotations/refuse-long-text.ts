// Refuses long texts: those of all annotations together must fit into one answer, or nobody could list them any more.
import { JobRefusal } from '../contract/job-refusal.js'
import { limits } from '../limits.js'

/** Throws `InvalidArg` if the texts of the value together are too long. */
export function refuseLongText(member: string, value: unknown): void {
  const max = limits.writtenTextCharactersMax
  if (charactersOf(value) > max) {
    throw new JobRefusal('InvalidArg', `The member ${member} has more than ${max} characters`, { member })
  }
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, one) => sum + charactersOf(one), 0)
}
