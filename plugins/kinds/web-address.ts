// Addresses on the web as people write them in agents.yaml, looked at before anybody connects to them.
import type { Finding, Project } from '../../core/plugin/declaration.js'
import { expand, hasPlaceholder } from '../../core/value/placeholder.js'

/** The finding about an address that leads nowhere. Values of variables are looked at and never shown. */
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

/** Returns what is wrong with the address, as the end of a sentence; undefined if nothing is. */
function addressFault(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return 'does not begin with https:// or http://'
  if (/\s/.test(text)) return 'has blanks in it'
  return /^https?:\/\/[^/?#]/i.test(text) && URL.canParse(text) ? undefined : 'names no host'
}
