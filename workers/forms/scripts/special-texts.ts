// Special formats of form scripts: postal codes, telephone and social security numbers of the United States, and masks
// such as `AA-9999`.

interface Shape {
  readonly example: string
  readonly pattern: RegExp
  /** Formats the digits; undefined if the value is shown as typed. */
  readonly write: (digits: string) => string | undefined
}

/** Formats in the order of their numbers in scripts. */
const shapes: readonly Shape[] = [
  { example: '99999', pattern: /^\d{5}$/, write: (digits) => hyphenatedGroups(digits, [5]) },
  { example: '99999-9999', pattern: /^\d{5}[-. ]?\d{4}$/, write: (digits) => hyphenatedGroups(digits, [5, 4]) },
  {
    example: '(999) 999-9999',
    pattern: /^(?:\d{3}[-. ]?\d{4}|\d{3}[-. ]?\d{3}[-. ]?\d{4}|\(\d{3}\)[-. ]?\d{3}[-. ]?\d{4}|011[-. \d]*)$/,
    write: (digits) =>
      digits.length === 10
        ? `(${digits.slice(0, 3)}) ${hyphenatedGroups(digits.slice(3), [3, 4])}`
        : hyphenatedGroups(digits, [3, 4]),
  },
  {
    example: '999-99-9999',
    pattern: /^\d{3}[-. ]?\d{2}[-. ]?\d{4}$/,
    write: (digits) => hyphenatedGroups(digits, [3, 2, 4]),
  },
]

/** Maximum length of a text checked against a format. */
const charactersMax = 128

export function specialProblem(value: string, kind: number): string | undefined {
  const shape = shapes[kind]
  if (shape === undefined) return undefined
  const isInShape = value.length <= charactersMax && shape.pattern.test(value.trim())
  return isInShape ? undefined : `must be like ${shape.example}`
}

export function specialText(value: string, kind: number): string | undefined {
  if (specialProblem(value, kind) !== undefined) return undefined
  return shapes[kind]?.write(value.replace(/\D/g, ''))
}

function hyphenatedGroups(digits: string, lengths: readonly number[]): string | undefined {
  if (digits.length !== lengths.reduce((sum, length) => sum + length, 0)) return undefined
  const ends = lengths.map((_, index) => lengths.slice(0, index + 1).reduce((sum, length) => sum + length, 0))
  return ends.map((end, index) => digits.slice(ends[index - 1] ?? 0, end)).join('-')
}

/** Characters permitted for each mask character; any other mask character stands for itself. */
const masked: Readonly<Record<string, RegExp>> = { 9: /\d/, A: /[A-Za-z]/, O: /[A-Za-z0-9]/, X: /[\s\S]/ }

/** Accepts a value with or without the literal characters of the mask: readers insert them during typing. */
export function maskProblem(value: string, mask: string): string | undefined {
  if (mask === '' || mask.length > charactersMax) return undefined
  const places = Array.from(mask)
  const typed = places.filter((place) => Object.hasOwn(masked, place))
  return fits(value, places) || fits(value, typed) ? undefined : `must be like ${mask}`
}

function fits(value: string, places: readonly string[]): boolean {
  const characters = Array.from(value)
  if (characters.length !== places.length) return false
  return places.every((place, index) => {
    const character = characters[index] ?? ''
    return Object.hasOwn(masked, place) ? masked[place]?.test(character) === true : character === place
  })
}
