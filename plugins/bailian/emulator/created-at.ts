// Filters on creation time, common to several lists.
import { Type } from 'typebox'
import type { StoredObject } from '../../emulator/store.js'
import { Maybe } from './schema.js'

const comparisons = {
  'created_at[gt]': (at: number, bound: number) => at > bound,
  'created_at[gte]': (at: number, bound: number) => at >= bound,
  'created_at[lt]': (at: number, bound: number) => at < bound,
  'created_at[lte]': (at: number, bound: number) => at <= bound,
} as const
type Name = keyof typeof comparisons

const Time = Maybe(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d' }))

export const createdQuery = {
  'created_at[gt]': Time,
  'created_at[gte]': Time,
  'created_at[lt]': Time,
  'created_at[lte]': Time,
} as const

export function isCreatedWithin(
  { createdAtMs }: StoredObject,
  query: Partial<Readonly<Record<Name, string>>>,
): boolean {
  return (Object.keys(comparisons) as Name[]).every((name) => {
    const bound = query[name]
    return bound === undefined || comparisons[name](createdAtMs, Date.parse(bound))
  })
}
