// A point in time with its offset: `2026-01-31T12:00:00Z`.
import { type Static, Type } from 'typebox'

export const IsoDate = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00Z'] })
export type IsoDate = Static<typeof IsoDate>
