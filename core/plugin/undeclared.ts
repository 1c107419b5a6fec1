// Keeps what a provider has and no declaration can express, in members that an update replaces as a whole: a limit that
// somebody set at the provider must not vanish because another value changed. What cannot be kept is named.
import {
  canonical,
  isEmpty,
  isObject,
  type Json,
  type JsonObject,
  type LeafPath,
  leafPath,
  ownMember,
  type Tree,
} from '../value/tree.js'
import { fieldAt } from './fields.js'
import type { FieldTable, Remote } from './handler.js'
import type { WireForm } from './wire-form.js'

/** Members of a handler, or of its parts, that say how a tree becomes a request. */
export interface Written extends WireForm {
  readonly fields: FieldTable
}

export interface WriteFacts {
  readonly desired: Tree
  readonly observed: Tree
  readonly remote: Remote
}

export interface Kept {
  /** Whole object for requests, with the undeclared members of the present one. */
  readonly body: JsonObject
  /** Places of undeclared members that the update erases, `config.networking.blocked_hosts`. */
  readonly lost: readonly string[]
  /** Paths of objects that the update turns into another type, of which nothing stays. */
  readonly retyped: readonly LeafPath[]
}

/** Returns the object to send, by comparing the present object with the one that the handler would have sent for it. */
export function keepUndeclared(written: Written, { desired, observed, remote }: WriteFacts): Kept {
  const wire = (tree: Tree) => written.wire?.(tree, remote) ?? tree
  const [sent, known] = [wire(desired), wire(observed)]
  const merge = new Merge(written)
  const { lost, retyped } = merge
  const handled = { ...known, ...sent }
  const { replacesAllBut } = written
  if (replacesAllBut)
    for (const [member, value] of Object.entries(remote))
      if (!Object.hasOwn(handled, member) && !replacesAllBut.includes(member) && !isEmpty(value)) lost.push(member)
  const members = Object.keys(handled).filter((member) => isReplaced(written.fields, member))
  const merged = members.map((member) => [
    member,
    merge.value(sent[member], known[member], remote[member], { place: member, pattern: [member] }),
  ])
  return { body: { ...sent, ...Object.fromEntries(merged) }, lost, retyped }
}

/** Returns the places of all undeclared members, which a new object in place of this one will not have. */
export function undeclaredMembers(written: Written, facts: Pick<WriteFacts, 'observed' | 'remote'>): readonly string[] {
  return keepUndeclared(written, { ...facts, desired: {} }).lost
}

/** True for a member that an update sends as a whole, instead of key by key. */
function isReplaced(fields: FieldTable, member: string): boolean {
  return (fieldAt(fields, member).map ?? 'replace') === 'replace'
}

interface Where {
  /** Path for people; elements of lists by their names. */
  readonly place: string
  /** Path for patterns; elements of lists as `*`. */
  readonly pattern: readonly string[]
}

class Merge {
  readonly lost: string[] = []
  readonly retyped: LeafPath[] = []

  constructor(private readonly written: Written) {}

  /**
   * Returns `sent` with the undeclared members of `current`; `known` is what would have been sent for `current`.
   */
  value(sent: Json | undefined, known: Json | undefined, current: Json | undefined, where: Where): Json | undefined {
    if (Array.isArray(current) && (Array.isArray(sent) || Array.isArray(known)))
      return this.list(sent, known, current, where)
    if (!isObject(current) || !(isObject(sent) || isObject(known))) return sent
    const isRetyped = isObject(sent) && this.isOtherVariant(sent, known, where)
    if (!isObject(sent) || isRetyped) {
      this.lose(known, current, where)
      if (isRetyped) this.retyped.push(leafPath(where.pattern))
      return sent
    }
    return this.object(sent, known, current, where)
  }

  private object(sent: JsonObject, known: Json | undefined, current: JsonObject, where: Where): JsonObject {
    const before = isObject(known) ? known : {}
    const merged = new Map(Object.entries(sent))
    for (const [name, value] of Object.entries(current)) {
      const at = below(where, name)
      const [wanted, had] = [ownMember(sent, name), ownMember(before, name)]
      if (wanted !== undefined || had !== undefined) merged.set(name, this.value(wanted, had, value, at))
      else if (this.isUndeclared(value, at)) merged.set(name, value)
    }
    return Object.fromEntries(merged)
  }

  private list(
    sent: Json | undefined,
    known: Json | undefined,
    current: readonly Json[],
    where: Where,
  ): Json | undefined {
    const [wanted, before, present] = [sent, known, current].map(objectsIn)
    if (!wanted || !before || !present || present.length === 0) return sent
    const knownOf = pairs(present, before, isContained)
    const currentOf = pairs(wanted, present, (one, other) => isSame(one, knownOf.get(other)))
    const merged = (Array.isArray(sent) ? sent : []).map((element: Json) => {
      const match = isObject(element) ? currentOf.get(element) : undefined
      return match === undefined
        ? element
        : (this.value(element, knownOf.get(match), match, within(where, match)) ?? element)
    })
    const used = new Set(currentOf.values())
    const others = present.filter((element) => !used.has(element))
    for (const element of others)
      if (knownOf.has(element)) this.lose(knownOf.get(element), element, within(where, element))
    const foreign = others.filter(
      (element) => !knownOf.has(element) && this.isUndeclared(element, within(where, element)),
    )
    if (foreign.length === 0) return sent && merged
    // What stood before the declared elements still does.
    const start = present.findIndex((element) => used.has(element))
    const isFirst = (element: JsonObject) => present.indexOf(element) < start
    return [...foreign.filter(isFirst), ...merged, ...foreign.filter((element) => !isFirst(element))]
  }

  /** Records the undeclared members of a value that is no longer sent. */
  private lose(known: Json | undefined, current: Json, where: Where): void {
    if (Array.isArray(current)) {
      const present = objectsIn(current)
      const knownOf = pairs(present, objectsIn(known), isContained)
      for (const element of present) {
        if (knownOf.has(element)) this.lose(knownOf.get(element), element, within(where, element))
        else if (this.isUndeclared(element, within(where, element))) this.lost.push(within(where, element).place)
      }
    }
    if (!isObject(current)) return
    const before = isObject(known) ? known : {}
    for (const [name, value] of Object.entries(current)) {
      const at = below(where, name)
      if (value === undefined) continue
      const had = ownMember(before, name)
      if (had !== undefined) this.lose(had, value, at)
      else if (this.isUndeclared(value, at)) this.lost.push(at.place)
    }
  }

  private isUndeclared(value: Json | undefined, { pattern }: Where): boolean {
    const { fields, added } = this.written
    return !isEmpty(value) && !covers(added, pattern) && !fieldAt(fields, leafPath(pattern)).writeOnly
  }

  /** True if the object becomes another one, to which undeclared members of the present one may mean nothing. */
  private isOtherVariant(sent: JsonObject, known: Json | undefined, { pattern }: Where): boolean {
    if (!isObject(known)) return false
    return Object.keys(known).some(
      (name) =>
        (name === 'type' || covers(this.written.decisive, [...pattern, name])) &&
        known[name] !== undefined &&
        sent[name] !== undefined &&
        edition(known[name]) !== edition(sent[name]),
    )
  }
}

function below({ place, pattern }: Where, name: string): Where {
  return { place: `${place}.${name}`, pattern: [...pattern, name] }
}

function within({ place, pattern }: Where, element: JsonObject): Where {
  const name = identityOf(element)?.[1]
  return { place: name === undefined ? place : `${place}.${name}`, pattern: [...pattern, '*'] }
}

function covers(patterns: readonly string[] = [], path: readonly string[]): boolean {
  return patterns.some((one) => {
    const keys = one.split('/')
    return keys.length === path.length && keys.every((key, index) => key === '*' || key === path[index])
  })
}

/** Returns a type without the date of its edition: `agent_toolset_20260401` and later ones are one type. */
function edition(type: Json | undefined): string {
  return String(type).replace(/_\d{8}$/, '')
}

/** Members that identify an element of a list, the most telling first. */
const identifying = [
  'id',
  'mcp_server_name',
  'skill_id',
  'template_id',
  'memory_store_id',
  'name',
  'mount_path',
  'file_id',
  'type',
] as const

function identityOf(element: JsonObject): readonly [member: string, value: string] | undefined {
  for (const member of identifying) {
    const value = element[member]
    if (typeof value === 'string') return [member, member === 'type' ? edition(value) : value]
  }
  return undefined
}

function hasIdentityOf(element: JsonObject, other: JsonObject): boolean {
  const [member, value] = identityOf(other) ?? []
  if (member === undefined) return false
  return (member === 'type' ? edition(element[member]) : element[member]) === value
}

/** Pairs elements one to one: those that `fit` first, then those with the same identity. */
function pairs(
  ones: readonly JsonObject[],
  others: readonly JsonObject[],
  fit: (one: JsonObject, other: JsonObject) => boolean,
): ReadonlyMap<JsonObject, JsonObject> {
  const free = new Set(others)
  const found = new Map<JsonObject, JsonObject>()
  for (const isPair of [
    fit,
    (one: JsonObject, other: JsonObject) => hasIdentityOf(one, other) || hasIdentityOf(other, one),
  ])
    for (const one of ones) {
      if (found.has(one)) continue
      const other = [...free].find((candidate) => isPair(one, candidate))
      if (other === undefined) continue
      found.set(one, other)
      free.delete(other)
    }
  return found
}

/** True if the element has every member of the known one. */
function isContained(element: JsonObject, known: JsonObject): boolean {
  const entries = Object.entries(known).filter(([, value]) => !isEmpty(value))
  return entries.length > 0 && entries.every(([name, value]) => isSame(element[name], value))
}

function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return one !== undefined && other !== undefined && canonical(one) === canonical(other)
}

function objectsIn(list: Json | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
