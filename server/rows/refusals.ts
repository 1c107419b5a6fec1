// Row of the newest refused changes of one credential in one layer: a repeated request gets the same refusal, until newer
// ones take its place or the row expires. It has digests and codes, and no text: what was sent, and what the answer quoted, is
// nowhere.
import { type Static, Type } from 'typebox'
import type { RefusalCode } from '../refusals/refusal.js'

/** Codes of refusals that are permanent for a change; after any other the change may be sent again. */
export const storedRefusals = [
  'InvalidArg',
  'NotFound',
  'Forbidden',
  'ProtectedDocument',
  'MalformedPdf',
  'PayloadTooLarge',
  'ObjectNumberUnavailable',
  'LayerFull',
  'ChangeConflict',
  'UndoUnavailable',
] as const satisfies readonly RefusalCode[]
export type StoredRefusal = (typeof storedRefusals)[number]

/** Refused change: digests of caller and opId, and of the payload; newest audit id of the document at that time; code. */
export const RefusedChange = Type.Tuple([
  Type.String(),
  Type.String(),
  Type.Integer({ minimum: 0 }),
  Type.Enum(storedRefusals),
])
export type RefusedChange = Static<typeof RefusedChange>

export const RefusalsRow = Type.Object({
  /** Oldest first. */
  changes: Type.Array(RefusedChange),
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer({ minimum: 0 }),
})
export type RefusalsRow = Static<typeof RefusalsRow>
