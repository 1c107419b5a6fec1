// Fields whose type has no family.
import { Unknown } from '../../contract/fields/unknown.js'
import { familyWork } from '../family-work.js'
import { textIn } from '../reading/field-values.js'

export const work = familyWork(Unknown, {
  read: (base) => ({ ...base, family: 'unknown', rawValue: textIn(base.valueEntry) }),
})
