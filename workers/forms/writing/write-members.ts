// Writes the members of a field from a draft or a patch, by family (ISO 32000-2, 12.7.4 and 12.7.5).
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { contractOf, type FieldFamily } from '../../contract/field-family.js'
import { type DraftFamily, everyMember, type FieldPatch } from '../../contract/field-members.js'
import type { FamilyContract } from '../../contract/fields/family-contract.js'
import type { FormField } from '../../contract/form-field.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { fieldFlags } from '../../fields/field-kind.js'
import { inheritedFrom } from '../../fields/inheritance.js'
import { integerOf } from '../../objects/values.js'
import { familyOf } from '../load-families.js'
import { putStored, type StoredValue } from './stored-value.js'

type FlagMember = keyof typeof fieldFlags & keyof FieldPatch

const flagMembers: readonly FlagMember[] = [
  'readOnly',
  'required',
  'noExport',
  'multiline',
  'password',
  'comb',
  'radiosInUnison',
  'noToggleToOff',
  'edit',
  'multiSelect',
]

/** Writes /FT, and the flag that determines the family. */
export function writeKind({ pdf }: Change, field: PDFObject, family: DraftFamily): void {
  const { type, flag }: FamilyContract = contractOf(family)
  if (type !== null) field.put('FT', pdf.newName(type))
  if (flag !== undefined) field.put('Ff', 1 << (fieldFlags[flag] - 1))
}

/**
 * Writes members. Throws `InvalidArg` for members that the family does not have, and for members that exclude each
 * other.
 */
export function writeMembers(change: Change, field: PDFObject, family: FieldFamily, members: FieldPatch): void {
  refuseForeign(family, members)
  writeAny(change, field, family, members)
  familyOf(family).refuseTogether?.(field, members)
}

/** Writes members for an undo: restores former values without checking them against other members. */
export function writeAny(change: Change, field: PDFObject, family: FieldFamily, members: FieldPatch): void {
  const before = integerOf(inheritedFrom(field, 'Ff') ?? field.get('Ff')) ?? 0
  const bits = flagMembers.reduce((flags, member) => {
    const bit = 1 << (fieldFlags[member] - 1)
    const value = members[member]
    return value === undefined ? flags : value ? flags | bit : flags & ~bit
  }, before)
  if (bits !== before) field.put('Ff', bits)
  putTextMember(change, field, 'TU', members.alternateName)
  putTextMember(change, field, 'TM', members.mappingName)
  if (members.maxLength === null) field.delete('MaxLen')
  else if (members.maxLength !== undefined) field.put('MaxLen', members.maxLength)
  if (members.options !== undefined) writeOptions(change, field, members.options)
  if (members.defaultValue !== undefined) {
    putStored(change, field, 'DV', defaultOf(family, members.defaultValue))
  }
}

function refuseForeign(family: FieldFamily, members: FieldPatch): void {
  if (members.family !== undefined && members.family !== family) {
    throw new JobRefusal('InvalidArg', `The family of a field cannot be changed; this is a ${family} field`, {
      member: 'family',
    })
  }
  const { draft, patch } = contractOf(family)
  const allowed = draft === null ? everyMember : [...everyMember, ...Object.keys(patch)]
  for (const member of Object.keys(members)) {
    if (member === 'family' || member === 'widgets' || allowed.includes(member)) continue
    throw new JobRefusal('InvalidArg', `A ${family} field has no ${member}`, { member })
  }
}

function defaultOf(family: FieldFamily, value: string | readonly string[] | null): StoredValue {
  if (value === null) return null
  const isList = familyOf(family).hasListDefault === true
  if (typeof value === 'string' && !isList) return { text: value }
  if (typeof value !== 'string' && isList) return { texts: value }
  const wanted = isList ? 'a list of texts' : 'a text'
  throw new JobRefusal('InvalidArg', `The default value of a ${family} field is ${wanted}`, { member: 'defaultValue' })
}

function putTextMember({ pdf }: Change, field: PDFObject, key: string, text: string | null | undefined): void {
  if (text === null) field.delete(key)
  else if (text !== undefined) field.put(key, pdf.newString(text))
}

function writeOptions({ pdf }: Change, field: PDFObject, options: NonNullable<FieldPatch['options']>): void {
  const array = pdf.newArray()
  for (const { label, value } of options) {
    if (label === value) array.push(pdf.newString(value))
    else {
      const pair = pdf.newArray()
      pair.push(pdf.newString(value))
      pair.push(pdf.newString(label))
      array.push(pair)
    }
  }
  field.put('Opt', array)
  // Indexes of the former options are invalid now.
  field.delete('I')
}

/** Returns the members in the form of a patch. */
export function membersOf(field: FormField): FieldPatch {
  const { name, readOnly, required, noExport, alternateName, mappingName } = field
  const common: FieldPatch = { name, readOnly, required, noExport, alternateName, mappingName }
  const { family, draft } = contractOf(field.family)
  return draft === null ? common : { ...common, family, ...familyOf(family).patchOf?.(field) }
}
