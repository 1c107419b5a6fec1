// Parses the operators of a content stream with their operands, as far as shown text needs them.

export interface Operation {
  readonly operator: string
  readonly operands: readonly Operand[]
}

export type Operand =
  | { readonly kind: 'text'; readonly text: string }
  /** A number, a name with its slash, a keyword or a bracket. */
  | { readonly kind: 'other'; readonly token: string }

const space = /[\0\t\n\f\r ]/
const delimiter = /[()<>[\]{}/%]/

/**
 * Returns the operators; undefined for a malformed content stream. Parsing ends at an inline image: `BI` is then the
 * last operator.
 */
export function contentOperations(bytes: Uint8Array): readonly Operation[] | undefined {
  const text = Buffer.from(bytes).toString('latin1')
  const operations: Operation[] = []
  let operands: Operand[] = []
  let at = 0
  while (at < text.length) {
    const first = text.charAt(at)
    if (space.test(first)) at += 1
    else if (first === '%') at = lineEnd(text, at)
    else if (first === '(') {
      const string = literalString(text, at)
      if (string === undefined) return undefined
      operands.push({ kind: 'text', text: string.text })
      at = string.end
    } else if (first === '<' && text[at + 1] !== '<') {
      const end = text.indexOf('>', at)
      if (end < 0) return undefined
      operands.push({ kind: 'text', text: hexString(text.slice(at + 1, end)) })
      at = end + 1
    } else if ('[]<>{}'.includes(first)) at += 1
    else {
      let end = at + 1
      while (end < text.length && !space.test(text.charAt(end)) && !delimiter.test(text.charAt(end))) end += 1
      const token = text.slice(at, end)
      at = end
      if (/^([/+\-.0-9]|(true|false|null)$)/.test(token)) operands.push({ kind: 'other', token })
      else if (first === ')') return undefined
      else {
        operations.push({ operator: token, operands })
        operands = []
        if (token === 'BI') return operations
      }
    }
  }
  return operations
}

function lineEnd(text: string, from: number): number {
  const end = text.slice(from).search(/[\r\n]/)
  return end < 0 ? text.length : from + end
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

function literalString(text: string, start: number): { text: string; end: number } | undefined {
  let depth = 0
  let found = ''
  for (let at = start; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\') {
      const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0]
      const next = text.charAt(at + 1)
      at += octal?.length ?? 1
      if (octal !== undefined) found += String.fromCharCode(Number.parseInt(octal, 8) & 255)
      else if (next !== '\n' && next !== '\r') found += escapes[next] ?? next
    } else if (character === '(' && depth++ === 0) {
      // The opening parenthesis of the string is not part of its text.
    } else if (character === ')' && --depth === 0) return { text: found, end: at + 1 }
    else found += character
  }
  return undefined
}

function hexString(digits: string): string {
  const clean = digits.replace(/[^0-9a-fA-F]/g, '')
  return Buffer.from(clean.length % 2 === 0 ? clean : `${clean}0`, 'hex').toString('latin1')
}
