// Fields that no form leads to: only their widgets on pages name them, and they would be lost with the last of these.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { partialName } from '../../fields/field-names.js'
import { entry, isDictionary, objectNumberOf } from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'
import { touchForm } from './form-dictionary.js'
import { listUnder, putBackIn, removeContent } from './form-lists.js'
import type { FormModel } from './form-model.js'
import { fieldNow } from './renumbered.js'
import { parentOf } from './revive-field.js'

/** Former place of a field that no form led to. */
export interface StrayPlace {
  readonly partialName: string
  /** The field it called its parent. */
  readonly parent: number | null
}

/** Undefined = the form leads to it. */
export function strayPlaceOf({ origin, node: { object } }: FoundField): StrayPlace | undefined {
  if (origin !== 'recovered') return undefined
  return { partialName: partialName(object), parent: objectNumberOf(entry(object, 'Parent')) ?? null }
}

/** The field hangs on nothing and can be altered. */
export function putAstray(change: Change, field: PDFObject, { partialName, parent }: StrayPlace): void {
  change.cache.evict('form')
  field.put('T', change.pdf.newString(partialName))
  if (parent === null) field.delete('Parent')
  else field.put('Parent', change.pdf.newIndirect(parent))
}

/** Hangs a field into the form as it stands, with the fields it calls its parents. Returns the fields that hung nowhere. */
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

/** The undo of that, once a widget tells of the field again. */
export function unlistStray(change: Change, listed: readonly number[]): void {
  for (const number of listed.toReversed()) {
    const member = change.pdf.newIndirect(fieldNow(change, number))
    if (isDictionary(member)) removeContent(change, listUnder(change, parentOf(member)), member.asIndirect())
  }
}
