// Schema of a colour without alpha; opacity is a separate member.
import { type Static, Type } from 'typebox'

export const Color = Type.String({ pattern: '^#[0-9a-f]{6}$', examples: ['#ffd400'] })
export type Color = Static<typeof Color>
