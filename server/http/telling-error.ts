// Of all a validator says about a value, the one thing to tell. Where a schema is one of several kinds, what is wrong with
// the kind that was meant; the others are wrong in every member.
import type { TLocalizedValidationError } from 'typebox/error'

export interface Telling {
  /** JSON pointer. */
  readonly pointer: string
  readonly message: string
}

export function tellingError(errors: readonly TLocalizedValidationError[]): Telling {
  const others = new Set(errors.flatMap((error) => (error.keyword === 'const' ? [branchOf(error)] : [])))
  const meant = errors.filter((error) => error.keyword !== 'anyOf' && !isWithin(error, others))
  const [first] = meant.length > 0 ? meant : errors
  if (first === undefined) return { pointer: '', message: 'is not valid' }
  return { pointer: first.instancePath, message: messageOf(first, errors) }
}

function messageOf(error: TLocalizedValidationError, errors: readonly TLocalizedValidationError[]): string {
  if (error.keyword === 'additionalProperties') {
    return `${error.message}: ${error.params.additionalProperties.slice(0, 5).join(', ')}`
  }
  if (error.keyword === 'enum') return `must be one of ${error.params.allowedValues.join(', ')}`
  if (error.keyword !== 'const') return error.message
  const allowed = errors.flatMap((one) =>
    one.keyword === 'const' && one.instancePath === error.instancePath ? [one.params.allowedValue] : [],
  )
  return `must be ${[...new Set(allowed)].join(' or ')}`
}

/** `#/anyOf/1/properties/kind` -> `#/anyOf/1`. */
const branchOf = ({ schemaPath }: TLocalizedValidationError): string => /^.*\/anyOf\/\d+/.exec(schemaPath)?.[0] ?? ''

function isWithin({ schemaPath }: TLocalizedValidationError, branches: ReadonlySet<string>): boolean {
  return [...branches].some((branch) => branch !== '' && `${schemaPath}/`.startsWith(`${branch}/`))
}
