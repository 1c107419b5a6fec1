// Refuses variables in keys and names that state stores unencrypted.

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

/** Throws if a key of the tree comes from a variable. A text that is a key in the body already is not secret. */
export function refuseVariablesInKeys(tree: Tree, { inserted, body, address }: KeyRequest): void {
  if (inserted.size === 0) return
  const literal = new Set(keysIn(body))
  for (const key of keysOf(tree)) {
    if (literal.has(key)) continue
    for (const [text, open] of inserted) if (comesFrom(key, text)) throw variableInKey(asNames(open), address)
  }
}

/** Throws if the name of an implied resource contains a path with a variable. */
export function refuseVariablesInName(name: string, { sources }: Declaration, address: Address): void {
  for (const { written, unexpanded } of sources.values())
    if (unexpanded !== undefined && name.includes(written)) throw variableInKey(unexpanded, address)
}

/** Yields the keys of all leaves that state records; a list is one leaf. */
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
 * True if the text may contain the variable's value, however handlers spelled it. Short values must be a word by
 * themselves, because they occur in most texts.
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
