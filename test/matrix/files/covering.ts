// Generated files that together contain every pair of values of two dimensions: most faults need one or two unusual
// properties, and the full product would be millions of files.
import { type Dimension, dimensionNames, isPossible, nameOf, type Spec, specOf, usual, valuesOf } from './dimensions.js'

type Row = Partial<Record<Dimension, string>>

/** Returns each unusual value alone, then the rows of the covering array: unique names in a stable order. */
export function coveringNames(): readonly string[] {
  const alone = dimensionNames.flatMap((dimension) => valuesOf(dimension).slice(1))
  const rows = coveringRows().map((row) => nameOf(specOfRow(row)))
  return [...new Set([nameOf(usual), ...alone, ...rows])]
}

const specOfRow = (row: Row): Spec => specOf(Object.values(row).join('+'))

/**
 * Greedy algorithm: each row starts with an uncovered pair and takes, per dimension, the value that covers most others.
 */
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

/** Returns the pairs of a value with the values of the row, as JSON like in `everyPair`. */
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
