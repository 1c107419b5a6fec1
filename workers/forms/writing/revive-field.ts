// Restores a removed field to its former position in the form.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { fullNameOf } from '../../fields/field-names.js'
import { lineageOf } from '../../fields/inheritance.js'
import { entry, isDictionary, objectNumberOf } from '../../objects/values.js'
import { calculationsOf, listUnder, putBackIn, wasIn } from './form-lists.js'
import { FormModel } from './form-model.js'

/**
 * Restores the field and its ancestors. Returns true if it is present afterwards, false if another field has its name.
 * `isListed`: whether a list contained the field, and not only its widgets referred to it.
 */
export function reviveField(change: Change, field: PDFObject, { isListed = true } = {}): boolean {
  const { hidden } = change.document
  const missing = lineageOf(field).filter((member) => hidden.has(objectNumberOf(member) ?? 0))
  if (missing.length === 0) return true
  if (!isNameFree(change, field)) return false
  for (const member of missing.toReversed()) {
    const number = objectNumberOf(member) ?? 0
    change.show(change.touch(member))
    if (!isListed && objectNumberOf(field) === number) continue
    putBackIn(change, listUnder(change, parentOf(member)), number)
    if (wasIn(change, calculationsOf(change), number)) putBackIn(change, calculationsOf(change), number)
  }
  change.cache.evict('form')
  change.effects.document('forms')
  return true
}

export function parentOf(field: PDFObject): PDFObject | undefined {
  const parent = entry(field, 'Parent')
  return isDictionary(parent) && objectNumberOf(parent) !== undefined ? parent : undefined
}

function isNameFree(change: Change, field: PDFObject): boolean {
  const name = fullNameOf(field)
  const number = objectNumberOf(field)
  const others = new FormModel(change).fields.filter(({ node }) => objectNumberOf(node.object) !== number)
  return !others.some(
    ({ node }) =>
      node.name === name || node.name.startsWith(`${name}.`) || (node.name !== '' && name.startsWith(`${node.name}.`)),
  )
}
