// Row kinds of asynchronous imports: one row for each document that waits for its bytes, and an index by tenant and
// time of the next work on it.
import { ImportRow } from '../rows/import.js'
import { Mark } from '../rows/pointers.js'
import { ofDocument, ofTenant } from './owned-rows.js'
import { refersTo, rowKind } from './row-kind.js'

/** Imports by the time from which a worker may claim them: that of the next attempt, or the end of a claim. */
export const dueImports = rowKind({
  name: 'due-import',
  key: [...ofTenant, ['at', 'number'], ['document', 'text']],
  schema: Mark,
  leadsTo: ([tenant, , document]) => refersTo('import', tenant, document),
})

export const imports = rowKind({
  name: 'import',
  key: ofDocument,
  schema: ImportRow,
  indexes: ([tenant, document], { dueAt, claim }) => [
    dueImports.entry([tenant, claim?.expiresAt ?? dueAt, document], {}),
  ],
})
