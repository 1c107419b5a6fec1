// Members that are always there and may be empty: `null`, never left out, because the generated clients fail on
// members that are missing.
import { type TSchema, Type } from 'typebox'

export const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
