// Builds paths of requests. Ids from files and command lines are encoded, so that they cannot address another object.

/** Template tag for paths: an inserted value is one segment of the path, whatever it contains. */
export function pathTo(texts: TemplateStringsArray, ...segments: readonly unknown[]): string {
  return texts.reduce((path, text, index) => `${path}${pathSegment(String(segments[index - 1]))}${text}`)
}

/**
 * Encodes a segment. `..` would lead to the parent even if encoded once; encoded twice it addresses nothing. Neither does
 * half a character, which a damaged file may have and no provider can name.
 */
export function pathSegment(text: string): string {
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '%252E') : encodeURIComponent(text.toWellFormed())
}

/** A list is sent as the parameter again and again. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** Returns `?a=1&b=2`; an empty text without any value. */
export function queryText(query: Query = {}): string {
  const text = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const one of typeof value === 'object' ? value : [value]) text.append(name, String(one))
  }
  return text.size === 0 ? '' : `?${text}`
}
