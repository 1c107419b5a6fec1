// Row of the newest refused changes of one credential in one layer: a repeated request gets the same refusal, until newer
// ones take its place or the row expires. It has digests instead of what was sent.
import { type Static, Type } from 'typebox'
import type { RefusalCode } from '../refusals/refusal.js'
import { Content } from './content.js'

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

/** Refused change, with texts of bounded length. */
export const RefusedChange = Type.Object({
  /** Digests of caller and opId, and of the payload. */
  id: Type.String(),
  request: Type.String(),
  /** Newest audit id of the document at the time of the refusal. */
  auditId: Type.Integer({ minimum: 0 }),
  code: Type.Enum(storedRefusals),
  message: Type.String(),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type RefusedChange = Static<typeof RefusedChange>

export const RefusalsRow = Type.Object({
  layerName: Type.String(),
  /** JSON: list of refused changes, oldest first. */
  changes: Content,
  /** Milliseconds since 1970. */
  expiresAt: Type.Integer({ minimum: 0 }),
})
export type RefusalsRow = Static<typeof RefusalsRow>
