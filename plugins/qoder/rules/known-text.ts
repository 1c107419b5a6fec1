// Text as it will be sent, as far as that is known before anything is applied.
import type { Project } from '../../../core/plugin/declaration.js'
import { expand } from '../../../core/value/placeholder.js'

/** Variables that are not set yet count as nothing: a limit must not be broken by what nobody wrote. */
export function knownText(text: string, { variables }: Project): string {
  const known = expand(text, (found) =>
    found.type === 'variable' ? (variables.value(found.name) ?? found.fallback ?? '') : '',
  )
  return typeof known === 'string' ? known : ''
}
