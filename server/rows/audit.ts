// Audit row of an applied change: facts for the audit log and event streams, its response, and its undo steps.
import { type Static, Type } from 'typebox'
import { Content } from './content.js'

const Id = Type.Integer({ minimum: 1 })
const Text = Type.Union([Type.String(), Type.Null()])

/** Right that an op needed, which a later undo needs again. */
export const NeededRight = Type.Object({
  op: Type.String(),
  /** Number under which the authorship of the annotation is stored. */
  annotation: Type.Union([Id, Type.Null()]),
})

export type NeededRight = Static<typeof NeededRight>

const CountFromOne = Type.Integer({ minimum: 1 })

/** What a change did, without its content. */
export const ChangeFacts = Type.Object({
  /** Ops by type, as often as the change has them. */
  ops: Type.Array(Type.Object({ type: Type.String(), count: CountFromOne })),
  /** Numbers of changed pages, counted from 1 after the change; those that are gone have none. */
  pages: Type.Array(CountFromOne),
  annotations: Type.Array(
    Type.Object({
      effect: Type.Enum(['created', 'changed', 'removed', 'restored']),
      count: CountFromOne,
      /** Ids of people, other than the one who made the change, whose annotations are among them. */
      authors: Type.Array(Type.String()),
    }),
  ),
})
export type ChangeFacts = Static<typeof ChangeFacts>

export const AuditRow = Type.Object({
  layerName: Type.String(),
  /** Number of applied changes of the layer, including this one. */
  editsVersion: Type.Integer({ minimum: 0 }),
  /** Milliseconds since 1970. */
  at: Type.Integer(),
  sub: Type.String(),
  kind: Type.String(),
  page: Type.Union([Id, Type.Null()]),
  affectedPages: Type.Array(Id),
  /** Fingerprint of the session id; the id itself in rows of earlier releases. */
  originSessionId: Text,
  opId: Type.String(),
  /** opId of the change that this one undid. */
  undoOf: Text,
  /** JSON: see `server/changes/stored-change.ts`. Null = withheld permanently, after a redaction. */
  content: Type.Union([Content, Type.Null()]),
  /** Retained when the content is withheld. */
  cacheDelta: Type.Unknown(),
  /** Bytes of the change's rows beside its content; missing in rows of earlier releases. */
  rowsBytes: Type.Optional(Type.Integer({ minimum: 0 })),
  isUndoable: Type.Boolean(),
  rights: Type.Array(NeededRight),
  /** Missing in rows of earlier releases, and of changes that the server made itself. */
  facts: Type.Optional(ChangeFacts),
})
export type AuditRow = Static<typeof AuditRow>
