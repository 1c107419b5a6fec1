// The members of a field that a draft or a patch gives, family by family (ISO 32000-2, 12.7.4 and 12.7.5).
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import type { FieldFamily } from '../../contract/field-family.js'
import type { FieldDraft, FieldPatch } from '../../contract/field-members.js'
import type { FormField } from '../../contract/form-field.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { fieldFlags, flagsOf } from '../../fields/field-kind.js'
import { inheritedFrom, lineageOf } from '../../fields/inheritance.js'
import { entry, integerOf, isMissing } from '../../objects/values.js'
import { putStored, type StoredValue } from './stored-value.js'

type DraftFamily = FieldDraft['family']
type FlagMember = keyof typeof fieldFlags & keyof FieldPatch
type Member = Exclude<keyof FieldPatch, 'family' | 'name'>

const everyMember = ['readOnly', 'required', 'noExport', 'alternateName', 'mappingName'] as const

const familyMembers: Readonly<Record<DraftFamily, readonly Member[]>> = {
  text: [...everyMember, 'multiline', 'password', 'comb', 'maxLength', 'defaultValue'],
  checkbox: everyMember,
  radio: [...everyMember, 'radiosInUnison', 'noToggleToOff'],
  combobox: [...everyMember, 'edit', 'options', 'defaultValue'],
  listbox: [...everyMember, 'multiSelect', 'options', 'defaultValue'],
  signature: everyMember,
}

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

/** /FT, and the flags that make the family. */
const kinds: Readonly<Record<DraftFamily, { readonly type: string; readonly flags: number }>> = {
  text: { type: 'Tx', flags: 0 },
  checkbox: { type: 'Btn', flags: 0 },
  radio: { type: 'Btn', flags: 1 << (fieldFlags.radio - 1) },
  combobox: { type: 'Ch', flags: 1 << (fieldFlags.combo - 1) },
  listbox: { type: 'Ch', flags: 0 },
  signature: { type: 'Sig', flags: 0 },
}

export function writeKind({ pdf }: Change, field: PDFObject, family: DraftFamily): void {
  field.put('FT', pdf.newName(kinds[family].type))
  if (kinds[family].flags !== 0) field.put('Ff', kinds[family].flags)
}

/** Throws `InvalidArg` for members that the family does not have, and for members that exclude each other. */
export function writeMembers(change: Change, field: PDFObject, family: FieldFamily, members: FieldPatch): void {
  refuseForeign(family, members)
  writeAny(change, field, family, members)
  if (family === 'text') refuseTogether(field, members)
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
    throw new JobRefusal('InvalidArg', `The field is a ${family} field and stays one`, { member: 'family' })
  }
  const allowed: readonly string[] = Object.hasOwn(familyMembers, family)
    ? familyMembers[family as DraftFamily]
    : everyMember
  for (const member of Object.keys(members)) {
    if (member === 'family' || member === 'name' || member === 'widgets' || allowed.includes(member)) continue
    throw new JobRefusal('InvalidArg', `A ${family} field has no ${member}`, { member })
  }
}

/**
 * Members that exclude each other (ISO 32000-2, table 231): combs have cells for single characters
 * of plain text; passwords have one line.
 */
const clashes: readonly (readonly [member: FlagMember, other: FlagMember | 'fileSelect'])[] = [
  ['comb', 'multiline'],
  ['comb', 'password'],
  ['comb', 'fileSelect'],
  ['password', 'multiline'],
]

/** Checks given members together with existing ones; a file itself may contain invalid combinations. */
function refuseTogether(field: PDFObject, members: FieldPatch): void {
  const hasFlag = flagsOf(lineageOf(field))
  const given = (member: string): boolean => Object.hasOwn(members, member)
  for (const [member, other] of clashes) {
    if (!(given(member) || given(other)) || !hasFlag(member) || !hasFlag(other)) continue
    const named = given(member) && members[member] === true ? member : other
    throw new JobRefusal('InvalidArg', `A text field cannot be both ${member} and ${other}`, { member: named })
  }
  if (!(given('comb') || given('maxLength')) || !hasFlag('comb')) return
  if (isMissing(inheritedFrom(field, 'MaxLen') ?? entry(field, 'MaxLen'))) {
    const member = members.comb === true ? 'comb' : 'maxLength'
    throw new JobRefusal('InvalidArg', 'A comb needs maxLength, the number of its cells', { member })
  }
}

function defaultOf(family: FieldFamily, value: string | readonly string[] | null): StoredValue {
  if (value === null) return null
  if (typeof value === 'string' && family !== 'listbox') return { text: value }
  if (typeof value !== 'string' && family === 'listbox') return { texts: value }
  const wanted = family === 'listbox' ? 'a list of texts' : 'a text'
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
  // Places among the former options mean nothing now.
  field.delete('I')
}

/** The members as a patch would give them. */
export function membersOf(field: FormField): FieldPatch {
  const { name, readOnly, required, noExport, alternateName, mappingName } = field
  const common: FieldPatch = { name, readOnly, required, noExport, alternateName, mappingName }
  switch (field.family) {
    case 'text': {
      const { multiline, password, comb, maxLength } = field
      return { ...common, family: 'text', multiline, password, comb, maxLength, defaultValue: defaultText(field) }
    }
    case 'checkbox':
      return { ...common, family: 'checkbox' }
    case 'radio': {
      const { radiosInUnison, noToggleToOff } = field
      return { ...common, family: 'radio', radiosInUnison, noToggleToOff }
    }
    case 'combobox': {
      const { edit } = field
      return { ...common, family: 'combobox', edit, options: plainOptions(field), defaultValue: defaultText(field) }
    }
    case 'listbox': {
      const { multiSelect, defaultValue, defaultValueEntry } = field
      const value = defaultValueEntry.kind === 'none' ? null : defaultValue
      return { ...common, family: 'listbox', multiSelect, options: plainOptions(field), defaultValue: value }
    }
    case 'signature':
      return { ...common, family: 'signature' }
    case 'pushbutton':
    case 'unknown':
      return common
    default:
      return field satisfies never
  }
}

const defaultText = ({
  defaultValue,
  defaultValueEntry,
}: FormField & { readonly defaultValue: string }): string | null =>
  defaultValueEntry.kind === 'none' ? null : defaultValue

const plainOptions = ({
  options,
}: {
  readonly options: readonly { readonly label: string; readonly value: string }[]
}) => options.map(({ label, value }) => ({ label, value }))
