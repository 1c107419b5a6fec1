// Messages by which a process tells the others who its readers of a layer are.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { PresentReader } from '../schemas/events.js'
import { presenceLimits } from './presence-limits.js'

const Announcement = Type.Object({
  process: Type.String({ maxLength: 64 }),
  readers: Type.Array(PresentReader, { maxItems: presenceLimits.readersMax }),
  count: Type.Integer({ minimum: 0 }),
  /** True if the process wants to know the readers of the others. */
  asks: Type.Optional(Type.Boolean()),
})
export type Announcement = Static<typeof Announcement>

const validator = Compile(Announcement)

export const writeAnnouncement = (announcement: Announcement): string => JSON.stringify(announcement)

/** Returns undefined for a message of another program or release. */
export function readAnnouncement(text: string): Announcement | undefined {
  try {
    const read: unknown = JSON.parse(text)
    return validator.Check(read) ? read : undefined
  } catch {
    return undefined
  }
}
