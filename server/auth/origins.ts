// Patterns of the browser origins that a token or share grant allows: `https://*.example.com`, at most one leading
// `*.`.

export const originPattern =
  '^https?://(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*(:[0-9]{1,5})?$'

/** True if a pattern matches the origin. `*.` stands for one or more subdomain labels, never for the bare domain. */
export function matchesOrigin(patterns: readonly string[], origin: string): boolean {
  const offered = originOf(origin)
  return offered !== undefined && patterns.some((pattern) => isMatch(pattern, offered))
}

function isMatch(pattern: string, offered: string): boolean {
  const [, scheme, rest] = /^(https?:\/\/)\*\.(.+)$/.exec(pattern) ?? []
  if (scheme === undefined || rest === undefined) return originOf(pattern) === offered
  // Parsing the bare pattern as an origin normalises its host and port.
  const bare = originOf(`${scheme}${rest}`)?.slice(scheme.length)
  return bare !== undefined && offered.startsWith(scheme) && offered.endsWith(`.${bare}`)
}

/** Normalises an origin: lower case, no default port. Undefined if the text is not an HTTP origin. */
function originOf(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, origin, pathname, search } = new URL(text)
  const isHttp = protocol === 'https:' || protocol === 'http:'
  return isHttp && pathname === '/' && search === '' ? origin : undefined
}
