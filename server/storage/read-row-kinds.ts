// Row kinds of the log of reads. They belong to their document, so that they are removed with it and with its tenant.
import { ReadLogRow, ReadRow } from '../rows/read.js'
import { ofDocument } from './owned-rows.js'
import { rowKind } from './row-kind.js'

const readLogs = rowKind({ name: 'read-log', key: ofDocument, schema: ReadLogRow })

const reads = rowKind({ name: 'read', key: [...ofDocument, ['id', 'number']], schema: ReadRow })

export const readRowKinds = { readLogs, reads } as const
