// Finds dangling references between objects of emulated accounts.
import { isObject } from '../../core/value/tree.js'
import type { TestEmulator } from '../cli/emulator.js'

/** Objects by id. */
export async function bodiesOf(emulator: TestEmulator): Promise<ReadonlyMap<string, unknown>> {
  const objects = await emulator.objects()
  const bodies = objects.map(async ({ id }) => {
    const response = await fetch(`${emulator.url}/_emulator/objects/${encodeURIComponent(id)}`)
    return [id, await response.json()] as const
  })
  return new Map(await Promise.all(bodies))
}

/** Returns ids among `known` that existing objects refer to, and that do not exist. */
export async function missing(emulator: TestEmulator, known: Iterable<string>): Promise<readonly string[]> {
  const bodies = await bodiesOf(emulator)
  const gone = new Set([...known].filter((id) => !bodies.has(id)))
  return [...bodies].flatMap(([owner, body]) =>
    wordsIn(body).flatMap((word) => (gone.has(word) ? [`${owner} refers to ${word}`] : [])),
  )
}

/** Returns all strings and keys of a value. */
export function wordsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(wordsIn)
  return isObject(value) ? Object.entries(value).flatMap(([key, member]) => [key, ...wordsIn(member)]) : []
}
