// Objects that signatures of a version protect: signed fields, and fields that a signature locks (ISO 32000-2, 12.8.2.4
// and table 236). Pending edits cannot change them.
import type { PDFObject } from 'mupdf'
import type { Reading } from '../document/reading.js'
import { fieldFamilyOf } from '../fields/field-kind.js'
import { type FieldNode, fieldTree } from '../fields/field-tree.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entriesOf, entry, isDictionary, nameOf, objectNumberOf, textOf } from '../objects/values.js'

export function protectedNumbers(reading: Reading): ReadonlySet<number> {
  const fields = fieldTree(reading)
  const signed = fields.filter(isSigned)
  const locks = signed.flatMap(({ object }) => locksOf(object))
  const held = fields.filter((field) => signed.includes(field) || locks.some((lock) => lock(field.name)))
  return new Set(held.flatMap(({ object, widgets }) => [object, ...widgets].flatMap(numbersOf)))
}

/** Signature dictionary of a signed field. */
const isSigned = ({ object, lineage }: FieldNode): boolean =>
  fieldFamilyOf(lineage) === 'signature' && isDictionary(entry(object, 'V'))

type Lock = (name: string) => boolean

function locksOf(field: PDFObject): readonly Lock[] {
  const references = [...elementsOf(entry(field, 'V', 'Reference'), readingLimits.optionsMax)]
  const transforms = references.filter((one) => nameOf(entry(one, 'TransformMethod')) === 'FieldMDP')
  return [entry(field, 'Lock'), ...transforms.map((one) => entry(one, 'TransformParams'))].flatMap(lockOf)
}

function lockOf(lock: PDFObject): readonly Lock[] {
  const names = [...elementsOf(entry(lock, 'Fields'), readingLimits.fieldNodesMax)].flatMap(
    (name) => textOf(name) ?? [],
  )
  const isNamed: Lock = (name) => names.some((one) => name === one || name.startsWith(`${one}.`))
  const actions: Readonly<Record<string, Lock>> = {
    All: () => true,
    Include: isNamed,
    Exclude: (name) => !isNamed(name),
  }
  const action = actions[nameOf(entry(lock, 'Action')) ?? '']
  return action === undefined ? [] : [action]
}

/** Returns the numbers of a field or widget, its signature dictionary and its drawings. */
function numbersOf(object: PDFObject): readonly number[] {
  const normal = entry(object, 'AP', 'N')
  const drawings = [normal, ...entriesOf(normal, readingLimits.appearanceStatesMax).map(([, state]) => state)]
  return [object, entry(object, 'V'), ...drawings].flatMap((one) => objectNumberOf(one) ?? [])
}
