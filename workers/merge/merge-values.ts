// Three-way merge of the entries of objects. A change of one side wins, changes of both sides are merged by the kind of
// the entry, and the rest are conflicts that one side wins.
import { limits } from '../limits.js'
import type { Conflicts } from './conflicts.js'
import { containers, derived, groups, pairLists, sets } from './entry-kinds.js'
import { mergePairs, mergeSet, mergeWrap, streamsOf } from './merge-lists.js'
import type { ParsedObject } from './parse-body.js'
import {
  type Dictionary,
  isArray,
  isDictionary,
  isReference,
  isSame,
  itemsOf,
  numberIn,
  printed,
  type Reference,
  type Value,
} from './value.js'

export type Side = 'base' | 'theirs' | 'ours'
export type ThreeValues = Readonly<Record<Side, Value | undefined>>

/** Entry of an object whose values are merged. */
export interface Place {
  readonly objectNumber: number
  /** Path of the entry, `/AcroForm/Fields`; empty for the object itself. */
  readonly path: string
}

export interface MergeContext {
  readonly conflicts: Conflicts
  /** Returns the object under a number on one side; undefined if there is none. */
  objectOf(side: Side, number: number): ParsedObject | undefined
  /** True for objects of signed and locked fields, which the layer cannot change. */
  isProtected(number: number): boolean
  /** The version is signed, and its form leaves drawing to readers. */
  readonly isLeftToReaders: boolean
  /** Side that wins conflicts. */
  readonly conflictsGoTo: 'layer' | 'version'
  /** Replaces the content of an object, of the version or the layer, by a merged value. */
  put(number: number, value: Value): void
  /** Replaces an object of the layer by one of the version. */
  alias(from: number, to: Reference): void
}

export class ValueMerge {
  constructor(private readonly context: MergeContext) {}

  mergeDictionaries(at: Place, { base, theirs, ours }: ThreeValues): Value {
    const [before, one, other] = [entriesOf(base), entriesOf(theirs), entriesOf(ours)]
    const grouped = at.path === '' ? this.#wonGroups(at, { before, one, other }) : new Set<string>()
    const merged = new Map<string, Value>()
    for (const key of new Set([...one.keys(), ...other.keys(), ...before.keys()])) {
      const three = { base: before.get(key), theirs: one.get(key), ours: other.get(key) }
      const value = grouped.has(key) ? this.#won(three) : this.mergeEntry(at, key, three)
      if (value !== undefined && value !== 'null') merged.set(key, value)
    }
    return merged
  }

  /**
   * Merges arrays that are objects of their own, whose key is unknown: they are sets if all members are objects or null.
   * Signed and locked fields of the version stay in any list.
   */
  mergeArrays(at: Place, { base, theirs, ours }: ThreeValues): Value | undefined {
    const lists = { base: itemsOf(base), theirs: itemsOf(theirs), ours: itemsOf(ours) }
    const isSet = Object.values(lists).every((list) => list.every(isMember))
    if (isSet) return this.#set(at, lists)
    const kept = itemsOf(this.#conflict(at, { base, theirs, ours }))
    const known = new Set([...lists.base, ...kept].map(printed))
    const isAdded = (item: Value) => this.context.isProtected(numberIn(item) ?? 0) && !known.has(printed(item))
    return [...kept, ...lists.theirs.filter(isAdded)]
  }

  mergeEntry(at: Place, key: string, three: ThreeValues, depth = 0): Value | undefined {
    const { base, theirs, ours } = three
    const place = { objectNumber: at.objectNumber, path: `${at.path}${key}` }
    if (containers.has(key) && isSpread(three)) {
      const joined = this.#mergeContainer(place, key, three, depth)
      if (joined !== undefined) return joined
    }
    if (key === '/NeedAppearances' && this.context.isLeftToReaders) return theirs
    if (isSame(ours, base)) return theirs
    const isForm = key === '/AcroForm' && this.context.isLeftToReaders
    if (isSame(theirs, base) && !sets.has(key) && !isForm) return ours
    if (isSame(ours, theirs)) return theirs
    return this.#content(place, key, three, depth)
  }

  #content(at: Place, key: string, three: ThreeValues, depth: number): Value | undefined {
    const { base, theirs, ours } = three
    if (derived.has(key)) return this.#isSameContent(theirs, ours) ? theirs : this.#wonOrElse(three)
    if (key === '/SigFlags') return String(Number(ours ?? 0) | Number(theirs ?? 0))
    const lists = { base: itemsOf(base), theirs: itemsOf(theirs), ours: itemsOf(ours) }
    const areLists = [base, theirs, ours].every((value) => value === undefined || isArray(value))
    if (areLists && sets.has(key)) return this.#set(at, lists)
    if (areLists && pairLists.has(key)) {
      return mergePairs(lists, (pair) => this.mergeEntry(at, '', pair, depth + 1))
    }
    if (key === '/Contents' && this.context.conflictsGoTo === 'layer' && (isReference(ours) || isArray(ours))) {
      const wrapped = mergeWrap({ base: streamsOf(base), theirs: streamsOf(theirs), ours: streamsOf(ours) })
      return wrapped ?? this.#conflict(at, three)
    }
    const areDictionaries = isDictionary(ours) && isDictionary(theirs) && (base === undefined || isDictionary(base))
    if (areDictionaries && depth < limits.depthMax) {
      const merged = new Map<string, Value>()
      const before = entriesOf(base)
      for (const name of new Set([...theirs.keys(), ...ours.keys(), ...before.keys()])) {
        const inside = { base: before.get(name), theirs: theirs.get(name), ours: ours.get(name) }
        const value = this.mergeEntry(at, name, inside, depth + 1)
        if (value !== undefined && value !== 'null') merged.set(name, value)
      }
      return merged
    }
    if (this.#isAlike(theirs, ours)) return theirs
    return this.#conflict(at, three)
  }

  #set(at: Place, lists: { readonly [S in Side]: readonly Value[] }): Value {
    const { items, isReordered } = mergeSet(lists, (item) => this.context.isProtected(numberIn(item) ?? 0))
    if (isReordered) this.#report(at, 'version')
    return items
  }

  /** Merges the content of an entry, direct or referenced. Returns undefined if it is not a container on some side. */
  #mergeContainer(at: Place, key: string, three: ThreeValues, depth: number): Value | undefined {
    if (depth >= limits.depthMax) return undefined
    const content: Record<Side, Value | undefined> = { base: undefined, theirs: undefined, ours: undefined }
    for (const side of ['base', 'theirs', 'ours'] as const) {
      const value = three[side]
      if (value === undefined || value === 'null') continue
      const object = isReference(value) ? this.context.objectOf(side, value.number) : { value, bytes: undefined }
      if (object === undefined) continue
      if (object.bytes !== undefined || typeof object.value === 'string') return undefined
      content[side] = object.value
    }
    const { theirs, ours } = three
    const own = isReference(theirs) ? theirs : isReference(ours) ? ours : undefined
    if (content.ours === undefined && three.base === undefined) return theirs
    const inside = own === undefined ? at : { objectNumber: own.number, path: '' }
    const merged = isSame(content.ours, content.base)
      ? content.theirs
      : isSame(content.theirs, content.base) && !sets.has(key)
        ? content.ours
        : this.#content(inside, key, content, depth + 1)
    if (merged === undefined || own === undefined) return merged
    this.context.put(own.number, merged)
    if (isReference(ours) && ours.number !== own.number) this.context.alias(ours.number, own)
    return own
  }

  /** Returns the entries of groups that both sides changed: the values of the side that wins belong together. */
  #wonGroups(at: Place, { before, one, other }: Record<'before' | 'one' | 'other', Dictionary>): Set<string> {
    const members = new Set<string>()
    if (one.get('/Type') === '/Page') return members
    for (const group of groups) {
      const names = [...group].filter((key) => before.has(key) || one.has(key) || other.has(key))
      const byVersion = names.filter((key) => !isSame(one.get(key), before.get(key)))
      const byLayer = names.filter((key) => !isSame(other.get(key), before.get(key)))
      if (byVersion.length === 0 || byLayer.length === 0) continue
      for (const key of byVersion) {
        if (isSame(one.get(key), other.get(key))) continue
        this.#report({ ...at, path: key }, this.context.conflictsGoTo, { theirs: one.get(key), ours: other.get(key) })
      }
      for (const key of names) members.add(key)
    }
    return members
  }

  #conflict(at: Place, three: ThreeValues): Value | undefined {
    this.#report(at, this.context.conflictsGoTo, three)
    return this.#won(three)
  }

  #won({ theirs, ours }: ThreeValues): Value | undefined {
    return this.context.conflictsGoTo === 'layer' ? ours : theirs
  }

  /** Returns the value of the other side if the one that wins has none; a redacted version has none on purpose. */
  #wonOrElse(three: ThreeValues): Value | undefined {
    return this.context.conflictsGoTo === 'layer' ? (three.ours ?? three.theirs) : three.theirs
  }

  #report(
    { objectNumber, path }: Place,
    kept: 'layer' | 'version',
    { theirs, ours }: Partial<Record<'theirs' | 'ours', Value | undefined>> = { theirs: 'true', ours: 'true' },
  ): void {
    this.context.conflicts.report({
      objectNumber,
      path: path === '' ? null : path,
      version: theirs === undefined ? 'removed' : 'changed',
      layer: ours === undefined ? 'removed' : 'changed',
      kept,
      reason: 'both-changed',
    })
  }

  /** True if both sides created equal objects, under different numbers. */
  #isAlike(theirs: Value | undefined, ours: Value | undefined): boolean {
    return isReference(theirs) && isReference(ours) && this.#isSameContent(theirs, ours)
  }

  /** True if two values are equal but for the numbers of the objects they refer to. */
  #isSameContent(theirs: Value | undefined, ours: Value | undefined): boolean {
    if (theirs === undefined || ours === undefined) return false
    return this.#text('theirs', theirs, 0) === this.#text('ours', ours, 0)
  }

  #text(side: Side, value: Value, depth: number): string {
    if (depth > alikeDepthMax) return printed(value)
    if (isReference(value)) {
      const object = this.context.objectOf(side, value.number)
      const bytes = object?.bytes === undefined ? '' : Buffer.from(object.bytes).toString('latin1')
      return object === undefined ? 'null' : `${this.#text(side, object.value, depth + 1)}${bytes}`
    }
    if (isArray(value)) return `[${value.map((item) => this.#text(side, item, depth + 1)).join(' ')}]`
    if (!isDictionary(value)) return printed(value)
    const entries = [...value].toSorted(([one], [other]) => (one < other ? -1 : 1))
    return `<<${entries.map(([key, entry]) => `${key} ${this.#text(side, entry, depth + 1)}`).join('')}>>`
  }
}

const isMember = (item: Value): boolean => isReference(item) || isDictionary(item) || item === 'null'

const alikeDepthMax = 8

/** True if the sides have different objects, or an object and an inline value. */
function isSpread(three: ThreeValues): boolean {
  const known = Object.values(three).filter((value) => value !== undefined && value !== 'null')
  const numbers = new Set(known.map(numberIn))
  return (
    numbers.size > 1 || (numbers.size === 1 && !numbers.has(undefined) && three.base === undefined && known.length > 1)
  )
}

const entriesOf = (value: Value | undefined): Dictionary => (isDictionary(value) ? value : new Map())
