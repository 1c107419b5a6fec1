// Refusal of a signature that violates a constraint of the field or the document.
import { JobRefusal } from '../contract/job-refusal.js'

/** Requirement that is not met; seed values are named as in the file (ISO 32000-2, table 237). */
export type Constraint =
  | 'signed'
  | 'read-only'
  | 'locked'
  | 'lock'
  | 'certification'
  | 'redacted'
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
