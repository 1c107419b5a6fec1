// Refuses variables in keys and names that state records in clear text.

import { declarationLimits } from '../declaration/limits.js'
import type { Declaration } from '../plugin/declaration.js'
import { problem } from '../problems/index.js'
import type { Address } from '../value/address.js'
import { asNames } from '../value/placeholder.js'
import { isObject, type Json, type Tree } from '../value/tree.js'

export interface KeyRequest {
  /** See `Declaration.inserted`. */
  readonly inserted: ReadonlyMap<string, string>
  readonly body: Json
  readonly address: Address
}

/** Throws where a key of the tree comes from a variable. What stands in the body as a key is written out there. */
export function refuseVariablesInKeys(tree: Tree, { inserted, body, address }: KeyRequest): void {
  if (inserted.size === 0) return
  const literal = new Set(keysIn(body))
  for (const key of keysOf(tree)) {
    if (literal.has(key)) continue
    for (const [text, open] of inserted) if (comesFrom(key, text)) throw variableInKey(asNames(open), address)
  }
}

/** Throws where the name of an implied resource is made of a path with a variable. */
export function refuseVariablesInName(name: string, { sources }: Declaration, address: Address): void {
  for (const { written, unexpanded } of sources.values())
    if (unexpanded !== undefined && name.includes(written)) throw variableInKey(unexpanded, address)
}

/** Yields the key of every leaf of the tree that state records; a list is one leaf. */
function* keysOf(tree: Tree): Iterable<string> {
  for (const [key, member] of Object.entries(tree)) {
    yield key
    if (isObject(member)) yield* keysOf(member)
  }
}

function* keysIn(value: Json | undefined): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* keysIn(item)
  if (!isObject(value)) return
  for (const [key, member] of Object.entries(value)) {
    yield key
    yield* keysIn(member)
  }
}

/**
 * True if the text may come from the variable. Handlers change the spelling of words. Short values must stand alone,
 * because they occur in most texts.
 */
function comesFrom(key: string, text: string): boolean {
  if (key === text) return true
  for (const left of [otherThanWords, otherThanAscii]) {
    const [short, long] = [folded(text, left), folded(key, left)]
    if (short.length >= declarationLimits.maskedLengthMin && long.includes(short)) return true
  }
  return text.length > 1 && key.split(otherThanWords).includes(text)
}

const otherThanWords = /[^\p{L}\p{N}]+/gu
const otherThanAscii = /[^a-z0-9]+/g

function folded(text: string, left: RegExp): string {
  return text.toLowerCase().replaceAll(left, '')
}

function variableInKey(written: string, address: Address): Error {
  return problem('graph.variable-in-key', {
    address,
    detail: `${written} becomes part of an identifying key of ${address}, and state must not contain values of variables.`,
  })
}
