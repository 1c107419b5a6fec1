// Members that every annotation has.
import { type Static, Type } from 'typebox'
import { AnnotationActions } from '../annotation-actions.js'
import { AnnotationRef } from '../annotation-ref.js'
import { BlendMode } from '../blend-mode.js'
import { IsoDate } from '../iso-date.js'
import { Nullable } from '../nullable.js'
import { PageBox } from '../page-box.js'
import { PageRef } from '../page-ref.js'
import { Words } from '../words.js'

const text = Nullable(Type.String())

export const AnnotationReply = Type.Object({ to: AnnotationRef, type: Words(['reply', 'group']) })
export type AnnotationReply = Static<typeof AnnotationReply>

export const flagMembers = {
  invisible: Type.Boolean(),
  hidden: Type.Boolean(),
  print: Type.Boolean(),
  noZoom: Type.Boolean(),
  noRotate: Type.Boolean(),
  noView: Type.Boolean(),
  readOnly: Type.Boolean(),
  locked: Type.Boolean(),
  toggleNoView: Type.Boolean(),
  lockedContents: Type.Boolean(),
}

export const commonMembers = {
  ref: AnnotationRef,
  page: PageRef,
  hasAppearance: Type.Boolean(),
  appearanceState: text,
  rect: PageBox,
  nm: text,
  contents: text,
  subject: text,
  blendMode: BlendMode,
  ...flagMembers,
  reply: Nullable(AnnotationReply),
  popup: Nullable(AnnotationRef),
  groupId: Nullable(Type.String({ minLength: 1 })),
  author: text,
  createdAt: Nullable(IsoDate),
  modifiedAt: Nullable(IsoDate),
  userId: text,
  createdBy: text,
  modifiedBy: text,
  importedBy: text,
  actions: Nullable(AnnotationActions),
}

const AnnotationFlags = Type.Object(flagMembers)
export type AnnotationFlags = Static<typeof AnnotationFlags>

const AnnotationCommon = Type.Object(commonMembers)
export type AnnotationCommon = Static<typeof AnnotationCommon>
