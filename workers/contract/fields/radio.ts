// Contract of a radio group.
import { Type } from 'typebox'
import { familyContract } from './family-contract.js'
import { toggleMembers, writtenFlag } from './members.js'

const flags = { radiosInUnison: writtenFlag, noToggleToOff: writtenFlag }

export const Radio = familyContract({
  family: 'radio',
  type: 'Btn',
  flag: 'radio',
  members: {
    value: Type.String(),
    radiosInUnison: Type.Boolean(),
    noToggleToOff: Type.Boolean(),
    ...toggleMembers,
  },
  draft: flags,
  patch: flags,
})
