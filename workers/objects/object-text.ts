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

/** By how much the engine reads a number off, as a part of it: it stores single precision, and rounds while it reads. */
const readingError = 4e-7

/** Numbers of an object as they are written in the file, found by what the engine reads them as. */
export class WrittenNumbers {
  readonly #texts = new Map<number, string[]>()
  /** Without those of integers, which the engine reads and prints exactly. */
  readonly #reals = new Map<number, string[]>()
  readonly #values: readonly number[]

  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const isReal = text.includes('.')
      const value = isReal ? Math.fround(Number(text)) : Number(text)
      push(this.#texts, value, text)
      if (isReal) push(this.#reals, value, text)
    }
    this.#values = [...this.#reals.keys()].sort((one, other) => one - other)
  }

  /** Returns the texts of the nearest number that the engine may have read as this one, in their order; else undefined. */
  textsOf(printed: string): readonly string[] | undefined {
    const value = Number(printed)
    const same = this.#texts.get(value)
    if (same !== undefined) return same
    let [low, high] = [0, this.#values.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#values[middle] ?? 0) < value) low = middle + 1
      else high = middle
    }
    const near = this.#values.slice(Math.max(0, low - 1), low + 1)
    const [nearest] = near.toSorted((one, other) => Math.abs(one - value) - Math.abs(other - value))
    if (nearest === undefined || Math.abs(nearest - value) > readingError * Math.abs(value)) return undefined
    return this.#reals.get(nearest)
  }
}

function push(texts: Map<number, string[]>, value: number, text: string): void {
  const known = texts.get(value)
  if (known === undefined) texts.set(value, [text])
  else known.push(text)
}

/**
 * Writes numbers with the digits that they have in the file. `others`: numbers of the objects that contained this one.
 */
export function withWrittenDigits(text: string, own: WrittenNumbers, others?: () => WrittenNumbers): string {
  const places = new Map<readonly string[], number>()
  const next = (texts: readonly string[] | undefined): string | undefined => {
    if (texts === undefined) return undefined
    const place = places.get(texts) ?? 0
    places.set(texts, place + 1)
    return texts[Math.min(place, texts.length - 1)]
  }
  return text.replace(new RegExp(String.raw`${opaque}|\d+ \d+ R\b|-?(?:\d+\.?\d*|\.\d+)`, 'g'), (token) =>
    /^[(</]|R$/.test(token) ? token : (next(own.textsOf(token)) ?? next(others?.().textsOf(token)) ?? token),
  )
}
