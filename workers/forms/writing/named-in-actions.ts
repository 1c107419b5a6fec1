// Updates references to fields in actions (ISO 32000-2, 12.6.4.11, 12.7.6 and 12.6.4.17), which use full names, object
// numbers or scripts, when fields get other names or numbers.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import type { Reading } from '../../document/reading.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { nameTree } from '../../objects/trees.js'
import {
  elementsOf,
  entriesOf,
  entry,
  isArray,
  isDictionary,
  isMissing,
  isStream,
  nameOf,
  objectNumberOf,
  textOf,
} from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'
import { withNames } from '../scripts/names-in-script.js'
import { FormModel } from './form-model.js'

export interface FieldRename {
  /** Returns the current full name for a former one. */
  readonly nameFor?: (name: string) => string
  /** Former object numbers of fields and their current ones. */
  readonly numbers?: ReadonlyMap<number, number>
}

/** Maximum total length of the scripts that are inspected. */
const scriptCharactersMax = 16_000_000
/** Maximum number of events per object. */
const eventsMax = 64

/**
 * Updates all actions of the document and declares the listings that contain them. Returns the fields that have some.
 */
export function renameInActions(change: Change, renaming: FieldRename): readonly FoundField[] {
  const model = new FormModel(change)
  const { document, effects } = change
  const walk = new ActionWalk(change, renaming)
  const altered = new Set(
    model.fields.filter(({ node }) => node.lineage.filter((owner) => walk.owner(owner)).length > 0),
  )
  if (altered.size > 0) effects.document('forms')
  for (const widget of model.widgets.placed) {
    if (!walk.owner(widget.object)) continue
    const { page } = widget.place
    if (page !== null) effects.page(page.objectNumber, 'widgets')
    const field = model.fieldOf(widget)
    if (field !== undefined) altered.add(field)
  }
  for (const page of document.pages) if (walk.owner(document.pageObject(page))) effects.document('layout')
  walk.owner(document.catalog)
  for (const [, action] of nameTree(entry(document.catalog, 'Names', 'JavaScript'))) {
    if (objectNumberOf(action) !== undefined) walk.actions(action, action)
  }
  return [...altered]
}

/** Updates the actions of the given objects. */
export function renameInActionsOf(change: Change, owners: readonly PDFObject[], renaming: FieldRename): void {
  const walk = new ActionWalk(change, renaming)
  for (const owner of owners) walk.owner(owner)
}

class ActionWalk {
  readonly #seen = new Set<number>()
  readonly #reading: Reading
  #characters = 0
  #count = 0

  constructor(
    private readonly change: Change,
    private readonly renaming: FieldRename,
  ) {
    this.#reading = change.reading()
  }

  /** Returns whether an action of the object was altered. */
  owner(owner: PDFObject): boolean {
    if (objectNumberOf(owner) === undefined || !this.#visit(owner)) return false
    const before = this.#count
    for (const key of ['A', 'OpenAction']) this.actions(entry(owner, key), owner)
    const events = entry(owner, 'AA')
    const holder = holderOf(events, owner)
    for (const [, action] of entriesOf(events, eventsMax)) this.actions(action, holder)
    return this.#count > before
  }

  /** Updates an action and its successors; `holder` is the object to track before altering it. */
  actions(first: PDFObject, holder: PDFObject): void {
    const waiting = [{ action: first, holder }]
    for (let count = 0; count < readingLimits.actionsMax; count++) {
      const next = waiting.pop()
      if (next === undefined) return
      const { action } = next
      if (!isDictionary(action) || !this.#visit(action)) continue
      const own = holderOf(action, next.holder)
      this.#action(action, own)
      const followers = entry(action, 'Next')
      const inside = holderOf(followers, own)
      const list = isArray(followers) ? [...elementsOf(followers, readingLimits.actionsMax)] : [followers]
      for (const follower of list) waiting.push({ action: follower, holder: inside })
    }
  }

  #action(action: PDFObject, holder: PDFObject): void {
    const type = nameOf(entry(action, 'S'))
    if (type === 'JavaScript' || type === 'Rendition') this.#renameInScript(action, holder)
    if (type === 'SubmitForm' || type === 'ResetForm') this.#renameIn(action, 'Fields', holder)
    if (type === 'Hide') this.#renameIn(action, 'T', holder)
  }

  #renameInScript(action: PDFObject, holder: PDFObject): void {
    const { nameFor } = this.renaming
    const script = entry(action, 'JS')
    if (nameFor === undefined || isMissing(script) || this.#characters > scriptCharactersMax) return
    this.#reading.budget.renew()
    const text = this.#reading.longText(script, readingLimits.scriptBytesMax)
    this.#characters += text?.length ?? 0
    const now = text === undefined ? undefined : withNames(text, nameFor)
    if (now === undefined) return
    this.#touch(holder)
    const { pdf } = this.change
    // Other actions may share a script stream; they are inspected separately.
    action.put('JS', isStream(script) ? pdf.addStream(textBytes(now), pdf.newDictionary()) : pdf.newString(now))
  }

  #renameIn(action: PDFObject, key: string, holder: PDFObject): void {
    const named = entry(action, key)
    if (!isArray(named)) {
      const now = this.#nameNow(named)
      if (now === undefined) return
      this.#touch(holder)
      action.put(key, now)
      return
    }
    const owner = holderOf(named, holder)
    for (const [place, element] of [...elementsOf(named, readingLimits.fieldNodesMax)].entries()) {
      const now = this.#nameNow(element)
      if (now === undefined) continue
      this.#touch(owner)
      named.put(place, now)
    }
  }

  /** Returns undefined if the name is unchanged. */
  #nameNow(named: PDFObject): PDFObject | undefined {
    const { nameFor, numbers } = this.renaming
    const { pdf } = this.change
    const number = numbers?.get(objectNumberOf(named) ?? 0)
    if (number !== undefined) return pdf.newIndirect(number)
    const name = textOf(named)
    const now = name === undefined ? undefined : nameFor?.(name)
    return now === undefined || now === name ? undefined : pdf.newString(now)
  }

  #touch(holder: PDFObject): void {
    this.change.touch(holder)
    this.#count++
  }

  #visit(object: PDFObject): boolean {
    const number = objectNumberOf(object)
    if (number === undefined) return true
    if (this.#seen.has(number)) return false
    this.#seen.add(number)
    return true
  }
}

const holderOf = (object: PDFObject, around: PDFObject): PDFObject =>
  !object.isNull() && objectNumberOf(object) !== undefined ? object : around

/** Encodes a text string for a stream. */
const textBytes = (text: string): Buffer =>
  /^[\t\n\r -~]*$/.test(text)
    ? Buffer.from(text, 'latin1')
    : Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, 'utf16le').swap16()])
