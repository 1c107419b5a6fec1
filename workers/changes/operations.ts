// Every op a change may hold, by its type, and every step an undo may be made of.

import { annotationsCreate, annotationsCreateUndo } from '../ops/annotations-create.js'
import { annotationsDelete, annotationsDeleteUndo, annotationsRestoreUndo } from '../ops/annotations-delete.js'
import { annotationsFlatten } from '../ops/annotations-flatten.js'
import { annotationsReorder, annotationsReorderUndo } from '../ops/annotations-reorder.js'
import { annotationsUpdate, annotationsUpdateUndo } from '../ops/annotations-update.js'
import { formsAddWidget, formsAddWidgetUndo } from '../ops/forms-add-widget.js'
import { formsCreate, formsCreateUndo } from '../ops/forms-create.js'
import { formsDelete, formsDeleteUndo } from '../ops/forms-delete.js'
import { formsDeleteWidget, formsDeleteWidgetUndo } from '../ops/forms-delete-widget.js'
import { formsRemoveWidget } from '../ops/forms-remove-widget.js'
import { formsReorderCalculations, formsReorderCalculationsUndo } from '../ops/forms-reorder-calculations.js'
import { formsReorderWidgets, formsReorderWidgetsUndo } from '../ops/forms-reorder-widgets.js'
import { formsReset, formsResetUndo } from '../ops/forms-reset.js'
import { formsSetAppearanceText, formsSetAppearanceTextUndo } from '../ops/forms-set-appearance-text.js'
import { formsSetDisplay, formsSetDisplayUndo } from '../ops/forms-set-display.js'
import { formsSetSignatureAppearance, formsSetSignatureAppearanceUndo } from '../ops/forms-set-signature-appearance.js'
import { formsSetValue, formsSetValueUndo } from '../ops/forms-set-value.js'
import { formsUpdate, formsUpdateUndo } from '../ops/forms-update.js'
import { formsUpdateWidget, formsUpdateWidgetUndo } from '../ops/forms-update-widget.js'
import { metadataUpdate, metadataUpdateUndo } from '../ops/metadata-update.js'
import { metadataUpdateCustom, metadataUpdateCustomUndo } from '../ops/metadata-update-custom.js'
import { pagesDelete } from '../ops/pages-delete.js'
import { pagesFlatten } from '../ops/pages-flatten.js'
import { pagesInsert } from '../ops/pages-insert.js'
import { pagesInsertBlank } from '../ops/pages-insert-blank.js'
import { pagesRemoveName } from '../ops/pages-remove-name.js'
import { pagesReorder } from '../ops/pages-reorder.js'
import { pagesRotate } from '../ops/pages-rotate.js'
import { pagesSetName } from '../ops/pages-set-name.js'
import { pagesSetScale } from '../ops/pages-set-scale.js'
import { redactionsApply } from '../ops/redactions-apply.js'
import type { Change } from './change.js'

/** An entry among others: what it takes and answers was checked where it was written, and arrives as its schema says. */
export interface RunnableOperation {
  readonly type: string
  apply(op: unknown, change: Change): object
}

const operations: readonly RunnableOperation[] = [
  annotationsCreate,
  annotationsUpdate,
  annotationsDelete,
  annotationsReorder,
  formsAddWidget,
  formsCreate,
  formsDelete,
  formsDeleteWidget,
  formsRemoveWidget,
  formsReorderCalculations,
  formsReorderWidgets,
  formsSetAppearanceText,
  formsSetDisplay,
  formsSetSignatureAppearance,
  formsUpdate,
  formsUpdateWidget,
  formsReset,
  formsSetValue,
  annotationsFlatten,
  metadataUpdate,
  metadataUpdateCustom,
  pagesDelete,
  pagesFlatten,
  pagesInsert,
  pagesInsertBlank,
  pagesRemoveName,
  pagesReorder,
  pagesRotate,
  pagesSetName,
  pagesSetScale,
  redactionsApply,
]
const undoing: readonly RunnableOperation[] = [
  annotationsCreateUndo,
  annotationsUpdateUndo,
  annotationsDeleteUndo,
  annotationsRestoreUndo,
  annotationsReorderUndo,
  formsAddWidgetUndo,
  formsCreateUndo,
  formsDeleteUndo,
  formsDeleteWidgetUndo,
  formsReorderCalculationsUndo,
  formsReorderWidgetsUndo,
  formsSetAppearanceTextUndo,
  formsSetDisplayUndo,
  formsSetSignatureAppearanceUndo,
  formsUpdateUndo,
  formsUpdateWidgetUndo,
  formsResetUndo,
  formsSetValueUndo,
  metadataUpdateUndo,
  metadataUpdateCustomUndo,
]

export const changeOperations = byType(operations)
export const undoOperations = byType(undoing)

function byType(entries: readonly RunnableOperation[]): ReadonlyMap<string, RunnableOperation> {
  return new Map(entries.map((entry) => [entry.type, entry]))
}
