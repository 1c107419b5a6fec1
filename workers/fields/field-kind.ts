// Determines the family of a field by its type and flags (ISO 32000-2, 12.7.5).
import { type FieldContract, type FieldFamily, fieldContracts } from '../contract/field-family.js'
import { integerOf, nameOf } from '../objects/values.js'
import { inherited, type Lineage } from './inheritance.js'

/** Bits of /Ff, counted from 1 as the standard does. */
export const fieldFlags = {
  readOnly: 1,
  required: 2,
  noExport: 3,
  multiline: 13,
  password: 14,
  noToggleToOff: 15,
  radio: 16,
  pushbutton: 17,
  combo: 18,
  edit: 19,
  fileSelect: 21,
  multiSelect: 22,
  comb: 25,
  radiosInUnison: 26,
} as const

export type HasFlag = (flag: keyof typeof fieldFlags) => boolean

export function flagsOf(lineage: Lineage): HasFlag {
  const value = inherited(lineage, 'Ff')
  const bits = (value === undefined ? undefined : integerOf(value)) ?? 0
  return (flag) => ((bits >>> (fieldFlags[flag] - 1)) & 1) === 1
}

/**
 * Families with a flag are tried first, and `pushbutton` before `radio`, because its flag excludes the other one (ISO
 * 32000-2, table 229).
 */
const families: readonly FieldContract[] = fieldContracts.toSorted((one, other) => rankOf(one) - rankOf(other))

function rankOf({ flag }: FieldContract): number {
  return flag === undefined ? 2 : flag === 'radio' ? 1 : 0
}

export function fieldFamilyOf(lineage: Lineage): FieldFamily {
  const type = inherited(lineage, 'FT')
  const name = type === undefined ? undefined : nameOf(type)
  if (name === undefined) return 'unknown'
  const hasFlag = flagsOf(lineage)
  const isOf = ({ type, flag }: FieldContract): boolean => type === name && (flag === undefined || hasFlag(flag))
  return families.find(isOf)?.family ?? 'unknown'
}
