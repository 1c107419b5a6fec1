// Reference of a page: its object number, which never changes.
import { type Static, Type } from 'typebox'
import { CountFromOne } from './numbers.js'

export const PageRef = Type.Object({ kind: Type.Literal('objectNumber'), objectNumber: CountFromOne })
export type PageRef = Static<typeof PageRef>

export const pageRef = (objectNumber: number): PageRef => ({ kind: 'objectNumber', objectNumber })
