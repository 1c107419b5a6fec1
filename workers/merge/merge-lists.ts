// Merges arrays member by member: sets of references, page content, and sorted pairs of keys and values.
import { isReference, itemsOf, printed, type Value } from './value.js'

export interface ThreeLists {
  readonly base: readonly Value[]
  readonly theirs: readonly Value[]
  readonly ours: readonly Value[]
}

export interface MergedSet {
  readonly items: readonly Value[]
  /** True if both sides changed the order of members; that of the version wins. */
  readonly isReordered: boolean
}

/**
 * Merges a set. Members that one side removed stay removed, except protected ones; members that the layer added follow
 * those of the version.
 */
export function mergeSet({ base, theirs, ours }: ThreeLists, isProtected: (item: Value) => boolean): MergedSet {
  const [inBase, inTheirs, inOurs] = [namesOf(base), namesOf(theirs), namesOf(ours)]
  const common = (list: readonly Value[]) =>
    list.map(printed).filter((name) => inBase.has(name) && inTheirs.has(name) && inOurs.has(name))
  const [orderBefore, orderTheirs, orderOurs] = [base, theirs, ours].map((list) => common(list).join(' '))
  const areTheirsMoved = orderTheirs !== orderBefore
  const areOursMoved = orderOurs !== orderBefore
  const keptTheirs = theirs.filter((item) => {
    const name = printed(item)
    return !inBase.has(name) || inOurs.has(name) || isProtected(item)
  })
  const added = ours.filter((item) => !inBase.has(printed(item)) && !inTheirs.has(printed(item)))
  const isReordered = areTheirsMoved && areOursMoved && orderTheirs !== orderOurs
  if (areTheirsMoved || !areOursMoved) return { items: unique([...keptTheirs, ...added]), isReordered }
  const staying = namesOf(keptTheirs)
  const inOrder = ours.filter((item) => staying.has(printed(item)) || added.includes(item))
  return { items: unique([...inOrder, ...keptTheirs]), isReordered }
}

/**
 * Merges page content: a side that drew on the page put its own streams around the former ones (ISO 32000-2, 7.8.2). Those
 * of the layer go around those of the version. Returns undefined if the layer changed more than that.
 */
export function mergeWrap({ base, theirs, ours }: ThreeLists): readonly Value[] | undefined {
  const [before, wrapped] = [base.map(printed), ours.map(printed)]
  for (let start = 0; start + before.length <= wrapped.length; start++) {
    if (!before.every((name, index) => wrapped[start + index] === name)) continue
    return [...ours.slice(0, start), ...theirs, ...ours.slice(start + before.length)]
  }
  return undefined
}

type Pairs = ReadonlyMap<string, { readonly key: Value; readonly value: Value }>

/** Merges pairs one by one; `mergeValue` merges the values of one key, of which undefined means missing. */
export function mergePairs(
  { base, theirs, ours }: ThreeLists,
  mergeValue: (values: Record<'base' | 'theirs' | 'ours', Value | undefined>) => Value | undefined,
): readonly Value[] {
  const [before, one, other] = [pairsOf(base), pairsOf(theirs), pairsOf(ours)]
  const keys = [...new Set([...one.keys(), ...other.keys(), ...before.keys()])]
  const merged = keys.flatMap((name) => {
    const value = mergeValue({
      base: before.get(name)?.value,
      theirs: one.get(name)?.value,
      ours: other.get(name)?.value,
    })
    const key = (one.get(name) ?? other.get(name) ?? before.get(name))?.key
    return value === undefined || value === 'null' || key === undefined ? [] : [{ key, value }]
  })
  return merged
    .toSorted((first, second) => compareKeys(first.key, second.key))
    .flatMap(({ key, value }) => [key, value])
}

function pairsOf(list: readonly Value[]): Pairs {
  const pairs = new Map<string, { key: Value; value: Value }>()
  for (let place = 0; place + 1 < list.length; place += 2) {
    const [key, value] = [list[place], list[place + 1]]
    if (key !== undefined && value !== undefined) pairs.set(printed(key), { key, value })
  }
  return pairs
}

function compareKeys(one: Value, other: Value): number {
  const [first, second] = [keyOf(one), keyOf(other)]
  if (typeof first === 'number' && typeof second === 'number') return first - second
  return Buffer.compare(Buffer.from(String(first), 'latin1'), Buffer.from(String(second), 'latin1'))
}

/** Returns the sort key of a pair: strings are sorted by their bytes, numbers by their value. */
function keyOf(key: Value): number | string {
  const text = printed(key)
  if (text.startsWith('<')) return Buffer.from(text.slice(1, -1), 'hex').toString('latin1')
  if (!text.startsWith('(')) return Number(text)
  return text.slice(1, -1).replace(/\\([0-7]{1,3}|[\s\S])/g, (_, escaped: string) => {
    if (/^[0-7]/.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8))
    return escapes[escaped] ?? escaped
  })
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

const namesOf = (list: readonly Value[]): ReadonlySet<string> => new Set(list.map(printed))

function unique(list: readonly Value[]): readonly Value[] {
  return [...new Map(list.map((item) => [printed(item), item])).values()]
}

/** Returns the content of a page as a list of streams. */
export const streamsOf = (value: Value | undefined): readonly Value[] => (isReference(value) ? [value] : itemsOf(value))
