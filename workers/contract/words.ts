// Closed lists of words: one list determines the schema, the type and the keys of tables.
import { Type } from 'typebox'

export const Words = <Word extends string, List extends Word[]>(words: readonly [...List]) => Type.Enum<List>(words)
