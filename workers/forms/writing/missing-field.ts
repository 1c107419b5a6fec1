// Refusal for a field that does not exist, with a suggestion.
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

/** Returns a hint; the name of an ancestor alone is not a field. */
function hint(name: string, names: readonly string[]): string {
  const within = names.filter((other) => other.startsWith(`${name}.`))
  if (within.length > 0) return `; under this name are ${listed(within)}`
  const found = closest(name, names)
  return found === undefined ? '' : `; did you mean fqn:${found}?`
}
