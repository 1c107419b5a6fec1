// Every op a change may hold, by its type, and every step an undo may be made of.
import type { Change } from './change.js'
import { annotationsCreate, annotationsCreateUndo } from './operations/annotations-create.js'
import { annotationsDelete, annotationsDeleteUndo, annotationsRestoreUndo } from './operations/annotations-delete.js'
import { annotationsFlatten } from './operations/annotations-flatten.js'
import { annotationsReorder, annotationsReorderUndo } from './operations/annotations-reorder.js'
import { annotationsUpdate, annotationsUpdateUndo } from './operations/annotations-update.js'
import { formsAddWidget, formsAddWidgetUndo } from './operations/forms-add-widget.js'
import { formsCreate, formsCreateUndo } from './operations/forms-create.js'
import { formsDelete, formsDeleteUndo } from './operations/forms-delete.js'
import { formsDeleteWidget, formsDeleteWidgetUndo } from './operations/forms-delete-widget.js'
import { formsRemoveWidget } from './operations/forms-remove-widget.js'
import { formsReorderCalculations, formsReorderCalculationsUndo } from './operations/forms-reorder-calculations.js'
import { formsReorderWidgets, formsReorderWidgetsUndo } from './operations/forms-reorder-widgets.js'
import { formsReset, formsResetUndo } from './operations/forms-reset.js'
import { formsSetAppearanceText, formsSetAppearanceTextUndo } from './operations/forms-set-appearance-text.js'
import { formsSetDisplay, formsSetDisplayUndo } from './operations/forms-set-display.js'
import {
  formsSetSignatureAppearance,
  formsSetSignatureAppearanceUndo,
} from './operations/forms-set-signature-appearance.js'
import { formsSetValue, formsSetValueUndo } from './operations/forms-set-value.js'
import { formsUpdate, formsUpdateUndo } from './operations/forms-update.js'
import { formsUpdateWidget, formsUpdateWidgetUndo } from './operations/forms-update-widget.js'
import { metadataUpdate, metadataUpdateUndo } from './operations/metadata-update.js'
import { metadataUpdateCustom, metadataUpdateCustomUndo } from './operations/metadata-update-custom.js'
import { pagesDelete } from './operations/pages-delete.js'
import { pagesFlatten } from './operations/pages-flatten.js'
import { pagesInsert } from './operations/pages-insert.js'
import { pagesInsertBlank } from './operations/pages-insert-blank.js'
import { pagesRemoveName } from './operations/pages-remove-name.js'
import { pagesReorder } from './operations/pages-reorder.js'
import { pagesRotate } from './operations/pages-rotate.js'
import { pagesSetName } from './operations/pages-set-name.js'
import { pagesSetScale } from './operations/pages-set-scale.js'
import { redactionsApply } from './operations/redactions-apply.js'

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
