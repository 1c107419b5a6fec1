// Finds the objects that signatures of a version protect from pending edits: signed fields, and fields that a signature
// locks (ISO 32000-2, 12.8.2.4 and table 236).
import type { PDFObject } from 'mupdf'
import { type FieldLock, isLockedBy } from '../contract/signatures/field-lock.js'
import type { Reading } from '../document/reading.js'
import { fieldFamilyOf } from '../fields/field-kind.js'
import { type FieldNode, fieldTree } from '../fields/field-tree.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entriesOf, entry, isDictionary, nameOf, objectNumberOf, textOf } from '../objects/values.js'

export function protectedNumbers(reading: Reading): ReadonlySet<number> {
  const fields = fieldTree(reading)
  const signed = fields.filter(isSigned)
  const locks = signed.flatMap(({ object }) => locksOf(object))
  const isProtected = (field: FieldNode) => signed.includes(field) || locks.some((lock) => isLockedBy(lock, field.name))
  return new Set(fields.filter(isProtected).flatMap(({ object, widgets }) => [object, ...widgets].flatMap(numbersOf)))
}

const isSigned = ({ object, lineage }: FieldNode): boolean =>
  fieldFamilyOf(lineage) === 'signature' && isDictionary(entry(object, 'V'))

function locksOf(field: PDFObject): readonly FieldLock[] {
  const references = [...elementsOf(entry(field, 'V', 'Reference'), readingLimits.optionsMax)]
  const transforms = references.filter((one) => nameOf(entry(one, 'TransformMethod')) === 'FieldMDP')
  return [entry(field, 'Lock'), ...transforms.map((one) => entry(one, 'TransformParams'))].flatMap(lockOf)
}

const actions: Readonly<Record<string, FieldLock['action']>> = { All: 'all', Include: 'include', Exclude: 'exclude' }

function lockOf(lock: PDFObject): readonly FieldLock[] {
  const action = actions[nameOf(entry(lock, 'Action')) ?? '']
  const names = [...elementsOf(entry(lock, 'Fields'), readingLimits.fieldNodesMax)]
  return action === undefined ? [] : [{ action, fields: names.flatMap((name) => textOf(name) ?? []) }]
}

/** Returns the numbers of a field or widget, its signature dictionary and its appearances. */
function numbersOf(object: PDFObject): readonly number[] {
  const normal = entry(object, 'AP', 'N')
  const appearances = [normal, ...entriesOf(normal, readingLimits.appearanceStatesMax).map(([, state]) => state)]
  return [object, entry(object, 'V'), ...appearances].flatMap((one) => objectNumberOf(one) ?? [])
}
