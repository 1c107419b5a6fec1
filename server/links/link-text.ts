// The text of a link: the caller that created it, sealed for one address and a short time. The seal hides the caller's
// identity and makes the text useless for any other address.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { DocumentCaller } from '../auth/caller.js'
import { parseDocumentScope, scopeStrings } from '../auth/document-scope.js'
import { limits } from '../limits.js'
import type { Deployment } from '../operation/deployment.js'
import { Refusal } from '../refusals/refusal.js'

/** Name of the query parameter that carries the text. */
export const linkParameter = 'link'

/** Content of the text, as JSON. */
const Sealed = Type.Object({
  /** The caller, with its scopes as text. */
  caller: Type.Object({ scope: Type.Array(Type.String()) }),
  /** Milliseconds since 1970. */
  endsAt: Type.Number(),
})
const sealedValidator = Compile(Sealed)

export interface Link {
  readonly caller: DocumentCaller
  readonly endsAt: number
}

/** Returns the text of the link for the address. Throws `InvalidArg` if the caller is too long for one. */
export function linkText({ sealing }: Pick<Deployment, 'sealing'>, url: string, link: Link): string {
  const caller = { ...link.caller, scope: scopeStrings(link.caller.scope) }
  const sealed = sealing.seal(Buffer.from(JSON.stringify({ ...link, caller })), placeOf(url))
  const text = Buffer.from(sealed).toString('base64url')
  if (text.length <= limits.linkCharactersMax) return text
  throw new Refusal('InvalidArg', 'The token of this request lists too many origins for a link')
}

/** Returns the link of a requested URL; undefined if it carries none. Throws `Unauthenticated` unless it is valid now. */
export function linkOf({ sealing, clock }: Pick<Deployment, 'sealing' | 'clock'>, url: string): Link | undefined {
  const text = queryOf(url).get(linkParameter)
  if (text === null) return undefined
  const link = text.length <= limits.linkCharactersMax ? opened(sealing, text, placeOf(url)) : undefined
  if (link !== undefined && link.endsAt > clock.now()) return link
  throw new Refusal('Unauthenticated', 'The link has ended, or was made for another address')
}

function opened(sealing: Deployment['sealing'], text: string, place: string): Link | undefined {
  try {
    const content: unknown = JSON.parse(Buffer.from(sealing.open(Buffer.from(text, 'base64url'), place)).toString())
    return sealedValidator.Check(content) ? linkFrom(content) : undefined
  } catch {
    return undefined // The text is no link, or one of another address or another sealing key.
  }
}

function linkFrom({ caller, endsAt }: Static<typeof Sealed>): Link | undefined {
  const scope = parseDocumentScope(caller.scope)
  if ('unknown' in scope) return undefined
  // The seal proves that `linkText` wrote the rest of the caller.
  return { caller: { ...(caller as unknown as DocumentCaller), scope }, endsAt }
}

/**
 * Returns the place for which a link to the URL is sealed. Proxies may escape characters of a URL in another way, so it
 * consists of what the URL means.
 */
function placeOf(url: string): string {
  const path = url.split('?', 1).join('')
  const query = [...queryOf(url)].filter(([name]) => name !== linkParameter)
  return `link ${JSON.stringify([path.split('/').map(unescaped), query.map((pair) => pair.join('=')).toSorted()])}`
}

export const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.split('?').slice(1).join('?'))

/** Returns the text of a segment of a path. */
export function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // Routing refuses such a path.
  }
}
