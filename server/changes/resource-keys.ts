// Keys of request files that ops name.
import { findOpContract, type Op, opContracts } from '../../workers/contract/ops/index.js'
import type { ReceivedFile, Resources } from '../operation/operation.js'
import { invalidArg } from '../refusals/refusal.js'
import type { RawOp } from './change-types.js'

type AnyOp = Op | RawOp

/**
 * Members of ops that map roles to keys of files. They are read from ops of any type, because an op may not be checked
 * yet.
 */
const fileMembers = [...new Set(opContracts.flatMap(({ files }) => files?.member ?? []))]

type Entries = readonly (readonly [string, unknown])[]

function entriesIn(op: AnyOp, member: string): Entries {
  const value: unknown = Object.entries(op).find(([name]) => name === member)?.[1]
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

export function withKeysReplaced(op: AnyOp, replace: (key: string) => string): RawOp {
  const replaced: Record<string, unknown> = {}
  for (const member of fileMembers) {
    const entries = entriesIn(op, member)
    if (entries.length === 0) continue
    replaced[member] = Object.fromEntries(
      entries.map(([role, key]) => [role, typeof key === 'string' ? replace(key) : key]),
    )
  }
  return { ...op, ...replaced }
}

const resourceKeysOf = (op: AnyOp): readonly unknown[] =>
  fileMembers.flatMap((member) => entriesIn(op, member).map(([, key]) => key))

/** Throws `InvalidArg` for an unreferenced file. */
export function refuseUnnamed(resources: Resources, ops: readonly AnyOp[]): void {
  const named = new Set(ops.flatMap(resourceKeysOf))
  const unnamed = Object.keys(resources).find((key) => !named.has(key))
  if (unnamed !== undefined) throw invalidArg(`Nothing in the body names the file ${JSON.stringify(unnamed)}`)
}

/** Returns the request files that a change names. */
export function resourcesOf(ops: readonly Op[], resources: Resources): Resources {
  const named = new Set(ops.flatMap(resourceKeysOf))
  return Object.fromEntries(Object.entries(resources).filter(([key]) => named.has(key)))
}

/** Returns the request files that are drawn: pictures of stamps and of signature fields. */
export function appearancesOf(ops: readonly Op[], resources: Resources): readonly ReceivedFile[] {
  const named = new Set(ops.flatMap(drawnKeysOf))
  return Object.entries(resources).flatMap(([key, file]) => (named.has(key) ? [file] : []))
}

function drawnKeysOf(op: Op): readonly unknown[] {
  const files = findOpContract(op.type)?.files
  if (files === undefined) return []
  return entriesIn(op, files.member).flatMap(([role, key]) => (files.drawn.includes(role) ? [key] : []))
}
