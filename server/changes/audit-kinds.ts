// Audit kinds: names of changes in the audit log and in event streams.
import { findOpContract, type Op } from '../../workers/contract/ops/index.js'

/** Kind of a change sent in a `ChangeRequest`, undo included; its payload contains all items. */
export const changeKind = 'change'

/** Returns the kind of an op that has its own route. */
export const auditKindOf = ({ type }: Pick<Op, 'type'>): string => findOpContract(type)?.route?.auditKind ?? changeKind
