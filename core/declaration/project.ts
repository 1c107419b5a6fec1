// The checked file as a value.

import type { Declaration, Project } from '../plugin/declaration.js'
import { asNames } from '../value/placeholder.js'

/** Creates the project, with an index of declarations by kind and name. */
export function createProject(facts: Omit<Project, 'find' | 'ofKind'>): Project {
  const byKind = byNameAndKind(facts.declarations, (declaration) => declaration)
  const lists = new Map([...byKind].map(([kind, ofKind]) => [kind, [...ofKind.values()]]))
  return {
    ...facts,
    find: (kind: string, name: string): Declaration | undefined => byKind.get(kind)?.get(name),
    ofKind: (kind: string) => lists.get(kind) ?? [],
  }
}

/** Indexes items by kind and name. */
export function byNameAndKind<Item>(
  items: Iterable<Item>,
  named: (item: Item) => { readonly kind: string; readonly name: string },
): ReadonlyMap<string, ReadonlyMap<string, Item>> {
  const byKind = new Map<string, Map<string, Item>>()
  for (const item of items) {
    const { kind, name } = named(item)
    const ofKind = byKind.get(kind) ?? new Map<string, Item>()
    ofKind.set(name, item)
    byKind.set(kind, ofKind)
  }
  return byKind
}

/**
 * Returns an enumerated value of the declaration as the file writes it, with `${NAME}` in place of values of variables.
 */
export function wordInFile({ inserted }: Declaration, word: string): string {
  return asNames(inserted?.get(word) ?? word)
}
