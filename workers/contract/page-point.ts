// Schema of a point in page space: points from the top left of the crop box, y down, of the unrotated page.
import { type Static, Type } from 'typebox'

export const PagePoint = Type.Object({ x: Type.Number(), y: Type.Number() })
export type PagePoint = Static<typeof PagePoint>
