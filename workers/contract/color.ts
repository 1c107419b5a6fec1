// A colour without alpha; transparency is a member of its own.
import { type Static, Type } from 'typebox'

export const Color = Type.String({ pattern: '^#[0-9a-f]{6}$', examples: ['#ffd400'] })
export type Color = Static<typeof Color>
