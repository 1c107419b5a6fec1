// `documents.audit.export`: the whole audit log of a document, or its log of reads, as one file, oldest first.
import { Readable } from 'node:stream'
import type { BytesAnswer, TenantContext } from '../operation/operation.js'
import { publicSessionOf } from '../operation/session-id.js'
import { csvLine } from './csv.js'
import { findDocument } from './find.js'
import { describeEntry } from './list-audit.js'
import { describeRead } from './list-reads.js'

export interface AuditExportQuery {
  readonly format: 'csv' | 'ndjson'
  readonly log?: 'changes' | 'reads'
}

type Line = Readonly<Record<string, unknown>>

const contentTypes = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson' } as const

export async function exportAudit(
  id: string,
  { format, log = 'changes' }: AuditExportQuery,
  context: TenantContext,
): Promise<BytesAnswer> {
  const document = await findDocument(id, context)
  await context.deployment.readLog.flush()
  const place = [context.tenant.internal, document.internal] as const
  const lines = log === 'reads' ? readsOf(place, context) : changesOf(place, context, document)
  const text = format === 'csv' ? asCsv(lines, columns[log]) : asNdjson(lines)
  return {
    contentType: contentTypes[format],
    body: Readable.from(text),
    headers: { 'Content-Disposition': `attachment; filename="${log}.${format}"` },
  }
}

type Place = readonly [tenant: string, document: string]

async function* changesOf(
  place: Place,
  { deployment }: TenantContext,
  document: Parameters<typeof publicSessionOf>[1]['document'],
): AsyncGenerator<Line> {
  for await (const { key, row } of deployment.tables.audits.range(place)) {
    const session = publicSessionOf(row.originSessionId, { deployment, document })
    yield { ...describeEntry(key[2], row), originSessionId: session, time: new Date(row.at).toISOString() }
  }
}

async function* readsOf(place: Place, { deployment }: TenantContext): AsyncGenerator<Line> {
  for await (const { key, row } of deployment.tables.reads.range(place)) {
    const [time, lastTime] = [new Date(row.from).toISOString(), new Date(row.to).toISOString()]
    yield { ...describeRead(key[2], row), time, lastTime }
  }
}

const columns: Readonly<Record<'changes' | 'reads', readonly string[]>> = {
  changes: [
    'id',
    'time',
    'sub',
    'kind',
    'layerName',
    'pageObjectNumber',
    'affectedPages',
    'facts',
    'originSessionId',
    'idempotencyKey',
    'undoOf',
  ],
  reads: ['id', 'time', 'lastTime', 'kind', 'count', 'sub', 'share', 'address', 'layerName', 'pages'],
}

async function* asCsv(lines: AsyncIterable<Line>, names: readonly string[]): AsyncGenerator<string> {
  yield csvLine(names)
  for await (const line of lines) yield csvLine(names.map((name) => line[name]))
}

async function* asNdjson(lines: AsyncIterable<Line>): AsyncGenerator<string> {
  for await (const line of lines) yield `${JSON.stringify(line)}\n`
}
