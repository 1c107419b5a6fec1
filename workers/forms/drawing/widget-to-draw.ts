// Input of widget drawing: the widget with its field.
import type { PDFObject } from 'mupdf'
import type { FormField } from '../../contract/form-field.js'
import type { FoundField } from '../reading/found-field.js'
import type { FormChange } from '../writing/touch-field.js'

export interface WidgetToDraw {
  readonly model: FormChange
  readonly found: FoundField
  readonly field: FormField
  readonly widget: PDFObject
}
