// Files that together have every two values of different dimensions side by side at least once: most faults need one
// unusual thing or two that meet, and the full product would be millions.
import { type Dimension, dimensionNames, isPossible, nameOf, type Spec, specOf, usual, valuesOf } from './dimensions.js'

type Row = Partial<Record<Dimension, string>>

/** Each unusual value alone, then the rows of the covering array; names without repetition, always the same. */
export function coveringNames(): readonly string[] {
  const alone = dimensionNames.flatMap((dimension) => valuesOf(dimension).slice(1))
  const rows = coveringRows().map((row) => nameOf(specOfRow(row)))
  return [...new Set([nameOf(usual), ...alone, ...rows])]
}

const specOfRow = (row: Row): Spec => specOf(Object.values(row).join('+'))

/** Greedy: every row begins with a pair that is missing, and takes in each dimension what covers most of the others. */
function coveringRows(): readonly Row[] {
  const missing = new Set(everyPair())
  const rows: Row[] = []
  for (const first of everyPair()) {
    if (!missing.has(first)) continue
    const row = rowOf(first)
    for (const dimension of dimensionNames) {
      if (row[dimension] !== undefined) continue
      const possible = valuesOf(dimension).filter((value) => isPossible({ ...row, [dimension]: value }))
      row[dimension] = best(
        possible,
        (value) => pairsOf(row, dimension, value).filter((pair) => missing.has(pair)).length,
      )
    }
    for (const dimension of dimensionNames) {
      for (const pair of pairsOf(row, dimension, row[dimension] ?? '')) missing.delete(pair)
    }
    rows.push(row)
  }
  return rows
}

function everyPair(): readonly string[] {
  return dimensionNames.flatMap((one, place) =>
    dimensionNames
      .slice(place + 1)
      .flatMap((other) =>
        valuesOf(one).flatMap((value) => valuesOf(other).map((beside) => ({ [one]: value, [other]: beside }))),
      )
      .filter(isPossible)
      .map((pair) => JSON.stringify(pair)),
  )
}

const rowOf = (pair: string): Row => JSON.parse(pair)

/** As `everyPair` writes them, of a value and what the row has already. */
function pairsOf(row: Row, dimension: Dimension, value: string): readonly string[] {
  return dimensionNames.flatMap((other) => {
    const beside = row[other]
    if (other === dimension || beside === undefined) return []
    const isFirst = dimensionNames.indexOf(dimension) < dimensionNames.indexOf(other)
    return JSON.stringify(isFirst ? { [dimension]: value, [other]: beside } : { [other]: beside, [dimension]: value })
  })
}

function best(values: readonly string[], worth: (value: string) => number): string {
  const [first = ''] = values.toSorted((one, other) => worth(other) - worth(one))
  return first
}
