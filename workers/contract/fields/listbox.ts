// Contract of a list box with one or several selected options.
import { Type } from 'typebox'
import { familyContract } from './family-contract.js'
import { optionMembers, patchedDefault, writtenFlag, writtenOptions } from './members.js'

const texts = Type.Array(Type.String())

export const Listbox = familyContract({
  family: 'listbox',
  type: 'Ch',
  members: { selectedValues: texts, defaultValue: texts, multiSelect: Type.Boolean(), ...optionMembers },
  draft: { multiSelect: writtenFlag, options: writtenOptions, defaultValue: Type.Optional(texts) },
  patch: { multiSelect: writtenFlag, options: writtenOptions, defaultValue: patchedDefault },
})
