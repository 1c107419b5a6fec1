// Which family a field is of, by its type and flags (ISO 32000-2, 12.7.5).
import type { FieldFamily } from '../contract/field-family.js'
import { lookUp } from '../objects/look-up.js'
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

const families: Readonly<Record<string, (hasFlag: HasFlag) => FieldFamily>> = {
  Tx: () => 'text',
  Btn: (hasFlag) => {
    if (hasFlag('pushbutton')) return 'pushbutton'
    return hasFlag('radio') ? 'radio' : 'checkbox'
  },
  Ch: (hasFlag) => (hasFlag('combo') ? 'combobox' : 'listbox'),
  Sig: () => 'signature',
}

export function fieldFamilyOf(lineage: Lineage): FieldFamily {
  const type = inherited(lineage, 'FT')
  return lookUp(families, type === undefined ? undefined : nameOf(type))?.(flagsOf(lineage)) ?? 'unknown'
}
