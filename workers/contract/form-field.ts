// Any form field, distinguished by its `family`: the union of all contracts.
import { type Static, Type } from 'typebox'
import { type FieldContract, fieldContracts } from './field-family.js'

export type FormField = Static<FieldContract['schema']>
export const FormField = Type.Unsafe<FormField>(Type.Union(fieldContracts.map(({ schema }) => schema)))
