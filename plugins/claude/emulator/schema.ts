// Parts of the request schemas, and routes with the query that every call may have.
import { type TSchema, Type } from 'typebox'
import { type Route, route } from '../../emulator/contract.js'

export const exact = <Properties extends Parameters<typeof Type.Object>[0]>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

export const optional = Type.Optional
export const text = Type.String
export const nullable = <Item extends TSchema>(item: Item) => Type.Union([item, Type.Null()])
export const name = Type.String({ minLength: 1, maxLength: 255 })
export const id = Type.String({ minLength: 1 })

/** Schema of metadata; sizes are checked after a patch is applied. */
export const Metadata = Type.Record(Type.String(), Type.String())
export const MetadataPatch = nullable(Type.Record(Type.String(), nullable(Type.String())))

/** Query of every call: older SDKs append `?beta=true`. */
const everywhere = { beta: optional(text()) }

export const query = <Properties extends Parameters<typeof Type.Object>[0]>(properties: Properties) =>
  exact({ ...everywhere, ...properties })

export const listed = {
  limit: optional(Type.String({ pattern: '^[1-9][0-9]*$' })),
  page: optional(text()),
} as const

export const archivedToo = { include_archived: optional(Type.String({ pattern: '^(true|false)$' })) } as const

/** Parameter that may be given several times; handlers get its values joined by commas. */
export const repeated = (item: TSchema) => Type.Unsafe<string>(Type.Union([item, Type.Array(item, { minItems: 1 })]))

export const createdBetween = {
  'created_at[gt]': optional(text()),
  'created_at[lt]': optional(text()),
  'created_at[gte]': optional(text()),
  'created_at[lte]': optional(text()),
} as const

export const NoQuery = query({})

/** Same as `route`, with the common query schema unless the route has its own. */
export const call: typeof route = (typed) => route({ ...typed, query: typed.query ?? NoQuery } as typeof typed)

export type { Route }
