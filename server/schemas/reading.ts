// Queries and bodies of the layer reads.
import { Type } from 'typebox'
import { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import { FormValuesFormat } from '../../workers/contract/form-values.js'
import { PageRef } from '../../workers/contract/page-ref.js'
import { strict } from '../../workers/contract/strict.js'

const Positive = Type.Number({ exclusiveMinimum: 0 })

const pictureMembers = {
  format: Type.Optional(Type.Enum(['webp', 'png'])),
  quality: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  'viewport.kind': Type.Optional(Type.Enum(['width', 'scale'])),
  'viewport.width': Type.Optional(Positive),
  'viewport.scale': Type.Optional(Positive),
  rotation: Type.Optional(Type.Enum([0, 90, 180, 270])),
}

/**
 * Query of flat dotted keys; unknown keys are refused, so that a misspelt one does not silently draw something else.
 */
export const RenderQuery = Type.Object(
  {
    ...pictureMembers,
    'target.kind': Type.Optional(Type.Enum(['page', 'rect'])),
    'target.rect.x': Type.Optional(Type.Number()),
    'target.rect.y': Type.Optional(Type.Number()),
    'target.rect.width': Type.Optional(Positive),
    'target.rect.height': Type.Optional(Positive),
    background: Type.Optional(Type.Enum(['white', 'transparent'])),
    contentVersion: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
)

/** Query of the pictures of all appearances of a page. */
export const AppearancesQuery = Type.Object(
  {
    ...pictureMembers,
    /** All without it, so that every set of modes has one address. */
    modes: Type.Optional(Type.Enum(['normal', 'rollover', 'down', 'normal-rollover', 'normal-down', 'rollover-down'])),
  },
  { additionalProperties: false },
)

export const DownloadQuery = Type.Object(
  { mode: Type.Optional(Type.Enum(['incremental', 'rewrite'])) },
  { additionalProperties: false },
)

export const PagesExtract = Type.Object({ pages: Type.Array(PageRef, { minItems: 1, maxItems: 10_000 }) }, strict)
export const AppearanceExport = Type.Object(
  { refs: Type.Array(AnnotationRef, { minItems: 1, maxItems: 1_000 }) },
  strict,
)

export const AnnotationExport = Type.Object(
  { format: Type.Optional(Type.Enum(['xfdf'])), values: Type.Optional(Type.Boolean()) },
  strict,
)
export const ValuesQuery = Type.Object({ format: Type.Optional(FormValuesFormat) }, strict)
