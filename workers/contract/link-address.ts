// Addresses that a link may be given, and that the viewer opens: those of programs, files and scripts are not among them,
// nor addresses without a scheme, which are files where the document is one.

const schemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel'])

/** What follows the name of the scheme is not looked at, but for control characters, which browsers leave out. */
export function isLinkAddress(uri: string): boolean {
  const [, scheme = ''] = /^([a-z]+):[^\p{Cc}]*$/iu.exec(uri) ?? []
  return schemes.has(scheme.toLowerCase())
}
