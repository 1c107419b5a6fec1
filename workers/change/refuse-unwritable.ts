// Refuses values that a PDF cannot store unchanged. Numbers are stored in single precision without exponents, and
// drawing multiplies them, so larger ones would be altered or lost. A lone surrogate corrupts the adjacent character,
// and a string ends at U+0000.

import { JobRefusal } from '../contract/job-refusal.js'
import { nulIn } from '../contract/nul.js'
import { stepTo } from '../contract/schema-error-messages.js'
import { limits } from '../limits.js'

interface Unwritable {
  /** Path of the value. */
  readonly pointer: string
  readonly message: string
}

/** Throws `InvalidArg` with a pointer to the value in the op. */
export function refuseUnwritable(op: object): void {
  const nul = nulIn(op)
  const found =
    nul === undefined ? unwritableIn(op) : { pointer: nul, message: 'A text in an op cannot contain U+0000' }
  if (found === undefined) return
  const { pointer, message } = found
  throw new JobRefusal('InvalidArg', `${message}: see ${pointer}`, { pointer })
}

/** Searches a value. The recursion needs no limit, because the depth of requests is bounded where they are received. */
function unwritableIn(value: unknown): Unwritable | undefined {
  if (typeof value === 'number' && Math.abs(value) > limits.numberMax) return tooLarge
  if (typeof value === 'string' && loneSurrogate.test(value)) return half
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const within = loneSurrogate.test(name) ? half : unwritableIn(member)
    if (within !== undefined) return { ...within, pointer: `${stepTo(shown(name))}${within.pointer}` }
  }
  return undefined
}

const tooLarge: Unwritable = { pointer: '', message: `A number exceeds the limit of ${limits.numberMax}` }
const half: Unwritable = { pointer: '', message: 'A text contains half of a surrogate pair' }

const loneSurrogate = /\p{Surrogate}/u

const shown = (name: string): string => name.replace(/\p{Surrogate}/gu, '\ufffd')
