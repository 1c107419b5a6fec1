// The shapes of every op, by its type. What stands in `wireOps` may be an op of `doc.changes`; the others have a route of
// their own and nothing else. What stands in `undoItems` only an undo answers.

import { AnnotationsCreate } from './annotations-create.js'
import { AnnotationsDelete } from './annotations-delete.js'
import { AnnotationsFlatten } from './annotations-flatten.js'
import { AnnotationsReorder } from './annotations-reorder.js'
import { AnnotationsUpdate } from './annotations-update.js'
import {
  FormsCreate,
  FormsDelete,
  FormsSetAppearanceText,
  FormsSetDisplay,
  FormsSetSignatureAppearance,
  FormsUpdate,
} from './forms-fields.js'
import { FormsReset, FormsSetValue } from './forms-values.js'
import {
  FormsAddWidget,
  FormsDeleteWidget,
  FormsRemoveWidget,
  FormsReorderCalculations,
  FormsReorderWidgets,
  FormsUpdateWidget,
} from './forms-widgets.js'
import { MetadataUpdate } from './metadata-update.js'
import { MetadataUpdateCustom } from './metadata-update-custom.js'
import type { OpShape } from './op-shape.js'
import { PagesDelete } from './pages-delete.js'
import { PagesFlatten } from './pages-flatten.js'
import { PagesInsert } from './pages-insert.js'
import { PagesInsertBlank } from './pages-insert-blank.js'
import { PagesRemoveName } from './pages-remove-name.js'
import { PagesReorder } from './pages-reorder.js'
import { PagesRotate } from './pages-rotate.js'
import { PagesSetName } from './pages-set-name.js'
import { PagesSetScale } from './pages-set-scale.js'
import { RedactionsApply } from './redactions-apply.js'

// Written out: the types of all the schemas together are more than a declaration file can hold.
export const wireOps: Readonly<Record<string, OpShape>> = {
  'annotations.create': AnnotationsCreate,
  'annotations.update': AnnotationsUpdate,
  'annotations.delete': AnnotationsDelete,
  'annotations.reorder': AnnotationsReorder,
  'forms.setValue': FormsSetValue,
  'forms.reset': FormsReset,
  'forms.create': FormsCreate,
  'forms.update': FormsUpdate,
  'forms.delete': FormsDelete,
  'forms.setDisplay': FormsSetDisplay,
  'forms.setAppearanceText': FormsSetAppearanceText,
  'forms.setSignatureAppearance': FormsSetSignatureAppearance,
  'forms.addWidget': FormsAddWidget,
  'forms.removeWidget': FormsRemoveWidget,
  'forms.deleteWidget': FormsDeleteWidget,
  'forms.updateWidget': FormsUpdateWidget,
  'forms.reorderWidgets': FormsReorderWidgets,
  'metadata.update': MetadataUpdate,
  'metadata.updateCustom': MetadataUpdateCustom,
}

export const routeOps: Readonly<Record<string, OpShape>> = {
  'forms.reorderCalculations': FormsReorderCalculations,
  'annotations.flatten': AnnotationsFlatten,
  'pages.delete': PagesDelete,
  'pages.flatten': PagesFlatten,
  'pages.insert': PagesInsert,
  'pages.insertBlank': PagesInsertBlank,
  'pages.removeName': PagesRemoveName,
  'pages.reorder': PagesReorder,
  'pages.rotate': PagesRotate,
  'pages.setName': PagesSetName,
  'pages.setScale': PagesSetScale,
  'redactions.apply': RedactionsApply,
}
