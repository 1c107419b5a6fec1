// Schema of a field's /V or /DV as stored, before its family interprets it.
import { type Static, Type } from 'typebox'

export const ValueEntry = Type.Union([
  Type.Object({ kind: Type.Literal('none') }),
  Type.Object({ kind: Type.Literal('scalar'), value: Type.String() }),
  Type.Object({ kind: Type.Literal('array'), values: Type.Array(Type.String()) }),
  Type.Object({ kind: Type.Literal('unsupported') }),
])
export type ValueEntry = Static<typeof ValueEntry>
