// Members that are always present and may be `null`, because generated clients fail on missing members.
import { type TSchema, Type } from 'typebox'

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
