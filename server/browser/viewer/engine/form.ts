// The form of a layer: which fields are on which page.
import type { WidgetAnnotation } from '../../../../workers/contract/annotations/widget.js'
import type { FormField } from '../../../../workers/contract/form-field.js'
import type { FormSnapshot } from '../../../../workers/contract/form-snapshot.js'
import type { FormWidget, ToggleWidget } from '../../../../workers/contract/form-widget.js'
import { annotationKey } from './annotation-key.js'
import type { OpenedDocument } from './opened-document.js'

export interface PlacedField {
  readonly key: string
  readonly field: FormField
  readonly widget: WidgetAnnotation
  /** State of this box or circle; undefined for fields without states. */
  readonly toggle: ToggleWidget | undefined
}

/** Fields by the object number of their page. */
export type FieldsByPage = ReadonlyMap<number, readonly PlacedField[]>

/** Reads the fields that a person may fill in. */
export async function fieldsOf(opened: OpenedDocument, signal: AbortSignal): Promise<FieldsByPage> {
  if (!opened.may('doc.forms.read') || !opened.may('doc.forms.fill')) return new Map()
  await opened.firstPicture.shown
  const { fields, widgets } = await opened.json<FormSnapshot>('form', { signal })
  const places = new Map(widgets.map((widget) => [annotationKey(widget.ref), widget]))
  const found = new Map<number, PlacedField[]>()
  for (const field of fields) {
    if (field.readOnly || !filled.has(field.family)) continue
    for (const one of field.widgets) {
      const widget = one.ref === null ? undefined : places.get(annotationKey(one.ref))
      if (widget === undefined || widget.hidden || widget.noView) continue
      const placed = { key: annotationKey(widget.ref), field, widget, toggle: toggleOf(one) }
      found.set(widget.page.objectNumber, [...(found.get(widget.page.objectNumber) ?? []), placed])
    }
  }
  return found
}

const filled: ReadonlySet<string> = new Set(['text', 'checkbox', 'radio', 'combobox', 'listbox'])

const toggleOf = (widget: FormWidget | ToggleWidget): ToggleWidget | undefined =>
  'onState' in widget ? widget : undefined
