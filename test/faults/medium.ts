// What is left on a medium when the power goes: flushed bytes and names for certain, the others by luck.

/** What became of everything that was not flushed when the power went. */
export type Survival = 'nothing' | 'everything' | 'half' | 'holes'
export const survivals: readonly Survival[] = ['nothing', 'everything', 'half', 'holes']

/** A file, whatever it is called. */
export interface Node {
  readonly id: string
  readonly mode: number
  bytes: Uint8Array
  /** What is certain to be on the medium. */
  flushed: Uint8Array
}

/** One atomic change of a folder: names with their new targets, undefined for a removed name. */
export type NameChange = ReadonlyMap<string, Node | undefined>

export function survivorsOf(changes: readonly NameChange[], survival: Survival): readonly NameChange[] {
  if (survival === 'nothing') return []
  if (survival === 'everything') return changes
  return survival === 'half' ? changes.slice(0, Math.ceil(changes.length / 2)) : changes.slice(-1)
}

export function survivingBytes({ bytes, flushed }: Node, survival: Survival): Uint8Array {
  if (survival === 'everything') return bytes
  if (survival === 'nothing') return flushed
  const unflushed = bytes.subarray(Math.min(flushed.length, bytes.length))
  if (survival === 'half') return joined(bytes.subarray(0, bytes.length - unflushed.length), firstHalf(unflushed))
  // The later page reached the medium and the earlier one did not.
  const holed = Uint8Array.from(bytes)
  holed.fill(0, bytes.length - unflushed.length, bytes.length - Math.floor(unflushed.length / 2))
  return holed
}

export function firstHalf(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(0, Math.ceil(bytes.length / 2))
}

export function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

export function applyTo(names: Map<string, Node>, change: NameChange): void {
  for (const [path, node] of change) {
    if (node) names.set(path, node)
    else names.delete(path)
  }
}
