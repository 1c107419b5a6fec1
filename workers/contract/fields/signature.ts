// Contract of a field for a digital signature.
import { familyContract } from './family-contract.js'

export const Signature = familyContract({
  family: 'signature',
  type: 'Sig',
  members: {},
  draft: {},
  patch: {},
})
