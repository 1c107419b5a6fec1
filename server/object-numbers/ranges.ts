// Ranges of object numbers, in the order of their reservation.

export interface NumberRange {
  readonly first: number
  readonly count: number
}

export const sizeOf = (ranges: readonly NumberRange[]): number => ranges.reduce((sum, { count }) => sum + count, 0)

export const includes = (ranges: readonly NumberRange[], number: number): boolean =>
  ranges.some(({ first, count }) => number >= first && number < first + count)

/** Returns the ranges in the order of their numbers, with adjacent ones joined. */
export function joined(ranges: readonly NumberRange[]): readonly NumberRange[] {
  const all: NumberRange[] = []
  for (const { first, count } of ranges.toSorted((one, other) => one.first - other.first)) {
    const last = all.at(-1)
    if (last !== undefined && last.first + last.count === first) {
      all[all.length - 1] = { first: last.first, count: last.count + count }
    } else all.push({ first, count })
  }
  return all
}

/** Takes the first numbers out of the ranges. */
export function takeFirst(
  ranges: readonly NumberRange[],
  wanted: number,
): { readonly taken: readonly NumberRange[]; readonly left: readonly NumberRange[] } {
  const [taken, left]: [NumberRange[], NumberRange[]] = [[], []]
  let missing = wanted
  for (const { first, count } of ranges) {
    const used = Math.min(count, missing)
    missing -= used
    if (used > 0) taken.push({ first, count: used })
    if (used < count) left.push({ first: first + used, count: count - used })
  }
  return { taken, left }
}

/** Returns the ranges without one number. */
export function without(ranges: readonly NumberRange[], number: number): readonly NumberRange[] {
  return ranges.flatMap((range) => {
    if (!includes([range], number)) return [range]
    const { first, count } = range
    const [before, after] = [number - first, first + count - number - 1]
    return [
      ...(before > 0 ? [{ first, count: before }] : []),
      ...(after > 0 ? [{ first: number + 1, count: after }] : []),
    ]
  })
}
