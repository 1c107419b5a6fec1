// Contract of a push button, which has no value.
import { familyContract } from './family-contract.js'

export const Pushbutton = familyContract({
  family: 'pushbutton',
  type: 'Btn',
  flag: 'pushbutton',
  members: {},
  draft: null,
  patch: {},
})
