// Checks web addresses in agents.yaml before any connection is made to them.
import type { Finding, Project } from '../../core/plugin/declaration.js'
import { expand, hasPlaceholder } from '../../core/value/placeholder.js'

/** Yields a finding about an unusable address. Values of variables are checked but never shown. */
export function* unusableAddress(at: Finding['at'], written: string, { variables }: Project): Iterable<Finding> {
  const known = expand(written, (found) =>
    found.type === 'variable' ? variables.value(found.name) || found.fallback : undefined,
  )
  if (typeof known !== 'string' || hasPlaceholder(known)) return
  const fault = addressFault(known)
  if (fault === undefined) return
  const subject = hasPlaceholder(written) ? 'The address that its variables make' : `"${written}"`
  yield { at, detail: `${subject} ${fault}.` }
}

/** Returns the fault as the end of a sentence; undefined if there is none. */
function addressFault(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return 'does not begin with https:// or http://'
  if (/\s/.test(text)) return 'has blanks in it'
  return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text) ? undefined : 'names no host'
}
