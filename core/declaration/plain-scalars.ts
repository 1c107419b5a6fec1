// Scalars on one line in the simple subset of YAML.

export const lineStyle = {
  /** Control characters, byte order marks, tabs and carriage returns; directives and document markers. */
  isUnusual: /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ufeff]|^(?:%|---|\.\.\.)/m,
  /** First characters that have no special meaning in YAML. All others have one, or could have. */
  plainStart: /^[A-Za-z0-9_$./]$/,
} as const

const wordCharacters = /[A-Za-z0-9_$./][\w./-]*/y

/** Returns the end of the word that begins here, or undefined if none does. */
export function word(text: string, at: number): number | undefined {
  wordCharacters.lastIndex = at
  return wordCharacters.test(text) ? wordCharacters.lastIndex : undefined
}

/**
 * Returns the offset of the closing quote of a text without escapes and inner quotes; undefined if there is no such
 * text here.
 */
export function closingQuote(text: string, at: number, lineEnd: number): number | undefined {
  const quote = text[at]
  if (quote !== '"' && quote !== "'") return undefined
  const close = text.indexOf(quote, at + 1)
  if (close < 0 || close >= lineEnd || text[close + 1] === quote) return undefined
  return quote === '"' && text.slice(at, close).includes('\\') ? undefined : close
}

const constants: ReadonlyMap<string, null | boolean> = new Map([
  ...['null', 'Null', 'NULL'].map((written) => [written, null] as const),
  ...['true', 'True', 'TRUE'].map((written) => [written, true] as const),
  ...['false', 'False', 'FALSE'].map((written) => [written, false] as const),
])

/** Returns the value of a plain scalar; undefined if it may be a number but is not written as a small integer. */
export function plainValue(source: string): string | number | boolean | null | undefined {
  const constant = constants.get(source)
  if (constant !== undefined) return constant
  if (!/^[.\d]/.test(source)) return source
  if (/^\d{1,15}$/.test(source)) return Number(source)
  return /^(?:(?:\.\d+|\d+\.?\d*)(?:e[+-]?\d+)?|0x[\da-f]+|0o[0-7]+|\.(?:inf|nan))$/i.test(source) ? undefined : source
}
