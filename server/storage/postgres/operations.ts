// Form in which a commit is sent: its keys in ascending order, and for each what is expected and written.
import { textOf } from '../bytes.js'
import type { Key } from '../keys.js'
import type { Amendment, Commit, Value } from '../store.js'
import { bufferOf, byteArray } from './byte-arrays.js'

/** Bits of an operation, as `commit_rows` reads them. */
const bits = { absent: 1, present: 2, put: 4, delete: 8, amended: 16 } as const

interface Operation {
  readonly key: Key
  bits: number
  expected?: Value | undefined
  value?: Value
}

/** Parameters of `commit_rows`: keys, operations, expected values, written values. */
export type CommitParameters = readonly [Buffer, Buffer, Buffer, Buffer]

/** Values of amended rows that a commit is computed from, by the text of the key; undefined = absent. */
export type AmendedValues = ReadonlyMap<string, Value | undefined>

export interface EncodedCommit {
  readonly parameters: CommitParameters
  /** New values of the amended rows, by the text of the key. */
  readonly amended: ReadonlyMap<string, Value>
}

/** Returns undefined if two expectations about a row exclude each other, which no state of the store fulfils. */
export function encodeCommit(commit: Commit, current: AmendedValues): EncodedCommit | undefined {
  const operations = new Map<string, Operation>()
  const at = (key: Key): Operation => {
    const text = textOf(key)
    const known = operations.get(text)
    if (known) return known
    const operation: Operation = { key, bits: 0 }
    operations.set(text, operation)
    return operation
  }
  for (const { key, value } of commit.expect) {
    const operation = at(key)
    const expectation = value === undefined ? bits.absent : bits.present
    if ((operation.bits | expectation) === (bits.absent | bits.present)) return undefined
    if (value !== undefined && operation.expected !== undefined && !bufferOf(value).equals(operation.expected)) {
      return undefined
    }
    operation.bits |= expectation
    if (value !== undefined) operation.expected = value
  }
  for (const { key, value } of commit.put) {
    const operation = at(key)
    operation.bits |= bits.put
    operation.value = value
  }
  for (const key of commit.delete) at(key).bits |= bits.delete
  const amended = new Map<string, Value>()
  for (const amendment of commit.amend ?? []) amend(at(amendment.key), amendment, { current, amended })
  return { parameters: parametersOf([...operations.values()]), amended }
}

/** An amended row is expected to have the value that the new one is computed from. */
function amend(
  operation: Operation,
  { key, change }: Amendment,
  { current, amended }: { readonly current: AmendedValues; readonly amended: Map<string, Value> },
): void {
  const text = textOf(key)
  const isExpected = operation.bits !== 0
  const before = isExpected ? operation.expected : current.get(text)
  const value = change(before)
  if (!isExpected) operation.bits |= before === undefined ? bits.absent : bits.present
  operation.bits |= bits.put | (isExpected ? 0 : bits.amended)
  operation.value = value
  if (before !== undefined) operation.expected = before
  amended.set(text, value)
}

function parametersOf(operations: Operation[]): CommitParameters {
  operations.sort((one, other) => Buffer.compare(one.key, other.key))
  return [
    byteArray(operations.map(({ key }) => key)),
    Buffer.from(operations.map((operation) => operation.bits)),
    byteArray(operations.map(({ expected }) => expected)),
    byteArray(operations.map(({ value }) => value)),
  ]
}
