// Content streams without what marked content says of itself. Only dictionaries are looked into; strings, names and
// inline images are stepped over as they are.

const described = new Set(['/ActualText', '/Alt', '/E'])
/** Strings may hold balanced parentheses one level deep unescaped; deeper ones the engine, which wrote this, escapes. */
const token =
  /\((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*\)|<<|>>|<[0-9A-Fa-f\s]*>|\/[^\s()<>[\]{}/%]*|\[|\]|\bID\s[\s\S]*?\sEI\b|[^\s()<>[\]{}/%]+|%[^\r\n]*/g

export function withoutDescriptions(content: string): string {
  if (!/\/(?:ActualText|Alt|E)\b/.test(content)) return content
  let written = ''
  let copiedTo = 0
  let depth = 0
  let skippingFrom: number | undefined
  let nesting = 0
  for (const match of content.matchAll(token)) {
    const [word] = match
    const [start, end] = [match.index, match.index + word.length]
    if (skippingFrom !== undefined) {
      if (word === '<<' || word === '[') nesting++
      if (word === '>>' || word === ']') nesting--
      if (nesting > 0) continue
      copiedTo = end
      skippingFrom = undefined
      continue
    }
    if (word === '<<') depth++
    if (word === '>>') depth--
    if (depth > 0 && described.has(word)) {
      written += content.slice(copiedTo, start)
      skippingFrom = start
      nesting = 0
    }
  }
  return written + content.slice(skippingFrom === undefined ? copiedTo : content.length)
}
