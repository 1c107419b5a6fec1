// What is stored of a layer that was edited. One that nobody edited has no row and shows the head version.
import { type Static, type TSchema, Type } from 'typebox'
import { StoredBlob } from './version.js'

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
  /** Internal id: hot copies and caches are kept under it. */
  id: Type.String(),
  /** Number of the version the layer sits over. */
  version: Type.Integer({ minimum: 1 }),
  /** A base of the layer's own, after a redaction: the layer is detached from the versions then. */
  privateBase: Nullable(StoredBlob),
  /** Applied changes so far. */
  editsVersion: Type.Integer({ minimum: 0 }),
  /** Random, new with every committed change: what an attempt left behind that was not committed is never found under it. */
  token: Type.String(),
  pins: LayerPins,
  /** Changes up to this audit id cannot be undone. */
  undoFloor: Nullable(
    Type.Object({ auditId: Type.Integer({ minimum: 0 }), reason: Type.Enum(['final-change', 'base-changed']) }),
  ),
  /** Answers and audit payloads up to this audit id are withheld: they hold what a redaction took out. */
  withheldUntil: Type.Integer({ minimum: 0 }),
  /** The pages of the layer are not those of its base any more. */
  hasOwnLayout: Type.Boolean(),
  /** Annotations the uploaded file stores inline, and the object numbers they have in this layer. */
  promoted: Type.Array(
    Type.Object({
      page: Type.Integer({ minimum: 1 }),
      baseIndex: Type.Integer({ minimum: 0 }),
      objectNumber: Type.Integer({ minimum: 1 }),
    }),
  ),
  /** Objects of the overlay, and their bytes. */
  overlay: Type.Object({ objects: Type.Integer({ minimum: 0 }), bytes: Type.Integer({ minimum: 0 }) }),
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
})
export type LayerRow = Static<typeof LayerRow>
