// Builds `meta` of form items.

import type { Change } from '../../change/change.js'
import type { WithoutMeta } from '../../change/unfinished-item.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import type { FormWidget } from '../../contract/form-widget.js'
import type { FormMeta } from '../../contract/mutation-meta.js'
import { pageRef } from '../../contract/page-ref.js'
import { fieldKey } from '../../fields/field-names.js'
import type { FoundField } from '../reading/found-field.js'

export type MadeFormMeta = WithoutMeta<{ readonly meta: FormMeta }>['meta']

/** Returns `meta`, and declares the effects: pages with changed appearances, and the form. */
export function formMeta(
  change: Change,
  fields: readonly FoundField[],
  widgets: readonly FormWidget[] = fields.flatMap((field) => field.widgets.map(({ place }) => place)),
): MadeFormMeta {
  const changedWidgets = widgets.map(({ ref, objectNumber, page }) => ({ ref, objectNumber, page }))
  const pages = new Set(changedWidgets.flatMap(({ page }) => (page === null ? [] : [page.objectNumber])))
  for (const page of pages) change.effects.page(page, 'widgets')
  if (fields.length > 0 || changedWidgets.length > 0) change.effects.document('forms')
  return {
    affectedPages: [...pages].map(pageRef),
    undoable: true,
    changedFields: fields.map(({ ref }) => ref),
    changedWidgets,
  }
}

/**
 * Adds the number that a field had before the op, so that clients that stored the field under it read it again, and
 * find that it is no longer listed.
 */
export function withFormer<Meta extends Pick<MadeFormMeta, 'changedFields'>>(meta: Meta, former: FormFieldRef): Meta {
  const isNamed = meta.changedFields.some((ref) => fieldKey(ref) === fieldKey(former))
  return isNamed ? meta : { ...meta, changedFields: [...meta.changedFields, former] }
}

export const unchanged = (): MadeFormMeta => ({
  affectedPages: [],
  undoable: true,
  changedFields: [],
  changedWidgets: [],
})
