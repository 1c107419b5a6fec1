// Makes a field ready to be altered.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import type { Reading } from '../../document/reading.js'
import { isNamed } from '../../fields/field-names.js'
import { entry, isDictionary, objectNumberOf } from '../../objects/values.js'
import type { FoundField } from '../reading/found-field.js'

/** A change, and the current reading of its document. */
export interface FormChange {
  readonly change: Change
  readonly reading: Reading
}

/** An inline field is part of an enclosing object, which is touched instead. */
export function touchField(model: FormChange, found: FoundField): PDFObject {
  const { change, reading } = model
  const { node } = found
  nameParents(model, found)
  if (objectNumberOf(node.object) !== undefined) return change.touch(node.object)
  for (const holder of [...node.lineage.slice(1), reading.form, reading.catalog]) {
    for (const object of [holder, entry(holder, 'Kids'), entry(holder, 'Fields')]) {
      if (objectNumberOf(object) !== undefined) change.touch(object)
    }
  }
  return node.object
}

/**
 * Sets the parent of kids that do not name the field listing them: readers treat such a kid as a field without a type,
 * and an edit would look for it in another list when it moves.
 */
export function nameParents({ change }: Pick<FormChange, 'change'>, { node, widgets }: FoundField): void {
  for (const [level, member] of node.lineage.entries()) {
    const parent = node.lineage[level + 1]
    const above = parent && objectNumberOf(parent)
    if (parent === undefined || above === undefined || objectNumberOf(member) === undefined) continue
    if (objectNumberOf(entry(member, 'Parent')) === above) continue
    change.touch(member).put('Parent', parent)
    change.cache.evict('form')
  }
  const number = objectNumberOf(node.object)
  for (const { object: widget } of widgets) {
    const own = objectNumberOf(widget)
    if (number === undefined || own === undefined || own === number) continue
    if (!isDictionary(entry(widget, 'Parent')) && !isNamed(widget)) change.touch(widget).put('Parent', node.object)
  }
}
