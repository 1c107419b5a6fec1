// Contract of a text field.
import { Type } from 'typebox'
import { Nullable } from '../nullable.js'
import { CountFromOne } from '../numbers.js'
import { familyContract } from './family-contract.js'
import { patchedDefault, writtenFlag, writtenText } from './members.js'

const flags = { multiline: writtenFlag, password: writtenFlag, comb: writtenFlag }

export const Text = familyContract({
  family: 'text',
  type: 'Tx',
  members: {
    value: Type.String(),
    defaultValue: Type.String(),
    maxLength: Nullable(CountFromOne),
    multiline: Type.Boolean(),
    password: Type.Boolean(),
    comb: Type.Boolean(),
  },
  draft: { defaultValue: writtenText, maxLength: Type.Optional(CountFromOne), ...flags },
  patch: { ...flags, maxLength: Type.Optional(Nullable(CountFromOne)), defaultValue: patchedDefault },
})
