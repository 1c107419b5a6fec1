// Removes a field with its descendants and widgets from the form, and restores it.

import type { Change } from '../../change/change.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { isSignedField } from '../../fields/signed-field.js'
import { isDictionary, objectNumberOf } from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'
import { removeFromForm } from './attach-field.js'
import { calculationsOf, removeFromList } from './form-lists.js'
import type { FormModel } from './form-model.js'
import { type RemovedWidget, removeWidget, restoreWidget } from './remove-widget.js'
import { fieldNow } from './renumbered.js'
import { reviveField } from './revive-field.js'
import { touchField } from './touch-field.js'

export interface RemovedField {
  readonly number: number
  /** True if the field was reachable from the form. */
  readonly isListed: boolean
  /** Widgets in the order of removal. */
  readonly widgets: readonly RemovedWidget[]
  /** Object numbers of hidden fields. */
  readonly hidden: readonly number[]
}

export function removeField(model: FormModel, found: FoundField): RemovedField {
  const { change } = model
  const field = touchField(model, found)
  const number = objectNumberOf(field) ?? 0
  const members = model.fields.filter(
    (one) => one === found || (number > 0 && one.node.lineage.some((object) => objectNumberOf(object) === number)),
  )
  refuseSigned(members)
  const hidden = [...new Set(members.flatMap(({ node }) => objectNumberOf(node.object) ?? []))]
  const widgets = members.flatMap((one) => removeWidgets(change, one))
  for (const member of hidden) removeFromList(change, calculationsOf(change), member)
  const isListed = removeFromForm(change, field)
  change.hide(...hidden.map((one) => change.pdf.newIndirect(one)))
  change.effects.document('forms')
  return { number, isListed, widgets, hidden }
}

/** Throws `ProtectedDocument` for a signature: it would be gone from what readers are shown, and from what is signed next. */
function refuseSigned(members: readonly FoundField[]): void {
  const signed = members.find(({ node }) => isSignedField(node.lineage))?.node.name
  if (signed === undefined) return
  throw new JobRefusal('ProtectedDocument', `The field "${signed}" has a signature`, { field: signed })
}

/** Returns widgets last first, because stored positions count the ones before. */
function removeWidgets(change: Change, { node, widgets }: FoundField): readonly RemovedWidget[] {
  const own = objectNumberOf(node.object)
  return widgets.toReversed().map(({ object, place }) =>
    removeWidget(change, {
      widget: object,
      field: own === undefined || own === objectNumberOf(object) ? undefined : node.object,
      page: place.page?.objectNumber,
    }),
  )
}

/** Restores the field. Returns false if it exists completely, or if another field has its name now. */
export function restoreField(change: Change, { number, isListed, widgets, hidden }: RemovedField): boolean {
  const field = change.pdf.newIndirect(fieldNow(change, number))
  const wasHidden = change.document.hidden.has(field.asIndirect())
  if (!isDictionary(field) || !reviveField(change, field, { isListed })) return false
  change.show(...hidden.filter((one) => fieldNow(change, one) === one).map((one) => change.pdf.newIndirect(one)))
  let isChanged = wasHidden
  for (const widget of widgets.toReversed()) if (restoreWidget(change, widget)) isChanged = true
  return isChanged
}
