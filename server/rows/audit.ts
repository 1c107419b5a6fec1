// One applied change: what the audit log and the event streams tell of it, its answer, and how it is undone.
import { type Static, Type } from 'typebox'
import { Content } from './content.js'

const Id = Type.Integer({ minimum: 1 })
const Text = Type.Union([Type.String(), Type.Null()])

/** What an op needed of its caller, to be asked of whoever undoes it. */
export const NeededRight = Type.Object({
  op: Type.String(),
  /** The number the authorship of the annotation is kept under. */
  annotation: Type.Union([Id, Type.Null()]),
})

export type NeededRight = Static<typeof NeededRight>

export const AuditRow = Type.Object({
  layerName: Type.String(),
  /** The layer's edits after it. */
  editsVersion: Type.Integer({ minimum: 0 }),
  /** Milliseconds since 1970. */
  at: Type.Integer(),
  sub: Type.String(),
  kind: Type.String(),
  page: Type.Union([Id, Type.Null()]),
  affectedPages: Type.Array(Id),
  originSessionId: Text,
  opId: Type.String(),
  /** opId of the change this one took back. */
  undoOf: Text,
  /** JSON: see `server/changes/stored-change.ts`. Null = withheld for good, after a redaction. */
  content: Type.Union([Content, Type.Null()]),
  /** Stays when the content is withheld. */
  cacheDelta: Type.Unknown(),
  isUndoable: Type.Boolean(),
  rights: Type.Array(NeededRight),
})
export type AuditRow = Static<typeof AuditRow>
