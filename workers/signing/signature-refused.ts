// Refusals of a signature that the field or the document does not admit.
import { JobRefusal } from '../contract/job-refusal.js'

/** Requirement that is not met; seed values are named as in the file (ISO 32000-2, table 237). */
export type Constraint =
  | 'signed'
  | 'read-only'
  | 'locked'
  | 'lock'
  | 'certification'
  | 'Filter'
  | 'SubFilter'
  | 'DigestMethod'
  | 'V'
  | 'Cert'
  | 'Reasons'
  | 'MDP'
  | 'TimeStamp'
  | 'LegalAttestation'
  | 'AddRevInfo'
  | 'LockDocument'
  | 'AppearanceFilter'

export const signatureRefused = (constraint: Constraint, message: string): JobRefusal =>
  new JobRefusal('SignatureRefused', message, { constraint })
