// Finds unquoted variables inside `{ }` or `[ ]`, whose braces YAML would read as a map, and proposes the line with
// quotes. Their braces are replaced by other characters, so that the rest of the file can be checked.

/** Private-use characters that replace `{` and `}` until values are read. */
const standIns = { open: '\uE000', close: '\uE001' } as const

/** Pattern of a quoted text, or of a plain one in which variables count as text. */
const flowText = /"(?:\\.|[^"\\])*"|'[^']*'|(?:\$\{[^{}]*\}|[^"'{}[\],:#]|:(?!\s)|(?<!\s)#)+/g
const variable = /\$\{[^{}]*\}/g

/** True if the brace of an unquoted variable caused the parse error at this offset. */
export function isUnquotedVariable(text: string, offset: number): boolean {
  return text[offset] === '{' && text[offset - 1] === '$'
}

/** Puts every unquoted variable of a line in quotes: `{ api_key: ${KEY} }` becomes `{ api_key: "${KEY}" }`. */
export function quoted(line: string): string {
  return line.replace(flowText, (found) => {
    if (found.startsWith('"') || found.startsWith("'") || !found.includes('${')) return found
    const bare = found.trim()
    return found.replace(bare, () => `"${bare.replaceAll('\\', '\\\\')}"`)
  })
}

/** Replaces the braces of all variables in this range; every offset stays the same. */
export function withStandIns(text: string, [start, end]: readonly [number, number]): string {
  const replaced = text
    .slice(start, end)
    .replace(variable, (found) => `$${standIns.open}${found.slice(2, -1)}${standIns.close}`)
  return text.slice(0, start) + replaced + text.slice(end)
}

/** Restores the original text, given text read after `withStandIns`. */
export function withoutStandIns(text: string): string {
  if (!text.includes(standIns.open)) return text
  return text.replaceAll(standIns.open, '{').replaceAll(standIns.close, '}')
}
