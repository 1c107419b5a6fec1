// Finds a signature by the name of its field.
import type { StrictDocument } from '../../strict-reader/strict-document.js'
import { FieldBudget, type SignatureField, signatureFields } from './signature-fields.js'
import { type SignatureValue, signatureValue } from './signature-value.js'
import { newestOf } from './snapshot.js'

export interface SignedField {
  readonly field: SignatureField
  readonly value: SignatureValue
}

/** `name`: full name. Undefined if there is no such field, or it is not signed. */
export function signedField(document: StrictDocument, name: string): SignedField | undefined {
  const newest = newestOf(document)
  const field = signatureFields(newest, new FieldBudget()).find((one) => one.name === name)
  const value = field && signatureValue(newest, field)
  return field && value && { field, value }
}
