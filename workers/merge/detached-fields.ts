// Finishes merges of fields that one side removed while the other detached their only widget. Detaching moves a field
// to an object of its own, so that only its name connects it with the removed one.
import { dropFields } from '../assembly/drop-fields.js'
import type { OpenDocument } from '../document/open-document.js'
import { Reading } from '../document/reading.js'
import { type FieldNode, fieldTree } from '../fields/field-tree.js'
import { limits } from '../limits.js'
import { objectNumberOf } from '../objects/values.js'
import type { FinishContext } from './finish-context.js'

/** Drops fields that one side removed and the other detached from their widget, and reports them. */
export function dropDetachedFields({ change, documents, conflicts }: FinishContext): void {
  const [base, theirs, ours] = [documents.base, documents.theirs, documents.ours].map(fieldsByName)
  const now = fieldsByName(change.document)
  for (const [name, before] of base ?? []) {
    const removed = objectNumberOf(before.object)
    const [byTheirs, byOurs] = [theirs?.get(name), ours?.get(name)]
    const other = byTheirs === undefined ? byOurs : byTheirs
    const isOfOne = (byTheirs === undefined) !== (byOurs === undefined)
    const moved = other && objectNumberOf(other.object)
    if (!isOfOne || removed === undefined || moved === undefined || moved === removed) continue
    const left = now.get(name)
    if (left === undefined || left.widgets.length > 0) continue
    conflicts.removed(removed, byTheirs === undefined ? 'version' : 'layer')
    dropFields(change, [left.object])
    change.hide(left.object)
    change.effects.document('forms')
    change.cache.evict('form')
  }
}

function fieldsByName(document: OpenDocument): ReadonlyMap<string, FieldNode> {
  return new Map(fieldTree(new Reading(document, limits.itemsMax)).map((field) => [field.name, field]))
}
