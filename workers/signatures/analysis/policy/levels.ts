// Order of the levels, and whether a rule is in force at one.
import type { ProtectionLevel } from '../../../contract/signatures/protection.js'

const order: readonly ProtectionLevel[] = ['none', 'lta', 'fill', 'annotate']

export const includes = (level: ProtectionLevel, other: ProtectionLevel): boolean =>
  order.indexOf(level) >= order.indexOf(other)
