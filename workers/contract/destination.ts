// Schema of a view of a page of this document (ISO 32000-2, 12.3.2), in the space of that page. A place has two names:
// reads give both, and writes use either, where `x`, `y`, `width` and `height` precede.
import { type Static, Type } from 'typebox'
import { Nullable } from './nullable.js'
import { Length } from './numbers.js'
import { PageRef } from './page-ref.js'

const Coordinate = Type.Optional(Nullable(Type.Number()))
const Edge = Type.Optional(Type.Number())
const Side = Type.Optional(Length)

const page = { page: PageRef }
const across = { x: Coordinate, left: Coordinate }
const down = { y: Coordinate, top: Coordinate }
/** A rectangle needs four of them. */
const box = { x: Edge, y: Edge, width: Side, height: Side, left: Edge, bottom: Edge, right: Edge, top: Edge }

export const Destination = Type.Union([
  Type.Object({ kind: Type.Literal('xyz'), ...page, ...across, ...down, zoom: Coordinate }),
  Type.Object({ kind: Type.Literal('fit'), ...page }),
  Type.Object({ kind: Type.Literal('fitB'), ...page }),
  Type.Object({ kind: Type.Literal('fitH'), ...page, ...down }),
  Type.Object({ kind: Type.Literal('fitBH'), ...page, ...down }),
  Type.Object({ kind: Type.Literal('fitV'), ...page, ...across }),
  Type.Object({ kind: Type.Literal('fitBV'), ...page, ...across }),
  Type.Object({ kind: Type.Literal('fitR'), ...page, ...box }),
])
export type Destination = Static<typeof Destination>
