// Validates with unknown members refused, so that tests detect misspelt members. Clients ignore unknown members.
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

export interface Validator {
  Check(value: unknown): boolean
  Errors(value: unknown): readonly object[]
}

/** Compiled on first use, and once. */
export function strictly(schema: TSchema): () => Validator {
  let compiled: Validator | undefined
  return () => {
    compiled ??= Compile(closed(JSON.parse(JSON.stringify(schema))))
    return compiled
  }
}

function closed(schema: object): object {
  const members = Object.entries(schema).map(([name, member]) => [
    name,
    isObject(member) ? closedMember(member) : member,
  ])
  return { ...Object.fromEntries(members), ...('properties' in schema && { additionalProperties: false }) }
}

const closedMember = (member: object): unknown =>
  Array.isArray(member)
    ? member.map((element: unknown) => (isObject(element) ? closed(element) : element))
    : closed(member)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
