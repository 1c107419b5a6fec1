// The policy: which entries of which objects may change after a signature, and from which level on. Every change that
// no rule permits is forbidden. A change of a rule, or of a condition that it names, increments `policyVersion`.
import { annotationRules } from './annotation-rules.js'
import { documentRules } from './document-rules.js'
import { formRules } from './form-rules.js'

export const rules = [...documentRules, ...formRules, ...annotationRules] as const

export type RuleName = (typeof rules)[number]['rule']
