// Rotations of pages and widgets: degrees clockwise, whole quarters only.
import { type Static, Type } from 'typebox'

export const QuarterTurn = Type.Union([Type.Literal(0), Type.Literal(90), Type.Literal(180), Type.Literal(270)])
export type QuarterTurn = Static<typeof QuarterTurn>
