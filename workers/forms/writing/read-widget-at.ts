// Reads one widget.

import type { WidgetAnnotation } from '../../contract/annotations/widget.js'
import type { PlacedWidget } from '../reading/form-widgets.js'
import type { FormModel } from './form-model.js'

export function readWidgetAt(model: FormModel, { place }: PlacedWidget): WidgetAnnotation {
  const [widget] = place.ref === null ? [] : model.widgets.annotationsOf([place.ref])
  if (widget === undefined) throw new Error('A widget that was found cannot be read')
  return widget
}
