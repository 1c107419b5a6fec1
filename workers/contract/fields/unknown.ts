// Contract of fields whose type has no family.
import { Type } from 'typebox'
import { familyContract } from './family-contract.js'

export const Unknown = familyContract({
  family: 'unknown',
  type: null,
  members: { rawValue: Type.String() },
  draft: null,
  patch: {},
})
