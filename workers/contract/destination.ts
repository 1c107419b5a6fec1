// Schema of a view of a page of this document (ISO 32000-2, 12.3.2), in the space of that page.
import { type Static, Type } from 'typebox'
import { Nullable } from './nullable.js'
import { PageRef } from './page-ref.js'

const Coordinate = Type.Optional(Nullable(Type.Number()))

export const Destination = Type.Union([
  Type.Object({ kind: Type.Literal('xyz'), page: PageRef, left: Coordinate, top: Coordinate, zoom: Coordinate }),
  Type.Object({ kind: Type.Literal('fit'), page: PageRef }),
  Type.Object({ kind: Type.Literal('fitB'), page: PageRef }),
  Type.Object({ kind: Type.Literal('fitH'), page: PageRef, top: Coordinate }),
  Type.Object({ kind: Type.Literal('fitBH'), page: PageRef, top: Coordinate }),
  Type.Object({ kind: Type.Literal('fitV'), page: PageRef, left: Coordinate }),
  Type.Object({ kind: Type.Literal('fitBV'), page: PageRef, left: Coordinate }),
  Type.Object({
    kind: Type.Literal('fitR'),
    page: PageRef,
    left: Type.Number(),
    bottom: Type.Number(),
    right: Type.Number(),
    top: Type.Number(),
  }),
])
export type Destination = Static<typeof Destination>
