// Refuses numbers no page has use for. A PDF holds them in single precision and without exponents, and a drawing multiplies
// them: what is larger comes back as another number, or as none.
import { limits } from '../limits.js'
import { JobRefusal } from '../task.js'

/** Throws `InvalidArg` that says where in the op the number stands. */
export function refuseLargeNumbers(op: object): void {
  const pointer = largeNumberIn(op)
  if (pointer === undefined) return
  const message = `A number of an op is not larger than ${limits.numberMax}, and the one at ${pointer} is`
  throw new JobRefusal('InvalidArg', message, { pointer })
}

/** Where it stands, as a JSON pointer. The depth of what was sent is bounded where it is received. */
function largeNumberIn(value: unknown): string | undefined {
  if (typeof value === 'number') return Math.abs(value) <= limits.numberMax ? undefined : ''
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, member] of Object.entries(value)) {
    const within = largeNumberIn(member)
    if (within !== undefined) return `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}${within}`
  }
  return undefined
}
