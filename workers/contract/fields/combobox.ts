// Contract of a combo box: a drop-down list, optionally with free text.
import { Type } from 'typebox'
import { familyContract } from './family-contract.js'
import { optionMembers, patchedDefault, writtenFlag, writtenOptions, writtenText } from './members.js'

export const Combobox = familyContract({
  family: 'combobox',
  type: 'Ch',
  flag: 'combo',
  members: { value: Type.String(), defaultValue: Type.String(), edit: Type.Boolean(), ...optionMembers },
  draft: { edit: writtenFlag, options: writtenOptions, defaultValue: writtenText },
  patch: { edit: writtenFlag, options: writtenOptions, defaultValue: patchedDefault },
})
