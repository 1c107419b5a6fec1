// What a change is called in the audit log and in event streams.
import { findOpContract, type Op } from '../../workers/contract/ops/index.js'

/** Of changes that came in a `ChangeRequest`, undos included: its payload is all their items. */
export const changeKind = 'change'

/** Kind of a write with a route of its own. */
export const auditKindOf = ({ type }: Pick<Op, 'type'>): string => findOpContract(type)?.route?.auditKind ?? changeKind
