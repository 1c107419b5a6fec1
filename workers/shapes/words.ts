// Closed sets of words: one list gives the schema, the type and the table keys.
import { Type } from 'typebox'

export const Words = <const List extends readonly string[]>(words: List) => Type.Enum([...words] as [...List])
