// Placeholders: texts inside ordinary strings that stand for values that are not known yet. A variable (`${TOKEN}`) or
// an output (the id that another resource will get) is a text between two control characters. Handlers copy and join
// strings as usual; the engine expands placeholders just before a value is compared or sent, and so knows which leaves
// contain a secret and which wait for another resource. agents.yaml may not contain control characters, so no
// placeholder can be forged.
import { isObject, type Json } from './tree.js'

const open = '\u0001'
const close = '\u0002'
const pattern = /\u0001([vlo]):([^\u0001\u0002]*)\u0002/g

export type Placeholder =
  | {
      readonly type: 'variable'
      readonly name: string
      readonly fallback: string | undefined
      /** True if the value is converted to lower case. */
      readonly isSmall?: true
    }
  | { readonly type: 'output'; readonly address: string; readonly output: string }

/** Returns the placeholder of an environment variable. `fallback` is the text after `:-`. */
export function variablePlaceholder(name: string, fallback?: string): string {
  return `${open}v:${name}${fallback === undefined ? '' : `=${encodeURIComponent(fallback)}`}${close}`
}

/** Returns the placeholder of an output (`id`, `version`, …) of another resource. */
export function outputPlaceholder(address: string, output: string): string {
  return `${open}o:${address}#${output}${close}`
}

export function hasPlaceholder(text: string): boolean {
  return text.includes(open)
}

/** Control characters that delimit placeholders; text from outside must not contain them. */
export const placeholderMarks = /[\u0001\u0002]/

/** Returns every placeholder in a value, map keys included. */
export function placeholdersIn(value: Json | undefined): Placeholder[] {
  const found: Placeholder[] = []
  visitStrings(value, (text) => {
    for (const match of text.matchAll(pattern)) found.push(parse(match))
  })
  return found
}

/** Returns the text with placeholders of lower-case values, for members (hosts) that are compared in lower case. */
export function inLowerCase(text: string): string {
  return outsidePlaceholders(text, (piece) => piece.toLowerCase()).replaceAll(`${open}v:`, `${open}l:`)
}

/** Replaces every placeholder by the result of `resolve`; undefined leaves the placeholder in place. */
export function expand(value: Json, resolve: (placeholder: Placeholder) => string | undefined): Json {
  return rewrite(value, (placeholder) => {
    const put = resolve(placeholder)
    return placeholder.type === 'variable' && placeholder.isSmall ? put?.toLowerCase() : put
  })
}

/** Same as `expand`, for names in place of the values of placeholders. */
export function rewrite(value: Json, put: (placeholder: Placeholder) => string | undefined): Json {
  if (typeof value === 'string') {
    if (!hasPlaceholder(value)) return value
    return value.replace(pattern, (...match) => put(parse(match)) ?? match[0])
  }
  if (Array.isArray(value)) return value.map((item) => rewrite(item, put))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      rewrite(key, put) as string,
      member === undefined ? undefined : rewrite(member, put),
    ]),
  )
}

/**
 * Replaces these values of variables by placeholders, which mark the text as sensitive. Keys are not changed, and
 * neither are short values inside longer texts, which would be coincidences.
 */
export function withVariables(value: Json, inserted: ReadonlyMap<string, string>, lengthMin: number): Json {
  const known = [...inserted].filter(([text]) => text.length >= lengthMin).sort(([a], [b]) => b.length - a.length)
  const replaced = (text: string): string =>
    inserted.get(text) ??
    known.reduce(
      (current, [found, put]) => outsidePlaceholders(current, (piece) => piece.replaceAll(found, () => put)),
      text,
    )
  const visit = (current: Json): Json => {
    if (typeof current === 'string') return replaced(current)
    if (Array.isArray(current)) return current.map(visit)
    if (!isObject(current)) return current
    return Object.fromEntries(
      Object.entries(current).map(([key, member]) => [key, member === undefined ? undefined : visit(member)]),
    )
  }
  return inserted.size === 0 ? value : visit(value)
}

/** Returns the text with `${NAME}` for every placeholder of a variable. */
export function asNames(text: string): string {
  return String(rewrite(text, (found) => (found.type === 'variable' ? `\${${found.name}}` : undefined)))
}

function outsidePlaceholders(text: string, change: (piece: string) => string): string {
  const pieces = text.split(/(\u0001[^\u0001\u0002]*\u0002)/)
  return pieces.map((piece, index) => (index % 2 === 1 ? piece : change(piece))).join('')
}

function parse(match: readonly (string | undefined)[]): Placeholder {
  const body = match[2] ?? ''
  if (match[1] !== 'o') {
    const small = match[1] === 'l' ? ({ isSmall: true } as const) : {}
    const cut = body.indexOf('=')
    if (cut < 0) return { type: 'variable', name: body, fallback: undefined, ...small }
    return { type: 'variable', name: body.slice(0, cut), fallback: decodeURIComponent(body.slice(cut + 1)), ...small }
  }
  const cut = body.lastIndexOf('#')
  return { type: 'output', address: body.slice(0, cut), output: body.slice(cut + 1) }
}

function visitStrings(value: Json | undefined, visit: (text: string) => void): void {
  if (typeof value === 'string') {
    if (hasPlaceholder(value)) visit(value)
  } else if (Array.isArray(value)) {
    for (const item of value) visitStrings(item, visit)
  } else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      visitStrings(key, visit)
      visitStrings(member, visit)
    }
  }
}
