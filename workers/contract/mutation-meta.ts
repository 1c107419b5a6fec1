// Schema of the `meta` of every write: affected pages, and the version pins that moved.
import { type Static, Type } from 'typebox'
import { AnnotationRef } from './annotation-ref.js'
import { FormFieldRef } from './form-field-ref.js'
import { FormWidget } from './form-widget.js'
import { Nullable } from './nullable.js'
import { PageRef } from './page-ref.js'

const Pin = Type.Integer({ minimum: 1 })
const Count = Type.Integer({ minimum: 0 })

export const CachePins = Type.Object({ contentVersion: Pin, annotationVersion: Pin, widgetVersion: Pin })
export type CachePins = Static<typeof CachePins>

/** Pins after the change; pins that did not move are absent, and so are pages without a moved pin. */
export const CacheDelta = Type.Object({
  previousDocVersion: Count,
  docVersion: Pin,
  annotationsVersion: Type.Optional(Pin),
  formsVersion: Type.Optional(Pin),
  layoutVersion: Type.Optional(Pin),
  metadataVersion: Type.Optional(Pin),
  attachmentsVersion: Type.Optional(Pin),
  layerVersion: Type.Optional(Count),
  working: Type.Optional(Type.Boolean()),
  pages: Type.Array(Type.Object({ page: PageRef, cache: CachePins })),
})
export type CacheDelta = Static<typeof CacheDelta>

const metaMembers = {
  affectedPages: Type.Array(PageRef),
  /** Moved pins; null if nothing changed. */
  cacheDelta: Nullable(CacheDelta),
  opId: Type.String(),
  undoable: Type.Boolean(),
  /** Usage rights (`/Perms /UR3`) that the change ended; missing if there were none. */
  usageRightsRemoved: Type.Optional(Type.Literal(true)),
}

export const MutationMeta = Type.Object(metaMembers)
export type MutationMeta = Static<typeof MutationMeta>

/** `changed`: the annotation named in the request, then those that were removed or added with it. */
export const AnnotationMeta = Type.Object({ ...metaMembers, changed: Type.Array(AnnotationRef) })
export type AnnotationMeta = Static<typeof AnnotationMeta>

export const FormMeta = Type.Object({
  ...metaMembers,
  changedFields: Type.Array(FormFieldRef),
  changedWidgets: Type.Array(FormWidget),
})
export type FormMeta = Static<typeof FormMeta>

/** Members of `meta` that only the server knows, because they are determined at the commit. */
export type CommitMembers = 'cacheDelta' | 'opId' | 'usageRightsRemoved'
