// Paths of requests. Ids come from files and command lines too, and none of them may lead to another object.

/** Tag of a template: what is put in is one segment of the path, whatever it holds. */
export function pathTo(texts: TemplateStringsArray, ...segments: readonly unknown[]): string {
  return texts.reduce((path, text, index) => `${path}${pathSegment(String(segments[index - 1]))}${text}`)
}

/** `..` would go up, encoded or not; encoded twice it is the name of nothing. */
export function pathSegment(text: string): string {
  return /^\.{1,2}$/.test(text) ? text.replaceAll('.', '%252E') : encodeURIComponent(text)
}
