// Closed sets of words: one list gives the schema, the type and the table keys.
import { Type } from 'typebox'

export const Words = <Word extends string, List extends Word[]>(words: readonly [...List]) => Type.Enum<List>(words)
