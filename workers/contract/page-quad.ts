// Four corners in page space, named as the text between them is read; the quad may be turned.
import { type Static, Type } from 'typebox'
import { PagePoint } from './page-point.js'

export const PageQuad = Type.Object({
  upperLeft: PagePoint,
  upperRight: PagePoint,
  lowerLeft: PagePoint,
  lowerRight: PagePoint,
})
export type PageQuad = Static<typeof PageQuad>
