// Writable members of annotations, by subtype: those that reads return, without those that only the server or the
// engine sets. Drafts, patches and the checks of their members derive from them.
import { type TSchema, Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { strict } from '../strict.js'
import { type Contract, subtypeContracts } from './annotation.js'
import { AnnotationReply } from './common.js'
import type { WriteRules } from './subtype-contract.js'

/** Members that reads return and writes ignore, so that a read can be sent back. */
export const readOnlyMembers: ReadonlySet<string> = new Set([
  'subtype',
  'ref',
  'page',
  'hasAppearance',
  'appearanceState',
  'popup',
  'author',
  'createdAt',
  'modifiedAt',
  'userId',
  'createdBy',
  'modifiedBy',
  'importedBy',
  'actions',
])

/** Members that only a create sets. */
export const createOnlyMembers: ReadonlySet<string> = new Set(['nm'])

const commonWritten = {
  reply: Nullable(
    Type.Object({ to: AnnotationReply.properties.to, type: Type.Optional(AnnotationReply.properties.type) }, strict),
  ),
}

export type WritableContract = Extract<Contract, { readonly write: WriteRules }>
export type WritableName = WritableContract['subtype']

const writable: ReadonlyMap<string, WritableContract> = new Map(
  subtypeContracts.flatMap((contract) => (isWritable(contract) ? [[contract.subtype, contract]] : [])),
)

export const writableNames: readonly WritableName[] = [...writable.values()].map(({ subtype }) => subtype)

export function isWritableName(name: string): name is WritableName {
  return writable.has(name)
}

function isWritable(contract: Contract): contract is WritableContract {
  return contract.write !== null
}

export function writeRulesOf(name: WritableName): WriteRules {
  return contractOf(name).write
}

/** Returns the members of a subtype that a write may contain, in their written form. */
export function writtenMembers(name: WritableName): Readonly<Record<string, TSchema>> {
  const { schema, write } = contractOf(name)
  const { written = {} }: WriteRules = write
  const members = Object.entries({ ...schema.properties, ...commonWritten, ...written })
  return Object.fromEntries(members.filter(([member]) => !readOnlyMembers.has(member)))
}

function contractOf(name: WritableName): WritableContract {
  const contract = writable.get(name)
  if (contract === undefined) throw new Error(`There is no contract of the subtype ${name}`)
  return contract
}
