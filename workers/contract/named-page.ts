// A name that a page is called by.
import { type Static, Type } from 'typebox'
import { CountFromOne } from './numbers.js'
import { PageRef } from './page-ref.js'

export const NamedPage = Type.Object({
  name: Type.String(),
  target: Type.Union([
    Type.Object({ kind: Type.Literal('page'), page: PageRef }),
    /** A page outside of the page tree, to be shown when a script asks for it. */
    Type.Object({ kind: Type.Literal('template'), objectNumber: CountFromOne }),
    Type.Object({ kind: Type.Literal('dangling') }),
  ]),
})
export type NamedPage = Static<typeof NamedPage>
