// Types of the policy: rules, and the roles of objects that they apply to.
import type { ProtectionLevel } from '../../../contract/signatures/protection.js'

/** Use of an object, found on the path from the trailer to it. An object may have several roles. */
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
  /** Entries of the object; an empty list means the object as a whole (added, removed, or drawn anew). */
  readonly keys: readonly string[]
  /** Permitted changes with their conditions, for documentation. */
  readonly permits: string
}
