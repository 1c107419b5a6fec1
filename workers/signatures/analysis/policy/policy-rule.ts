// Shape of a rule.
import type { ProtectionLevel } from '../../../contract/signatures/protection.js'

/** What an object is used as, found on the way from the trailer down. An object may have several roles. */
export type Role =
  | 'trailer'
  | 'catalog'
  | 'information'
  | 'metadata'
  | 'security-store'
  | 'form'
  | 'field'
  | 'widget'
  | 'signature-field'
  | 'page'
  | 'annotation'

export interface PolicyRule {
  readonly rule: string
  readonly level: Exclude<ProtectionLevel, 'none'>
  readonly role: Role
  /** Entries of the object; empty = the object as a whole (added, removed, or drawn anew). */
  readonly keys: readonly string[]
  /** What is permitted, with its conditions. */
  readonly permits: string
}
