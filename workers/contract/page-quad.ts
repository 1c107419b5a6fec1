// Schema of four corners in page space, named relative to the reading direction of the text; the quad may be rotated.
import { type Static, Type } from 'typebox'
import { PagePoint } from './page-point.js'

export const PageQuad = Type.Object({
  upperLeft: PagePoint,
  upperRight: PagePoint,
  lowerLeft: PagePoint,
  lowerRight: PagePoint,
})
export type PageQuad = Static<typeof PageQuad>
