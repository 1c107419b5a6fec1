// Checks for each member of each subtype, applied to writes.
import type { TSchema } from 'typebox'
import { type WritableName, writableNames, writeRulesOf, writtenMembers } from '../contract/annotations/writable.js'
import { LazyCheck } from '../contract/lazy-check.js'

export interface MemberChecks {
  /** Checks of values that a write accepts. */
  readonly written: ReadonlyMap<string, LazyCheck>
  /** Checks of values that can be created. */
  readonly narrow: ReadonlyMap<string, LazyCheck>
}

const checks = checksOfAll()

export function checksOf(name: WritableName): MemberChecks {
  const found = checks.get(name)
  if (found === undefined) throw new Error(`There are no checks for ${name}`)
  return found
}

/** Checks are shared, because subtypes share most of their schemas. */
function checksOfAll(): ReadonlyMap<WritableName, MemberChecks> {
  const known = new Map<TSchema, LazyCheck>()
  const checkOf = (schema: TSchema): LazyCheck => {
    const check = known.get(schema) ?? new LazyCheck(schema)
    known.set(schema, check)
    return check
  }
  const allOf = (schemas: Readonly<Record<string, TSchema>>) =>
    new Map(Object.entries(schemas).map(([member, schema]) => [member, checkOf(schema)]))
  return new Map(
    writableNames.map((name) => {
      const { narrow = {} } = writeRulesOf(name)
      return [name, { written: allOf(writtenMembers(name)), narrow: allOf(narrow) }]
    }),
  )
}
