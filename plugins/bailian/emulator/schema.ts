// Schemas shared by several requests.
import { type TProperties, Type } from 'typebox'

export const Exact = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

export const Maybe = Type.Optional

export const metadataEntriesMax = 16

/** Schema of metadata. A record type checks keys by pattern only, so `objects.ts` counts the entries. */
export const Metadata = Type.Record(Type.String({ pattern: '^[^]{1,64}$' }), Type.String({ maxLength: 512 }), {
  additionalProperties: false,
})

export const Variables = Type.Record(Type.String({ minLength: 1 }), Type.String())

/** Query members of every list. */
export const listQuery = {
  limit: Maybe(Type.String({ pattern: '^([1-9][0-9]?|100)$' })),
  page: Maybe(Type.String({ minLength: 1 })),
  include_archived: Maybe(Type.Enum(['true', 'false'])),
} as const
export const ListQuery = Exact(listQuery)
