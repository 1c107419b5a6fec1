// What every write answers beside its result: which pages it touched, and which version pins it moved.
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

/** The pins after the change; a pin that did not move is left out, and so are pages of which none moved. */
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
  /** Null = nothing changed. */
  cacheDelta: Nullable(CacheDelta),
  opId: Type.String(),
  undoable: Type.Boolean(),
}

export const MutationMeta = Type.Object(metaMembers)
export type MutationMeta = Static<typeof MutationMeta>

/** `changed`: the annotation that was named first, then whatever went or came with it. */
export const AnnotationMeta = Type.Object({ ...metaMembers, changed: Type.Array(AnnotationRef) })
export type AnnotationMeta = Static<typeof AnnotationMeta>

export const FormMeta = Type.Object({
  ...metaMembers,
  changedFields: Type.Array(FormFieldRef),
  changedWidgets: Type.Array(FormWidget),
})
export type FormMeta = Static<typeof FormMeta>

/** The members of a `meta` that only the server knows, because they are decided when the change is committed. */
export type CommitMembers = 'cacheDelta' | 'opId'
