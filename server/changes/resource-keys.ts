// Which files of the request an op names, and by which keys.
import { invalidArg } from '../errors.js'
import type { ReceivedFile, Resources } from '../operation.js'
import type { Op } from './words.js'

/** Members that hold keys of files: every op's `resources`, and the drawing of a signature field. */
const places = ['resources', 'appearance'] as const

export function withKeysReplaced(op: Op, replace: (key: string) => string): Op {
  const replaced: Record<string, unknown> = {}
  for (const place of places) {
    const members = membersOf(op[place])
    if (members.length === 0) continue
    replaced[place] = Object.fromEntries(
      members.map(([role, key]) => [role, typeof key === 'string' ? replace(key) : key]),
    )
  }
  return { ...op, ...replaced }
}

export function resourceKeysOf(op: Op): readonly string[] {
  return places.flatMap((place) => membersOf(op[place]).flatMap(([, key]) => (typeof key === 'string' ? [key] : [])))
}

/** Throws `InvalidArg` for a file that no op asked for. */
export function refuseUnnamed(resources: Resources, ops: readonly Op[]): void {
  const named = new Set(ops.flatMap(resourceKeysOf))
  const unnamed = Object.keys(resources).find((key) => !named.has(key))
  if (unnamed !== undefined) throw invalidArg(`Nothing in the body names the file ${JSON.stringify(unnamed)}`)
}

/** Of the files of a request, those a change names. */
export function resourcesOf(ops: readonly Op[], resources: Resources): Resources {
  const named = new Set(ops.flatMap(resourceKeysOf))
  return Object.fromEntries(Object.entries(resources).filter(([key]) => named.has(key)))
}

/** Of them those that are drawn: pictures of stamps and of signature fields. */
export function appearancesOf(ops: readonly Op[], resources: Resources): readonly ReceivedFile[] {
  const named = new Set(ops.flatMap(appearanceKeysOf))
  return Object.entries(resources).flatMap(([key, file]) => (named.has(key) ? [file] : []))
}

const appearanceKeysOf = ({ resources, appearance }: Op): readonly unknown[] => [
  ...membersOf(resources).flatMap(([role, key]) => (role === 'appearance' ? [key] : [])),
  ...membersOf(appearance).map(([, key]) => key),
]

const membersOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []
