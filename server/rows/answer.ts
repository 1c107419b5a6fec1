// Row of the response to an applied change, by layer, caller and opId: a repeated request gets the same response. Refused
// changes are in `refusals.ts`.
import { type Static, Type } from 'typebox'
import { Content } from './content.js'
import { storedRefusals } from './refusals.js'

export const AnswerRow = Type.Object({
  /**
   * Keyed hash over the payload, members in canonical order, files by their content: the same opId with another is
   * refused.
   */
  requestHash: Type.String(),
  outcome: Type.Union([
    Type.Object({ status: Type.Literal('applied'), auditId: Type.Integer({ minimum: 1 }) }),
    /** A refusal as earlier releases stored it; the change counts as not sent yet. */
    Type.Object({
      status: Type.Literal('refused'),
      auditId: Type.Integer({ minimum: 0 }),
      code: Type.Enum(storedRefusals),
      content: Type.Union([Content, Type.Null()]),
    }),
  ]),
  at: Type.Integer(),
})
export type AnswerRow = Static<typeof AnswerRow>
