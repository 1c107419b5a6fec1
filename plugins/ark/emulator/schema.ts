// Shapes that recur in requests. Null and absence mean the same unless a route says otherwise.
import { type Static, type TSchema, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'

export const Exact = <Properties extends Parameters<typeof Type.Object>[0]>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

export const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))

/** Null takes a key out. */
export const Metadata = Type.Record(
  Type.String({ minLength: 1, maxLength: 64 }),
  Type.Union([Type.String({ maxLength: 512 }), Type.Null()]),
)
export type Metadata = Static<typeof Metadata>

/** Members that are there, null counting as not. */
export function given<Body extends object>(body: Body): { [Name in keyof Body]?: NonNullable<Body[Name]> } {
  const members = Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(members) as { [Name in keyof Body]?: NonNullable<Body[Name]> }
}

/** Removes empty members, as answers of the API do. */
export function withoutEmpty(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isBlank(value)))
}

function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}
