// Row of a stored response, by layer, caller and opId: a repeated request gets the same response.
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

export const AnswerRow = Type.Object({
  /**
   * Keyed hash over the payload, members in canonical order, files by their content: the same opId with another is
   * refused.
   */
  requestHash: Type.String(),
  outcome: Type.Union([
    Type.Object({ status: Type.Literal('applied'), auditId: Type.Integer({ minimum: 1 }) }),
    Type.Object({
      status: Type.Literal('refused'),
      /** Newest audit id of the document at the time of the refusal. */
      auditId: Type.Integer({ minimum: 0 }),
      code: Type.Enum(storedRefusals),
      /** JSON: `{ message, details }`. Null = withheld permanently, after a redaction. */
      content: Type.Union([Content, Type.Null()]),
    }),
  ]),
  at: Type.Integer(),
})
export type AnswerRow = Static<typeof AnswerRow>
