// A field that is not there, told with the one that was probably meant.
import { closest, listed } from '../../../core/value/suggestions.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { fieldKey } from '../../fields/field-names.js'

export function missingField(ref: FormFieldRef, names: readonly string[]): JobRefusal {
  return new JobRefusal(
    'NotFound',
    `There is no field ${fieldKey(ref)}${ref.kind === 'fqn' ? hint(ref.name, names) : ''}`,
  )
}

/** A name in the middle of others holds fields and is none. */
function hint(name: string, names: readonly string[]): string {
  const within = names.filter((other) => other.startsWith(`${name}.`))
  if (within.length > 0) return `; under this name are ${listed(within)}`
  const found = closest(name, names)
  return found === undefined ? '' : `; did you mean fqn:${found}?`
}
