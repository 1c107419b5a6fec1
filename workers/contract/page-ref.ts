// The name of a page: its indirect object number, which it keeps for life.
import { type Static, Type } from 'typebox'
import { CountFromOne } from './numbers.js'

export const PageRef = Type.Object({ kind: Type.Literal('objectNumber'), objectNumber: CountFromOne })
export type PageRef = Static<typeof PageRef>

export const pageRef = (objectNumber: number): PageRef => ({ kind: 'objectNumber', objectNumber })
