// Finds the signature of a field by the field's full name, in the last revision of a file.
import { NotStrict, type StrictDocument } from '../../strict-reader/strict-document.js'
import { FieldBudget, signatureFields } from './signature-fields.js'
import { type SignatureValue, signatureValue } from './signature-value.js'
import { newestOf } from './snapshot.js'

/** Returns the signature; undefined if no field of this name is signed, or the file is not strict. */
export function findSignature(document: StrictDocument, fieldName: string): SignatureValue | undefined {
  const newest = newestOf(document)
  try {
    for (const field of signatureFields(newest, new FieldBudget())) {
      const value = field.name === fieldName ? signatureValue(newest, field) : undefined
      if (value !== undefined) return value
    }
  } catch (error) {
    if (!(error instanceof NotStrict)) throw error
  }
  return undefined
}
