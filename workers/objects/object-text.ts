// Corrects the text of an object as printed by the engine, which escapes parentheses in strings and delimiters in
// names, and separates tokens by at most one blank and no comment.

const string = String.raw`\((?:\\[^]|[^\\)])*\)`
const hexadecimal = '<[0-9A-Fa-f]*>'
const name = String.raw`/[^\s()<>[\]{}/%]*`
/** Tokens that are skipped as a whole, because digits in them are not numbers. */
const opaque = `${string}|${hexadecimal}|${name}`

/** Returns the dictionary with `/Length` replaced by a number. */
export function withLength(dictionary: string, length: number): string {
  let depth = 0
  let isFound = false
  const pattern = new RegExp(String.raw`<<|>>|/Length (\d+ \d+ R|-?\d+)|${opaque}`, 'g')
  const corrected = dictionary.replace(pattern, (token, value?: string) => {
    if (token === '<<') depth++
    if (token === '>>') depth--
    if (value === undefined || depth !== 1) return token
    isFound = true
    return `/Length ${length}`
  })
  return isFound ? corrected : dictionary.replace('<<', `<</Length ${length}`)
}

/** Sets generations of references to those in the file (ISO 32000-2, 7.3.10), which the engine does not preserve. */
export function withGenerations(text: string, generations: ReadonlyMap<number, number>): string {
  if (generations.size === 0) return text
  return text.replace(new RegExp(String.raw`${opaque}|(\d+) 0 R\b`, 'g'), (token, number?: string) => {
    const generation = number === undefined ? undefined : generations.get(Number(number))
    return generation === undefined ? token : `${number} ${generation} R`
  })
}

/** Numbers of digits tried: at most as many as distinguish any two single-precision numbers. */
const [digitsMin, digitsMax] = [6, 9]

/**
 * Writes numbers as most files have them. The engine stores single precision and prints some numbers with as few digits
 * as needed, but not the closest ones: 594.95999 for 594.95996.
 */
export function withClosestReals(text: string): string {
  if (!text.includes('.')) return text
  return text.replace(new RegExp(String.raw`${opaque}|-?\d*\.\d+`, 'g'), (token) =>
    '(</'.includes(token.charAt(0)) ? token : closestReal(token),
  )
}

function closestReal(printed: string): string {
  const value = Math.fround(Number(printed))
  for (let digits = digitsMin; digits <= digitsMax; digits++) {
    const closest = value.toPrecision(digits)
    if (Math.fround(Number(closest)) !== value) continue
    return closest.includes('e') || Number(closest) === Number(printed) ? printed : closest
  }
  return printed
}
