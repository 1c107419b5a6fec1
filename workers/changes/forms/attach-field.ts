// Where fields hang in the form: under the fields above them by name, or in the form's own list.
import type { PDFObject } from 'mupdf'
import { isNamed, partialName } from '../../pdf/forms/field-names.js'
import { isWidget } from '../../pdf/forms/field-tree.js'
import type { FoundField } from '../../pdf/forms/fields.js'
import { readingLimits } from '../../pdf/reading-limits.js'
import { elementsOf, entry, isArray, isDictionary, isMissing, objectNumberOf } from '../../pdf/values.js'
import { JobRefusal } from '../../task.js'
import { insertAt } from '../array-edits.js'
import type { Change } from '../change.js'
import { touchArray, touchForm } from './form-dictionary.js'
import { type FormModel, touchField } from './form-model.js'

/** Levels of one name. */
const namePartsMax = 32

/** Throws `InvalidArg` where the name is taken, or is none. */
export function mustBeFreeName(model: FormModel, name: string): void {
  const parts = name.split('.')
  if (parts.some((part) => part.trim() === '') || parts.length > namePartsMax) {
    throw new JobRefusal('InvalidArg', `"${name.slice(0, 200)}" is no name of a field`, { name: name.slice(0, 200) })
  }
  const isTaken = model.named(name).length > 0 || model.fields.some(({ node }) => node.name.startsWith(`${name}.`))
  if (isTaken) {
    throw new JobRefusal('InvalidArg', `There is a field named "${name.slice(0, 200)}"`, { name: name.slice(0, 200) })
  }
}

/** Puts a field under its full name, with the fields above it made where they are missing. */
export function attachField(model: FormModel, field: PDFObject, name: string): void {
  const { change } = model
  const parts = name.split('.')
  const last = parts.pop() ?? ''
  const form = touchForm(change)
  let owner: PDFObject | undefined
  for (const part of parts) owner = kidNamed(change, { form, owner, part, model })
  field.put('T', change.pdf.newString(last))
  hang(change, form, owner, field)
}

interface Step {
  readonly form: PDFObject
  readonly owner: PDFObject | undefined
  readonly part: string
  readonly model: FormModel
}

function kidNamed(change: Change, { form, owner, part, model }: Step): PDFObject {
  const list = owner === undefined ? entry(form, 'Fields') : entry(owner, 'Kids')
  for (const kid of elementsOf(list, readingLimits.fieldNodesMax)) {
    if (!isDictionary(kid) || partialName(kid) !== part || objectNumberOf(kid) === undefined) continue
    const isTerminal = isWidget(kid) || model.fields.some(({ node }) => node.object.asIndirect() === kid.asIndirect())
    if (isTerminal) throw new JobRefusal('InvalidArg', `The field "${part.slice(0, 200)}" cannot have fields under it`)
    return kid
  }
  const made = change.create(change.pdf.newDictionary())
  made.put('T', change.pdf.newString(part))
  made.put('Kids', change.pdf.newArray())
  hang(change, form, owner, made)
  return made
}

/** `place`: undefined = last. */
export function hang(
  change: Change,
  form: PDFObject,
  owner: PDFObject | undefined,
  field: PDFObject,
  place?: number,
): void {
  if (owner === undefined) {
    insertAt(touchArray(change, form, 'Fields'), field, place)
    field.delete('Parent')
    return
  }
  change.touch(owner)
  insertAt(touchArray(change, owner, 'Kids'), field, place)
  field.put('Parent', owner)
}

/** Where a field stood, so that it can go back. */
export interface Hold {
  readonly number: number
  /** Null = the form's own list. */
  readonly parent: number | null
  readonly place: number
}

/** Takes a field off what it hangs on, and fields above it that are left with nothing. The lowest comes first. */
export function unhang(change: Change, field: PDFObject): readonly Hold[] {
  const holds: Hold[] = []
  let next: PDFObject | undefined = field
  while (next !== undefined && holds.length < namePartsMax) {
    const { hold, parent }: Taken = takeOff(change, next)
    if (hold === undefined) break
    holds.push(hold)
    // A parent with a type of its own is a field that lost its last widget, not a mere part of names.
    const isEmptied: boolean =
      parent !== undefined && entry(parent, 'Kids').length === 0 && isMissing(entry(parent, 'FT')) && isNamed(parent)
    next = isEmptied ? parent : undefined
    if (next !== undefined) change.hide(next)
  }
  return holds
}

interface Taken {
  readonly hold: Hold | undefined
  readonly parent: PDFObject | undefined
}

function takeOff(change: Change, field: PDFObject): Taken {
  const number = objectNumberOf(field)
  const above = entry(field, 'Parent')
  const parent = isDictionary(above) && objectNumberOf(above) !== undefined ? above : undefined
  const form = parent === undefined ? touchForm(change) : undefined
  const key = parent === undefined ? 'Fields' : 'Kids'
  const owner = parent ?? form
  if (number === undefined || owner === undefined) return { hold: undefined, parent: undefined }
  const list = entry(owner, key)
  const place = [...elementsOf(list, readingLimits.fieldNodesMax)].findIndex((kid) => objectNumberOf(kid) === number)
  if (place < 0) return { hold: undefined, parent: undefined }
  if (parent !== undefined) change.touch(parent)
  touchArray(change, owner, key).delete(place)
  return { hold: { number, parent: objectNumberOf(above) ?? null, place }, parent }
}

/** Puts back what `unhang` took off, highest first. False = what it hung on is gone, or another now has the name. */
export function rehang(change: Change, holds: readonly Hold[]): boolean {
  const top = holds.at(-1)
  if (top === undefined || (top.parent !== null && !isAlive(change, top.parent))) return false
  const form = touchForm(change)
  for (const { number, parent, place } of holds.toReversed()) {
    const field = change.touch(change.pdf.newIndirect(number))
    change.show(field)
    hang(change, form, parent === null ? undefined : change.pdf.newIndirect(parent), field, place)
  }
  return true
}

/** Whether the form still leads to it. */
function isAlive({ pdf, document }: Change, number: number): boolean {
  let object = pdf.newIndirect(number)
  for (let depth = 0; depth < readingLimits.fieldDepthMax; depth++) {
    if (!isDictionary(object)) return false
    const above = entry(object, 'Parent')
    const list = isDictionary(above) ? entry(above, 'Kids') : entry(document.catalog, 'AcroForm', 'Fields')
    const own = objectNumberOf(object)
    if (!isArray(list)) return false
    if (![...elementsOf(list, readingLimits.fieldNodesMax)].some((kid) => objectNumberOf(kid) === own)) return false
    if (!isDictionary(above)) return true
    object = above
  }
  return false
}

/** A field that stands inline in the list of its parent or the form gets a number there. */
export function numberField(model: FormModel, found: FoundField): PDFObject {
  const { change, reading } = model
  const { object, lineage, name } = found.node
  if (objectNumberOf(object) !== undefined) return object
  touchField(model, found)
  const parent = lineage[1]
  const list = parent === undefined ? entry(reading.form, 'Fields') : entry(parent, 'Kids')
  const place = [...elementsOf(list, readingLimits.fieldNodesMax)].findIndex(
    (kid) => objectNumberOf(kid) === undefined && partialName(kid) === name.split('.').at(-1),
  )
  const reference = change.create(object)
  change.facts.forgetForm()
  if (place >= 0) list.put(place, reference)
  return reference
}
