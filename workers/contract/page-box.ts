// Schema of an upright box in page space.
import { type Static, Type } from 'typebox'
import { Length } from './numbers.js'

export const PageBox = Type.Object({ x: Type.Number(), y: Type.Number(), width: Length, height: Length })
export type PageBox = Static<typeof PageBox>
