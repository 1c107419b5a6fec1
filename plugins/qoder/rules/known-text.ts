// Resolves a text to what will be sent, as far as the values of variables are known before an apply.
import type { Project } from '../../../core/plugin/declaration.js'
import { expand } from '../../../core/value/placeholder.js'

/**
 * Returns the text. A variable without a value counts as empty, so that a limit is exceeded only if the known text
 * exceeds it.
 */
export function knownText(text: string, { variables }: Project): string {
  const known = expand(text, (found) =>
    found.type === 'variable' ? (variables.value(found.name) ?? found.fallback ?? '') : '',
  )
  return typeof known === 'string' ? known : ''
}
