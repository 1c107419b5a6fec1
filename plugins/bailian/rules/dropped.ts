// Rules that report fields without a counterpart, which are not sent.
import type { ProviderRule } from '../../../core/plugin/rule.js'
import { skillOrigin, uploadFieldsNotSent } from '../../shared/fields-not-sent.js'

export const droppedRules: readonly ProviderRule[] = [
  ...uploadFieldsNotSent('bailian', 'Bailian'),
  skillOrigin('bailian', 'workspace'),
]
