// Schema of a name of a page.
import { type Static, Type } from 'typebox'
import { CountFromOne } from './numbers.js'
import { PageRef } from './page-ref.js'

export const NamedPage = Type.Object({
  name: Type.String(),
  target: Type.Union([
    Type.Object({ kind: Type.Literal('page'), page: PageRef }),
    /** Page outside of the page tree, which scripts can show. */
    Type.Object({ kind: Type.Literal('template'), objectNumber: CountFromOne }),
    Type.Object({ kind: Type.Literal('dangling') }),
  ]),
})
export type NamedPage = Static<typeof NamedPage>
