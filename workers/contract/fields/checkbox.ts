// Contract of a checkbox.
import { Type } from 'typebox'
import { familyContract } from './family-contract.js'
import { toggleMembers } from './members.js'

export const Checkbox = familyContract({
  family: 'checkbox',
  type: 'Btn',
  members: { checked: Type.Boolean(), exportValue: Type.String(), ...toggleMembers },
  draft: {},
  patch: {},
})
