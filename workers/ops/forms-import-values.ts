// `forms.importValues`: sets the values of many fields. Its undo is a step of `forms.reset`, which restores every field
// that is still as the import left it.

import { opWork } from '../change/op-work.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { FormsImportValues } from '../contract/ops/forms-import-values.js'
import { exchangeLimits } from '../exchange/exchange-limits.js'
import { tooMany } from '../exchange/read-source.js'
import { readValues } from '../exchange/values/read-values.js'
import { setValues } from '../exchange/values/set-values.js'

export const work = opWork(FormsImportValues, {
  apply({ values, resources }, change) {
    if ((values === undefined) === (resources === undefined)) {
      throw new JobRefusal('InvalidArg', 'The import needs either values or a file of values')
    }
    const given = Object.entries(values ?? {}).map(([name, value]) => ({ name, value }))
    const { fieldsMax } = exchangeLimits
    if (given.length > fieldsMax) throw tooMany('fieldsMax', `An import has at most ${fieldsMax} fields`, given.length)
    const read = resources === undefined ? given : readValues(change.resource(resources.source, 'source'))
    return { type: 'forms.importValues' as const, ...setValues(change, read) }
  },
})
