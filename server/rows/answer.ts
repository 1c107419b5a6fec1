// What a change was answered, by layer, caller and opId: asked again, it gets the same.
import { type Static, Type } from 'typebox'

export const AnswerRow = Type.Object({
  /** Over the payload, members in canonical order, files by their content: the same opId with another is refused. */
  requestSha256: Type.String(),
  outcome: Type.Union([
    Type.Object({ status: Type.Literal('applied'), auditId: Type.Integer({ minimum: 1 }) }),
    Type.Object({
      status: Type.Literal('refused'),
      code: Type.String(),
      message: Type.String(),
      details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    }),
  ]),
  at: Type.Integer(),
})
export type AnswerRow = Static<typeof AnswerRow>
