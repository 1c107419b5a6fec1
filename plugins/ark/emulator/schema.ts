// Schemas shared by several requests. Null and absence are equivalent except where a route states otherwise.
import { type Static, type TSchema, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'

export const Exact = <Properties extends Parameters<typeof Type.Object>[0]>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

export const Maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))

/** Schema of metadata; null removes a key. */
export const Metadata = Type.Record(
  Type.String({ minLength: 1, maxLength: 64 }),
  Type.Union([Type.String({ maxLength: 512 }), Type.Null()]),
)
export type Metadata = Static<typeof Metadata>

/** Returns the members that are present; null counts as absent. */
export function given<Body extends object>(body: Body): { [Name in keyof Body]?: NonNullable<Body[Name]> } {
  const members = Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(members) as { [Name in keyof Body]?: NonNullable<Body[Name]> }
}

/** Removes empty members, as responses of the API do. */
export function withoutEmpty(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => !isBlank(value)))
}

function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
}
