// The places where a form shows: putting them on pages, changing, ordering and removing them.
import { type Static, Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { WidgetAnnotation } from '../annotations/widget.js'
import { FormField } from '../form-field.js'
import { FormFieldRef } from '../form-field-ref.js'
import { AnnotationPosition, FieldPosition } from '../list-position.js'
import { Nullable } from '../nullable.js'
import { CountFromOne } from '../numbers.js'
import { PageRef } from '../page-ref.js'
import { AppearanceOutcome } from './appearance-outcome.js'
import { WidgetPatch, WidgetPlacement } from './forms-look.js'
import { skippedMember } from './forms-values.js'
import { FormMeta } from './mutation-meta.js'
import type { OpShape } from './op-shape.js'
import { strict } from './strict.js'

export const WidgetLinkResult = Type.Object({
  field: FormField,
  widgets: Type.Array(WidgetAnnotation),
  meta: FormMeta,
})
export type WidgetLinkResult = Static<typeof WidgetLinkResult>

export const WidgetUpdateResult = Type.Object({
  widget: WidgetAnnotation,
  appearance: AppearanceOutcome,
  meta: FormMeta,
})
export type WidgetUpdateResult = Static<typeof WidgetUpdateResult>

export const WidgetDeleteResult = Type.Object({
  widget: AnnotationRef,
  page: PageRef,
  /** Null = that was its last widget, and it went too. */
  field: Nullable(FormField),
  meta: FormMeta,
})
export type WidgetDeleteResult = Static<typeof WidgetDeleteResult>

export const WidgetReorderResult = Type.Object({
  page: PageRef,
  /** All widgets of the page, bottom first. */
  order: Type.Array(AnnotationRef),
  /** `changedWidgets`: widgets whose position in the order changed. */
  meta: FormMeta,
})
export type WidgetReorderResult = Static<typeof WidgetReorderResult>

export const CalculationsReorderResult = Type.Object({
  calculationOrder: Type.Array(FormFieldRef),
  /** `changedFields`: fields whose position in the order changed. */
  meta: FormMeta,
})
export type CalculationsReorderResult = Static<typeof CalculationsReorderResult>

export const FormsAddWidget = {
  op: Type.Object(
    {
      type: Type.Literal('forms.addWidget'),
      field: FormFieldRef,
      placement: WidgetPlacement,
      objectNumber: Type.Optional(CountFromOne),
      splitObjectNumber: Type.Optional(CountFromOne),
    },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.addWidget'), ...WidgetLinkResult.properties }),
} as const satisfies OpShape

/** The field stays, also without any widget. */
export const FormsRemoveWidget = {
  op: Type.Object({ type: Type.Literal('forms.removeWidget'), field: FormFieldRef, widget: AnnotationRef }, strict),
  item: Type.Object({ type: Type.Literal('forms.removeWidget'), ...WidgetLinkResult.properties }),
} as const satisfies OpShape

/** A field goes with its last widget. */
export const FormsDeleteWidget = {
  op: Type.Object(
    { type: Type.Literal('forms.deleteWidget'), widget: AnnotationRef, expect: Type.Optional(WidgetPatch) },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.deleteWidget'), ...WidgetDeleteResult.properties }),
} as const satisfies OpShape

export const FormsUpdateWidget = {
  op: Type.Object(
    {
      type: Type.Literal('forms.updateWidget'),
      widget: AnnotationRef,
      patch: WidgetPatch,
      expect: Type.Optional(WidgetPatch),
    },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.updateWidget'), ...WidgetUpdateResult.properties, ...skippedMember }),
} as const satisfies OpShape

export const FormsReorderWidgets = {
  op: Type.Object(
    {
      type: Type.Literal('forms.reorderWidgets'),
      page: PageRef,
      widgets: Type.Array(AnnotationRef, { minItems: 1 }),
      position: AnnotationPosition,
    },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.reorderWidgets'), ...WidgetReorderResult.properties }),
} as const satisfies OpShape

export const FormsReorderCalculations = {
  op: Type.Object(
    {
      type: Type.Literal('forms.reorderCalculations'),
      fields: Type.Array(FormFieldRef, { minItems: 1 }),
      position: FieldPosition,
    },
    strict,
  ),
  item: Type.Object({ type: Type.Literal('forms.reorderCalculations'), ...CalculationsReorderResult.properties }),
} as const satisfies OpShape

/** Only an undo answers it. */
export const FormsRestoreWidget = Type.Object({
  type: Type.Literal('forms.restoreWidget'),
  field: Nullable(FormField),
  widgets: Type.Array(WidgetAnnotation),
  meta: FormMeta,
})
export type FormsRestoreWidget = Static<typeof FormsRestoreWidget>
