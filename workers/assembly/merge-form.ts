// Merges the form of inserted pages into the document's form. Fields whose names are in use get new names, and entries
// inherited from the source form are copied into the fields.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { isNamed, partialName } from '../fields/field-names.js'
import { drawField, showsByText } from '../forms/writing/draw-widget.js'
import { touchArray, touchForm } from '../forms/writing/form-dictionary.js'
import { FormModel } from '../forms/writing/form-model.js'
import { renameInActionsOf } from '../forms/writing/named-in-actions.js'
import { readingLimits } from '../objects/reading-limits.js'
import { booleanOf, elementsOf, entry, integerOf, isMissing, objectNumberOf } from '../objects/values.js'
import { mergeResources, renameFonts, renameFontsIn } from './merge-form-resources.js'

/**
 * Merges the forms. `grafted`: copied form dictionary of the source; `annotations`: all inserted annotations, because
 * their default appearances refer to its fonts too.
 */
export function mergeForm(change: Change, grafted: PDFObject, annotations: readonly PDFObject[]): void {
  const form = touchForm(change)
  const roots = [...elementsOf(entry(grafted, 'Fields'), readingLimits.fieldNodesMax)]
  const renamed = mergeResources(change, form, grafted)
  renameFonts([...roots, ...annotations], renamed)
  // Fields without their own /DA inherit that of the form.
  renameFontsIn(grafted, renamed)
  const taken = new Set(new FormModel(change).fields.flatMap(({ node }) => node.name.split('.', 1)))
  const fields = touchArray(change, form, 'Fields')
  for (const field of elementsOf(fields, readingLimits.fieldNodesMax)) taken.add(partialName(field))
  const names = new Map<string, string>()
  const theirs = new Set(taken)
  for (const root of roots) {
    if (isNamed(root)) {
      const name = partialName(root)
      const free = freeName(name, taken)
      // Fields with the same name count as one field, also across documents; scripts refer to the first of them.
      if (!names.has(name)) names.set(name, free)
      root.put('T', change.pdf.newString(free))
    }
    for (const key of ['DA', 'Q']) keepInherited(root, key, { from: grafted, to: form })
    fields.push(root)
  }
  renameInActionsOf(change, [...membersOf(roots), ...annotations], { nameFor: nameForOf(names, { theirs, taken }) })
  const order = [...elementsOf(entry(grafted, 'CO'), readingLimits.fieldNodesMax)]
  if (order.length > 0) {
    const calculations = touchArray(change, form, 'CO')
    for (const field of order) calculations.push(field)
  }
  // Setting the flag in the merged form would make readers redraw the document's own fields.
  if (booleanOf(entry(grafted, 'NeedAppearances')) === true) drawMerged(change, roots)
}

/** Generates appearances of widgets whose form left drawing to readers. */
function drawMerged(change: Change, roots: readonly PDFObject[]): void {
  change.cache.evict('form')
  const model = new FormModel(change)
  const merged = new Set(roots.map(objectNumberOf))
  for (const found of model.fields) {
    const isMerged = merged.has(objectNumberOf(found.node.lineage.at(-1) ?? found.node.object))
    if (isMerged && showsByText(model.read(found))) drawField(model, found)
  }
}

interface MergeContext {
  /** Names of the fields that existed before the insertion. */
  readonly theirs: ReadonlySet<string>
  readonly taken: Set<string>
}

/**
 * Returns the renaming for scripts of inserted fields. A name refers to a field inserted with the script; one that
 * matched no field of its own form must not match a field of this document, so it gets an unused name.
 */
function nameForOf(names: Map<string, string>, { theirs, taken }: MergeContext): (name: string) => string {
  return (name) => {
    const [root = '', ...rest] = name.split('.')
    const known = names.get(root)
    if (root === '' || (known === undefined && !theirs.has(root))) return name
    const now = known ?? freeName(root, taken)
    names.set(root, now)
    return [now, ...rest].join('.')
  }
}

/** Returns fields and all their descendants. */
function membersOf(roots: readonly PDFObject[]): readonly PDFObject[] {
  const members: PDFObject[] = []
  const seen = new Set<number>()
  const waiting = [...roots]
  for (let field = waiting.pop(); field !== undefined; field = waiting.pop()) {
    const number = objectNumberOf(field)
    if (number === undefined || seen.has(number) || seen.size > readingLimits.fieldNodesMax) continue
    seen.add(number)
    members.push(field)
    waiting.push(...elementsOf(entry(field, 'Kids'), readingLimits.fieldNodesMax))
  }
  return members
}

/** Returns the first unused name of `name`, `name_2`, `name_3` and so on. */
function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name}_${count}`
  taken.add(free)
  return free
}

interface Forms {
  readonly from: PDFObject
  readonly to: PDFObject
}

/** Copies entries that fields inherit from the form, if the other form has other values. */
function keepInherited(root: PDFObject, key: string, { from, to }: Forms): void {
  const value = entry(from, key)
  if (!isMissing(entry(root, key)) || value.toString() === entry(to, key).toString()) return
  if (!isMissing(value)) root.put(key, value)
  else if (key === 'Q' && integerOf(entry(to, key)) !== undefined) root.put(key, 0)
}
