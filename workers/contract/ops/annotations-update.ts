// Changes members of an annotation (`annotations.update`).
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { Annotation } from '../annotations/annotation.js'
import { AnnotationPatch } from '../annotations/written.js'
import { PageRef } from '../page-ref.js'
import { AppearanceOutcome } from './appearance-outcome.js'
import { AnnotationMeta } from './mutation-meta.js'
import { ResourceKeys } from './resource-keys.js'
import { strict } from './strict.js'

const type = Type.Literal('annotations.update')

export const AnnotationsUpdate = {
  op: Type.Object(
    {
      type,
      ref: AnnotationRef,
      patch: AnnotationPatch,
      resources: Type.Optional(ResourceKeys),
      /** What the caller believes these members are now. */
      expect: Type.Optional(AnnotationPatch),
    },
    strict,
  ),
  item: Type.Object({
    type,
    page: PageRef,
    annotation: Annotation,
    appearance: AppearanceOutcome,
    meta: AnnotationMeta,
    /** Members an undo left alone, because they were changed since. */
    skipped: Type.Optional(Type.Array(Type.String())),
  }),
} as const
