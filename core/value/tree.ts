// Trees and leaves: the form in which resources are compared, whatever their provider and kind.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/**
 * A resource as leaves. Objects are branches; every other value, including an array, is a leaf. Strings and keys may
 * contain placeholders, see `placeholder.ts`.
 */
export type Tree = JsonObject

/** Path of a leaf, `metadata/team`: its keys joined by `/`. In a key, `~` and `/` are written `~0` and `~1`. */
export type LeafPath = string

export function leafPath(keys: readonly string[]): LeafPath {
  return keys.map(escaped).join('/')
}

function escaped(key: string): string {
  return key.includes('/') || key.includes('~') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key
}

export function leafKeys(path: LeafPath): readonly string[] {
  const keys = path.split('/')
  return path.includes('~') ? keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~')) : keys
}

/** Returns the path for people: keys joined by dots, and those that are no plain word in brackets and quotes. */
export function pathText(keys: readonly string[]): string {
  return keys
    .map((key, index) => {
      if (index === 0) return key
      return /^[^./\s[\]"]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
    })
    .join('')
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a member whose key somebody chose: `constructor` is none of an object that does not have it. */
export function ownMember(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** True for values that count as missing, because providers return them alike: undefined, null, "", [], {}. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.values(value).every(isEmpty)
}

/** Returns all leaves that are not empty, by path. */
export function leavesOf(tree: Tree): ReadonlyMap<LeafPath, Json> {
  const leaves = new Map<LeafPath, Json>()
  collect(tree, '', leaves)
  return leaves
}

/** Collects leaves. `within`: path of the tree, followed by a slash. */
function collect(tree: Tree, within: string, leaves: Map<LeafPath, Json>): void {
  for (const [key, value] of Object.entries(tree)) {
    if (value === undefined || isEmpty(value)) continue
    const path = within + escaped(key)
    if (isObject(value)) collect(value, `${path}/`, leaves)
    else leaves.set(path, value)
  }
}

/** Returns the same text for equal values, whatever the order of their keys. Empty members are left out. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter((entry): entry is [string, Json] => !isEmpty(entry[1]))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}

/** Returns the value with every text in it, keys included, replaced. */
export function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item: Json) => mapTexts(item, map))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [map(key), mapTexts(member ?? null, map)]))
}
