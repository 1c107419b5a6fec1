// Inserts fields into the form: under their ancestors by name, or in the form's own list.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { isNamed, partialName } from '../../fields/field-names.js'
import { isWidget } from '../../fields/field-tree.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { elementsOf, entry, isArray, isDictionary, isMissing, objectNumberOf } from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'
import { touchForm } from './form-dictionary.js'
import { formerlyIn, listUnder, putBackIn, removeFromList } from './form-lists.js'
import type { FormModel } from './form-model.js'
import { touchField } from './touch-field.js'

/** Maximum number of levels of a name. */
const namePartsMax = 32

/** Throws `InvalidArg` if the name is in use or invalid. */
export function mustBeFreeName(model: FormModel, name: string): void {
  const parts = name.split('.')
  if (parts.some((part) => part.trim() === '') || parts.length > namePartsMax) {
    throw new JobRefusal('InvalidArg', `"${name.slice(0, 200)}" is not a valid field name`, {
      name: name.slice(0, 200),
    })
  }
  const isTaken = model.named(name).length > 0 || model.fields.some(({ node }) => node.name.startsWith(`${name}.`))
  if (isTaken) {
    throw new JobRefusal('InvalidArg', `There is a field named "${name.slice(0, 200)}"`, { name: name.slice(0, 200) })
  }
}

/** Inserts a field under its full name, and creates missing ancestors. */
export function attachField(model: FormModel, field: PDFObject, name: string): void {
  const { change } = model
  const parts = name.split('.')
  const last = parts.pop() ?? ''
  const form = touchForm(change)
  let owner: PDFObject | undefined
  for (const part of parts) owner = ensureKid(change, { form, owner, part, model })
  field.put('T', change.pdf.newString(last))
  insertInList(change, owner, field)
}

interface Step {
  readonly form: PDFObject
  readonly owner: PDFObject | undefined
  readonly part: string
  readonly model: FormModel
}

function ensureKid(change: Change, { form, owner, part, model }: Step): PDFObject {
  const list = owner === undefined ? entry(form, 'Fields') : entry(owner, 'Kids')
  for (const kid of elementsOf(list, readingLimits.fieldNodesMax)) {
    if (!isDictionary(kid) || partialName(kid) !== part || objectNumberOf(kid) === undefined) continue
    const isTerminal = isWidget(kid) || model.fields.some(({ node }) => node.object.asIndirect() === kid.asIndirect())
    if (isTerminal) throw new JobRefusal('InvalidArg', `The field "${part.slice(0, 200)}" cannot have fields under it`)
    return kid
  }
  const kid = showFormerKid(change, owner, part) ?? createKid(change, part)
  insertInList(change, owner, kid)
  return kid
}

/** Finds the part of names that was removed from the list with its last field. It returns to its former position. */
function showFormerKid(change: Change, owner: PDFObject | undefined, part: string): PDFObject | undefined {
  const former = formerlyIn(change, listUnder(change, owner)).map((number) => change.pdf.newIndirect(number))
  const kid = former.find((one) => isDictionary(one) && isEmptied(one) && partialName(one) === part)
  if (kid !== undefined) change.show(change.touch(kid))
  return kid
}

function createKid(change: Change, part: string): PDFObject {
  const made = change.create(change.pdf.newDictionary())
  made.put('T', change.pdf.newString(part))
  made.put('Kids', change.pdf.newArray())
  return made
}

/** A dictionary with a type of its own is a field that lost its last widget, not a mere part of names. */
const isEmptied = (object: PDFObject): boolean =>
  isArray(entry(object, 'Kids')) &&
  entry(object, 'Kids').length === 0 &&
  isMissing(entry(object, 'FT')) &&
  isNamed(object)

/** Inserts the field at its former position in the list, or at the end if it had none. */
function insertInList(change: Change, owner: PDFObject | undefined, field: PDFObject): void {
  putBackIn(change, listUnder(change, owner), field.asIndirect())
  if (owner === undefined) field.delete('Parent')
  else field.put('Parent', owner)
}

/** Removes a field from its list, and ancestors that become empty. Returns false if nothing listed the field. */
export function removeFromForm(change: Change, field: PDFObject): boolean {
  let next: PDFObject | undefined = field
  for (let depth = 0; next !== undefined && depth < namePartsMax; depth++) {
    const number = objectNumberOf(next)
    const above: PDFObject = entry(next, 'Parent')
    const parent = isDictionary(above) && objectNumberOf(above) !== undefined ? above : undefined
    if (number === undefined || !removeFromList(change, listUnder(change, parent), number)) return depth > 0
    next = parent !== undefined && isEmptied(parent) ? parent : undefined
    if (next !== undefined) change.hide(next)
  }
  return true
}

/** Gives an inline field an object number in the list of its parent or of the form. */
export function numberField(model: FormModel, found: FoundField): PDFObject {
  const { change, reading } = model
  const { object, lineage, name } = found.node
  touchField(model, found)
  if (objectNumberOf(object) !== undefined) return object
  const parent = lineage[1]
  const list = parent === undefined ? entry(reading.form, 'Fields') : entry(parent, 'Kids')
  const place = [...elementsOf(list, readingLimits.fieldNodesMax)].findIndex(
    (kid) => objectNumberOf(kid) === undefined && partialName(kid) === name.split('.').at(-1),
  )
  const reference = change.create(object)
  if (parent !== undefined && objectNumberOf(parent) !== undefined) reference.put('Parent', parent)
  change.cache.evict('form')
  if (place >= 0) list.put(place, reference)
  return reference
}
