// Content of a medium after a power failure: flushed bytes and names are preserved, others may be.

/** Fate of unflushed data at a power failure. */
export type Survival = 'nothing' | 'everything' | 'half' | 'holes'
export const survivals: readonly Survival[] = ['nothing', 'everything', 'half', 'holes']

/** Content of a file, independent of its names. */
export interface Node {
  readonly id: string
  readonly mode: number
  bytes: Uint8Array
  /** Flushed content. */
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
  // Only the later page was written to the medium.
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
