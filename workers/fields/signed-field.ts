// Tells signature fields that have a signature.
import { fieldFamilyOf } from './field-kind.js'
import { inherited, type Lineage } from './inheritance.js'

export const isSignedField = (lineage: Lineage): boolean =>
  fieldFamilyOf(lineage) === 'signature' && inherited(lineage, 'V') !== undefined
