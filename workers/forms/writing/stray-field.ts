// Fields that the form does not list: only their widgets on pages refer to them, so they would be lost with the last
// widget.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { partialName } from '../../fields/field-names.js'
import { entry, isDictionary, objectNumberOf } from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'
import { touchForm } from './form-dictionary.js'
import { listUnder, putBackIn, removeFromList } from './form-lists.js'
import type { FormModel } from './form-model.js'
import { fieldNow } from './renumbered.js'
import { parentOf } from './revive-field.js'

/** Former position of a field that the form did not list. */
export interface StrayPlace {
  readonly partialName: string
  /** Field that it named as its parent. */
  readonly parent: number | null
}

/** Returns the place of a field that the form does not list; undefined if the form lists it. */
export function strayPlaceOf({ origin, node: { object } }: FoundField): StrayPlace | undefined {
  if (origin !== 'recovered') return undefined
  return { partialName: partialName(object), parent: objectNumberOf(entry(object, 'Parent')) ?? null }
}

/** Gives the field, which must have been removed from the form, its former place outside it. */
export function restoreStray(change: Change, field: PDFObject, { partialName, parent }: StrayPlace): void {
  change.cache.evict('form')
  field.put('T', change.pdf.newString(partialName))
  if (parent === null) field.delete('Parent')
  else field.put('Parent', change.pdf.newIndirect(parent))
}

/**
 * Adds a field to the form at its current position, with the fields that it names as its parents. Returns the fields
 * that the form did not list before.
 */
export function listStray(model: FormModel, found: FoundField): readonly number[] {
  const { change } = model
  if (found.origin !== 'recovered') return []
  touchForm(change)
  const numbered = found.node.lineage.filter((member) => objectNumberOf(member) !== undefined)
  return numbered.toReversed().flatMap((member) => {
    const number = member.asIndirect()
    return putBackIn(change, listUnder(change, parentOf(member)), number) ? [number] : []
  })
}

/** Undoes `listStray`, once a widget refers to the field again. */
export function unlistStray(change: Change, listed: readonly number[]): void {
  for (const number of listed.toReversed()) {
    const member = change.pdf.newIndirect(fieldNow(change, number))
    if (isDictionary(member)) removeFromList(change, listUnder(change, parentOf(member)), member.asIndirect())
  }
}
