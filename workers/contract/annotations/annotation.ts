// Any annotation, distinguished by its `subtype`: the union of all contracts.
import { type Static, Type } from 'typebox'
import * as list from './list.js'

export type Contract = (typeof list)[keyof typeof list]

export const subtypeContracts: readonly Contract[] = Object.values(list)

export type Annotation = Static<Contract['schema']>
export const Annotation = Type.Unsafe<Annotation>(Type.Union(subtypeContracts.map(({ schema }) => schema)))
