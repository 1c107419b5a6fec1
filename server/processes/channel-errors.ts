// Rebuilds errors that crossed a channel, where callers tell them apart by their class.
import { DiskFull } from '../storage/free-space.js'
import { StoreBroken } from '../storage/store.js'
import type { SentError } from './channel.js'

export function receivedError(value: unknown): unknown {
  const { name, message, members } = value as SentError // The other end is of the same program.
  if (name === 'DiskFull') return new DiskFull(Number(members['freeBytes'] ?? 0), Number(members['neededBytes'] ?? 0))
  if (name === 'StoreBroken') return new StoreBroken(new Error(message))
  const constructors: Readonly<Record<string, ErrorConstructor>> = { RangeError, TypeError }
  return Object.assign(new (constructors[name] ?? Error)(message), { name }, members)
}
