// Reference of a form field: its object number, or its full name if it is stored inline.
import { type Static, Type } from 'typebox'
import { CountFromOne } from './numbers.js'

export const FormFieldRef = Type.Union([
  Type.Object({ kind: Type.Literal('objectNumber'), objectNumber: CountFromOne }),
  Type.Object({ kind: Type.Literal('fqn'), name: Type.String({ minLength: 1 }) }),
])
export type FormFieldRef = Static<typeof FormFieldRef>
