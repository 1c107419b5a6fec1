// Typed access to values: functions return undefined where a value is of another kind.
import type {
  StrictArray,
  StrictDictionary,
  StrictName,
  StrictReference,
  StrictStream,
  StrictString,
  StrictValue,
} from './values.js'

interface Kinds {
  name: StrictName
  string: StrictString
  array: StrictArray
  dictionary: StrictDictionary
  reference: StrictReference
  stream: StrictStream
}

/** Returns the value if it is of this kind: `ofKind(value, 'array')?.items`. */
export const ofKind = <Kind extends keyof Kinds>(
  value: StrictValue | undefined,
  kind: Kind,
): Kinds[Kind] | undefined =>
  typeof value === 'object' && value !== null && value.kind === kind ? (value as Kinds[Kind]) : undefined

/** Returns a dictionary itself, or that of a stream. */
export const dictionaryOf = (value: StrictValue | undefined): StrictDictionary | undefined =>
  ofKind(value, 'dictionary') ?? ofKind(value, 'stream')?.dictionary

export const nameOf = (value: StrictValue | undefined): string | undefined => ofKind(value, 'name')?.name

export const integerOf = (value: StrictValue | undefined): number | undefined =>
  Number.isInteger(value) ? Number(value) : undefined

/** True if two values are equal. References are compared, not followed; streams are compared by their place. */
export function isSame(one: StrictValue | undefined, other: StrictValue | undefined): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return (one ?? null) === (other ?? null)
  }
  if (one.kind === 'array' && other.kind === 'array') {
    return one.items.length === other.items.length && one.items.every((item, index) => isSame(item, other.items[index]))
  }
  if (one.kind === 'dictionary' && other.kind === 'dictionary') {
    const keys = [...one.entries.keys()]
    return (
      keys.length === other.entries.size &&
      keys.every((key) => other.entries.has(key) && isSame(one.entries.get(key), other.entries.get(key)))
    )
  }
  if (one.kind === 'string' && other.kind === 'string') return Buffer.compare(one.bytes, other.bytes) === 0
  if (one.kind === 'name' && other.kind === 'name') return one.name === other.name
  if (one.kind === 'reference' && other.kind === 'reference') {
    return one.number === other.number && one.generation === other.generation
  }
  return one.kind === 'stream' && other.kind === 'stream' && one.offset === other.offset && one.length === other.length
}
