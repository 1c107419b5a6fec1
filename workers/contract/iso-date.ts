// Schema of a date and time with offset: `2026-01-31T12:00:00Z`.
import { type Static, Type } from 'typebox'

export const IsoDate = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00Z'] })
export type IsoDate = Static<typeof IsoDate>
