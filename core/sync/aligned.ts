// Finds the items of a list that remain when it becomes another list.
import { canonical, isObject, type Json, ownMember } from '../value/tree.js'
import { identityOf } from './members.js'

/** Maximum number of comparisons. For longer lists, only items at the same position are compared. */
const comparisonsMax = 250_000

/** Returns, for each wanted item, the index of the current item it equals or replaces; indexes only grow. */
export function alignedIndexes(current: readonly Json[], wanted: readonly Json[]): readonly (number | undefined)[] {
  const equal = equalPlaces(current.map(canonical), wanted.map(canonical))
  const places = [...equal]
  for (let from = 0; from < wanted.length; from++) {
    if (places[from] !== undefined) continue
    const lower = (from === 0 ? -1 : lastPlace(places, from)) + 1
    const upper = equal.slice(from).find((place) => place !== undefined) ?? current.length
    const place = range(lower, upper).find((at) => isSameThing(current[at] ?? null, wanted[from] ?? null))
    if (place !== undefined) places[from] = place
  }
  return places
}

function lastPlace(places: readonly (number | undefined)[], before: number): number {
  return places.slice(0, before).findLast((place) => place !== undefined) ?? -1
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

/** True if both items are versions of one thing, so that comments on one apply to the other. */
function isSameThing(current: Json, wanted: Json): boolean {
  if (!isObject(current) || !isObject(wanted)) return false
  const identity = identityOf(current)
  if (identity !== undefined || identityOf(wanted) !== undefined) return identity === identityOf(wanted)
  const shared = Object.keys(current).filter(
    (key) => canonical(ownMember(current, key) ?? null) === canonical(ownMember(wanted, key) ?? null),
  )
  return shared.length > 0
}

/** Returns a longest common subsequence of both lists. */
function equalPlaces(current: readonly string[], wanted: readonly string[]): readonly (number | undefined)[] {
  if (current.length * wanted.length > comparisonsMax)
    return wanted.map((item, index) => (current[index] === item ? index : undefined))
  const width = current.length + 1
  const lengths = new Uint32Array(width * (wanted.length + 1))
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = wanted.length - 1; row >= 0; row--)
    for (let column = current.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        wanted[row] === current[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  let column = 0
  return wanted.map((item, row) => {
    while (column < current.length && current[column] !== item && at(row, column) === at(row, column + 1)) column++
    if (current[column] !== item || at(row, column) !== at(row + 1, column + 1) + 1) return undefined
    return column++
  })
}
