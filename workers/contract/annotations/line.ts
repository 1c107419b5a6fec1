// Contract of a straight line, optionally a dimension with leader lines and a caption.
import { type Static, Type } from 'typebox'
import { LineEndings } from '../line-ending.js'
import { Measurement } from '../measurement.js'
import { Nullable } from '../nullable.js'
import { PagePoint } from '../page-point.js'
import { writtenForm } from '../strict.js'
import { Words } from '../words.js'
import { drawnBorder, fillMembers, ownMeasure, rotationMembers, writtenMeasure } from './shared-members.js'
import { subtypeContract } from './subtype-contract.js'

export const LineLeader = Type.Object({
  length: Type.Number(),
  extension: Type.Optional(Type.Number()),
  offset: Type.Optional(Type.Number()),
})
export type LineLeader = Static<typeof LineLeader>

const leader = Nullable(LineLeader)

export const Line = subtypeContract({
  subtype: 'line',
  name: 'Line',
  members: {
    ...fillMembers,
    ...rotationMembers,
    linePoints: Type.Object({ start: PagePoint, end: PagePoint }),
    lineEndings: LineEndings,
    intent: Nullable(Words(['line-arrow', 'line-dimension'])),
    measure: Nullable(Measurement),
    captionEnabled: Type.Boolean(),
    captionPosition: Words(['inline', 'top']),
    captionOffset: Nullable(Type.Object({ along: Type.Number(), perpendicular: Type.Number() })),
    leader,
  },
  write: {
    required: ['linePoints'],
    written: { ...writtenMeasure, leader: writtenForm(leader) },
    narrow: { ...drawnBorder, ...ownMeasure },
  },
})
export type LineAnnotation = Static<typeof Line.schema>
