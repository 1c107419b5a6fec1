// One widget as a read tells it.
import type { PlacedWidget } from '../../pdf/forms/form-widgets.js'
import { annotationKey } from '../../shapes/annotation-ref.js'
import type { WidgetAnnotation } from '../../shapes/annotations/widget.js'
import type { FormModel } from './form-model.js'

export function readWidgetAt(model: FormModel, { place }: PlacedWidget): WidgetAnnotation {
  const page = place.page?.objectNumber
  const key = place.ref === null ? undefined : annotationKey(place.ref)
  const [widget] = model.widgets.annotations((ref) => ref.page.objectNumber === page && annotationKey(ref) === key)
  if (widget === undefined) throw new Error('A widget that was found cannot be read')
  return widget
}
