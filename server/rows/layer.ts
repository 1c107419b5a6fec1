// Row of an edited layer. A layer without edits has no row and shows the head version.
import { type Static, type TSchema, Type } from 'typebox'
import { MergeConflicts } from '../../workers/contract/merge-conflict.js'
import { PromotedAnnotations, StoredBlob } from './version.js'

const Pin = Type.Integer({ minimum: 1 })
const Nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Version pins of the whole document in this layer; those of single pages have rows of their own. */
export const LayerPins = Type.Object({
  docVersion: Pin,
  layoutVersion: Pin,
  metadataVersion: Pin,
  attachmentsVersion: Pin,
  annotationsVersion: Pin,
  formsVersion: Pin,
})
export type LayerPins = Static<typeof LayerPins>

export const LayerRow = Type.Object({
  /** Internal id, part of the keys of caches and open copies. */
  id: Type.String(),
  /** Number of the base version. */
  version: Type.Integer({ minimum: 1 }),
  /** Private base after a redaction, which detaches the layer from the versions. */
  privateBase: Nullable(StoredBlob),
  /**
   * Versions up to this number contain what was redacted from the layer, which a signature has attached to a version
   * since.
   */
  redactedUntil: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Version pin of everything that the layer has not changed; missing = the pin of the first version. */
  basePin: Type.Optional(Pin),
  /** Number of applied changes. */
  editsVersion: Type.Integer({ minimum: 0 }),
  /** Random token, new with every committed change, so that leftovers of uncommitted attempts are never found. */
  token: Type.String(),
  pins: LayerPins,
  /** Changes up to this audit id cannot be undone. */
  undoFloor: Nullable(
    Type.Object({ auditId: Type.Integer({ minimum: 0 }), reason: Type.Enum(['final-change', 'base-changed']) }),
  ),
  /** Responses and audit payloads up to this audit id are withheld, because they contain redacted content. */
  withheldUntil: Type.Integer({ minimum: 0 }),
  /**
   * Audit id of the first pending change that stores content which its caller did not write in it, see
   * `server/changes/carried-content.ts`. Null = none does; missing = an older server did not record it.
   */
  carriedSince: Type.Optional(Nullable(Type.Integer({ minimum: 1 }))),
  /** True if the list of pages differs from that of the base. */
  hasOwnLayout: Type.Boolean(),
  /** Annotations that the uploaded file stores inline, with their object numbers in this layer. */
  promoted: PromotedAnnotations,
  /** Number of objects in the overlay, and their bytes. */
  overlay: Type.Object({ objects: Type.Integer({ minimum: 0 }), bytes: Type.Integer({ minimum: 0 }) }),
  /** Object numbers that changes of the layer have taken; missing = last changed by an older server. */
  numbersTaken: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Last move over a new version: its audit id, and the conflicts of the pending edits with that version. */
  moved: Type.Optional(Type.Object({ auditId: Type.Integer({ minimum: 1 }), ...MergeConflicts.properties })),
  /** Signing in progress: until it is completed, cancelled or expired, the layer cannot be changed. */
  signing: Type.Optional(
    Type.Object({
      id: Type.String(),
      /** Milliseconds since 1970. */
      expiresAt: Type.Integer(),
    }),
  ),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
})
export type LayerRow = Static<typeof LayerRow>
