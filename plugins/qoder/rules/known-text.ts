// Resolves text as it will be sent, as far as variables are known before an apply.
import type { Project } from '../../../core/plugin/declaration.js'
import { expand } from '../../../core/value/placeholder.js'

/** Returns the text; variables without a value count as empty, so that limits are checked against known text only. */
export function knownText(text: string, { variables }: Project): string {
  const known = expand(text, (found) =>
    found.type === 'variable' ? (variables.value(found.name) ?? found.fallback ?? '') : '',
  )
  return typeof known === 'string' ? known : ''
}
