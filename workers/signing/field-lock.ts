// Reads and writes locks of fields: `/Lock` of a signature field, and the FieldMDP transform of its signature (ISO
// 32000-2, tables 236 and 259).
import type { PDFDocument, PDFObject } from 'mupdf'
import type { FieldLock } from '../contract/signatures/field-lock.js'
import { elementsOf, entry, integerOf, isDictionary, nameOf, textOf } from '../objects/values.js'

const actions = { all: 'All', include: 'Include', exclude: 'Exclude' } as const satisfies Record<
  FieldLock['action'],
  string
>
const fieldsMax = 10_000

/** Returns the lock of a field; undefined if it is missing or malformed. */
export function lockOf(field: PDFObject): FieldLock | undefined {
  const lock = entry(field, 'Lock')
  if (!isDictionary(lock)) return undefined
  const name = nameOf(entry(lock, 'Action'))
  const action = (['all', 'include', 'exclude'] as const).find((action) => actions[action] === name)
  if (action === undefined) return undefined
  const permission = [1, 2, 3].find((value) => value === integerOf(entry(lock, 'P')))
  const fields = [...elementsOf(entry(lock, 'Fields'), fieldsMax)].flatMap((field) => textOf(field) ?? [])
  return { action, fields: action === 'all' ? [] : fields, ...(isPermission(permission) && { permission }) }
}

const isPermission = (value: number | undefined): value is 1 | 2 | 3 => value === 1 || value === 2 || value === 3

export const isSameLock = (one: FieldLock, other: FieldLock): boolean =>
  one.action === other.action &&
  one.permission === other.permission &&
  (one.action === 'all' || JSON.stringify(one.fields.toSorted()) === JSON.stringify(other.fields.toSorted()))

/** Adds the members of a lock to its dictionary: `/Lock` itself, or parameters of a transform. */
export function putLock(pdf: PDFDocument, dictionary: PDFObject, { action, fields, permission }: FieldLock): void {
  dictionary.put('Action', pdf.newName(actions[action]))
  if (action !== 'all') {
    const names = pdf.newArray()
    for (const name of fields) names.push(pdf.newString(name))
    dictionary.put('Fields', names)
  }
  if (permission !== undefined) dictionary.put('P', permission)
}
