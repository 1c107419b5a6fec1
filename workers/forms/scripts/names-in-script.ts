// Finds and replaces field names in scripts: string literals in calls that take field names. A name that the script
// computes cannot be found and is not changed.
import { unescaped } from './standard-call.js'

/** Maximum length of a script that is analysed. */
const charactersMax = 200_000

/** Functions that take field names, and the index of the first argument that is one. */
const naming: Readonly<Record<string, number>> = {
  getField: 0,
  AFSimple_Calculate: 1,
  resetForm: 0,
  removeField: 0,
}

/** Matches a comment, string, word, number, or any other character. */
const token =
  /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"\\\n]|\\[\s\S])*"|'(?:[^'\\\n]|\\[\s\S])*'|`(?:[^`\\]|\\[\s\S])*`|[A-Za-z_$][\w$]*|\d[\w.]*|[\s\S]/y
const expression = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y

/** True if a slash after this token divides; after any other token it begins a regular expression. */
const isDividend = (before: string): boolean => /[\w$)\]]/.test(before.at(-1) ?? '') && !operatorWords.has(before)
const operatorWords: ReadonlySet<string> = new Set(['return', 'typeof', 'case', 'in', 'of', 'delete', 'void', 'throw'])
const isBlank = (text: string): boolean => /^(?:\s|\/\/|\/\*)/.test(text)

/**
 * Returns the script with new names; undefined if no name in it has changed. `nameFor` returns the current name of a
 * field.
 */
export function withNames(script: string, nameFor: (name: string) => string): string | undefined {
  if (script.length > charactersMax) return undefined
  const tokens = tokensOf(script)
  if (tokens === undefined) return undefined
  let isChanged = false
  const put = (place: number, text: string): void => {
    if (tokens[place] === text) return
    tokens[place] = text
    isChanged = true
  }
  for (let place = 0; place < tokens.length; place++) {
    const from = Object.hasOwn(naming, tokens[place] ?? '') ? naming[tokens[place] ?? ''] : undefined
    if (from === undefined) continue
    for (const text of namesOf(tokens, place + 1, from)) put(text, renamed(tokens[text] ?? '', nameFor))
  }
  return isChanged ? tokens.join('') : undefined
}

/**
 * Returns the tokens; undefined if a string, comment or regular expression is unterminated: such a script cannot run.
 */
function tokensOf(script: string): string[] | undefined {
  const tokens: string[] = []
  let before = ''
  for (let place = 0; place < script.length; ) {
    const isSlash = script[place] === '/' && !/[/*]/.test(script[place + 1] ?? '')
    const pattern = isSlash && !isDividend(before) ? expression : token
    pattern.lastIndex = place
    const text = pattern.exec(script)?.[0]
    if (text === undefined || /^["'`]$/.test(text) || (text === '/' && script[place + 1] === '*')) return undefined
    tokens.push(text)
    place += text.length
    if (!isBlank(text)) before = text
  }
  return tokens
}

/** Returns token positions of those arguments of a call that are string literals. */
function namesOf(tokens: readonly string[], after: number, from: number): readonly number[] {
  const significant = (place: number): number => {
    let next = place
    while (next < tokens.length && isBlank(tokens[next] ?? '')) next++
    return next
  }
  const open = significant(after)
  if (tokens[open] !== '(') return []
  const names: number[] = []
  let [depth, value] = [1, 0]
  let before = '('
  for (let place = significant(open + 1); place < tokens.length && depth > 0; place = significant(place + 1)) {
    const text = tokens[place] ?? ''
    const next = tokens[significant(place + 1)] ?? ''
    // A literal within an expression is only part of a name.
    if (/^["']/.test(text) && value >= from && /^[(,[]$/.test(before) && /^[),\]]$/.test(next)) names.push(place)
    if (/^[([{]$/.test(text)) depth++
    else if (/^[)\]}]$/.test(text)) depth--
    else if (text === ',' && depth === 1) value++
    before = text
  }
  return names
}

/** Renames the fields in a literal, which may list several names. */
function renamed(literal: string, nameFor: (name: string) => string): string {
  const quote = literal[0] ?? '"'
  const names = unescaped(literal.slice(1, -1)).split(',')
  const now = names.map((name) => name.replace(/\S(?:[\s\S]*\S)?/, nameFor))
  if (now.every((name, index) => name === names[index])) return literal
  const text = now.join(',').replace(/[\\\n\r]|["']/g, (sign) => escapes[sign] ?? (sign === quote ? `\\${sign}` : sign))
  return `${quote}${text}${quote}`
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' }
