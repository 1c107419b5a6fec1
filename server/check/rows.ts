// Checks records: kind, checksum, schema, index rows, references, and counters.

import { isDeepStrictEqual } from 'node:util'
import type { DocumentRow } from '../rows/document.js'
import { sameBytes } from '../storage/bytes.js'
import type { Key } from '../storage/keys.js'
import { Descending, decodeKey } from '../storage/keys.js'
import type { PendingDeletions } from '../storage/pending-deletions.js'
import { type PublicNames, publicNames } from '../storage/public-names.js'
import { RowCorrupt } from '../storage/row-codec.js'
import type { AnyRowKind, OpenedRow, Reference } from '../storage/row-kind.js'
import { allRowKinds, rowKindOf, rowKinds } from '../storage/row-kinds.js'
import type { Entry, Store, Value } from '../storage/store.js'
import { countedBytesOf } from '../storage/stored-bytes.js'
import { Tables } from '../storage/tables.js'
import type { Finding } from './findings.js'

interface RowsChecked {
  readonly store: Store
  /** Pending deletions, whose rows are counted but not checked, because the server removes them. */
  readonly pending: PendingDeletions
  readonly report: (finding: Finding) => void
}

const everyKey = { from: Uint8Array.of(0), to: Uint8Array.of(0xff) }

export async function checkRows({ store, pending, report }: RowsChecked): Promise<number> {
  let rows = 0
  for await (const entry of store.range(everyKey)) {
    rows += 1
    if (pending.has(entry)) continue
    for (const finding of await findingsOf(store, entry)) report({ ...finding, ...(await namesOf(store, entry.key)) })
  }
  for (const finding of await usageFindings(store)) report(finding)
  return rows
}

/**
 * Returns the public ids of a row's owners: keys of a tenant's rows begin with the tenant, those of a document's rows
 * with both.
 */
async function namesOf(store: Store, key: Key): Promise<PublicNames> {
  const kind = rowKindOf(key)
  const [, tenant, document] = decodeKey(key) ?? []
  if (typeof tenant !== 'string' || kind?.ownedBy('') === undefined) return {}
  const isOfDocument = typeof document === 'string' && kind.ownedBy('', '') !== undefined
  return publicNames(store, { tenant, document: isOfDocument ? document : undefined })
}

async function findingsOf(store: Store, entry: Entry): Promise<readonly Finding[]> {
  const where = placeOf(entry.key)
  const opened = open(entry)
  if ('code' in opened) return [{ ...opened, where }]
  const missing = opened.references.map(async (reference) =>
    (await store.get(reference.key)) === undefined ? [missingRow(where, reference)] : [],
  )
  const missingIndexes = opened.indexes.map(async (index) =>
    isSameRow(index, await store.get(index.key)) ? [] : [missingIndex(where, index.key)],
  )
  return [...(await Promise.all([...missing, ...missingIndexes])).flat(), ...(await staleness(store, entry, opened))]
}

/** True if the stored value is the same row, which may have been written in another format. */
function isSameRow({ key, value }: Entry, stored: Value | undefined): boolean {
  if (stored === undefined) return false
  if (sameBytes(stored, value)) return true
  const [found, wanted] = [open({ key, value: stored }), open({ key, value })]
  return !('code' in found) && !('code' in wanted) && isDeepStrictEqual(found.row, wanted.row)
}

type Fault = Omit<Finding, 'where'>

function open(entry: Entry): OpenedRow | Fault {
  const kind = rowKindOf(entry.key)
  if (!kind) return { code: 'data.unknown-row', detail: 'No kind of record has such a key.' }
  try {
    return kind.open(entry) ?? { code: 'data.unknown-row', detail: `The key is not one of ${kind.name}.` }
  } catch (error) {
    if (!(error instanceof RowCorrupt)) throw error
    return { code: 'data.damaged-row', detail: `It fails its ${error.fault}.` }
  }
}

/** Returns a finding if the row that is referred to does not confirm the reference. */
async function staleness(store: Store, { key }: Entry, { leadsTo }: OpenedRow): Promise<readonly Finding[]> {
  const value = leadsTo && (await store.get(leadsTo.key))
  const target = value && open({ key: leadsTo.key, value })
  if (!target || 'code' in target) return [] // Missing or damaged rows have findings of their own.
  if (target.indexes.some((index) => sameBytes(index.key, key))) return []
  const detail = `${placeOf(leadsTo.key)} does not lead back to it.`
  return [{ code: 'data.stale-index', where: placeOf(key), detail }]
}

const missingRow = (where: string, { key }: Reference): Finding => ({
  code: 'data.missing-row',
  where,
  detail: `It needs ${placeOf(key)}, which is not there.`,
})

const missingIndex = (where: string, key: Key): Finding => ({
  code: 'data.missing-index',
  where,
  detail: `${placeOf(key)} should lead to it.`,
})

/** Compares totals of documents with their rows, and counters of tenants with those totals. */
async function usageFindings(store: Store): Promise<readonly Finding[]> {
  const tables = new Tables(store)
  const findings: Finding[] = []
  for await (const tenant of readable(store, rowKinds.tenants)) {
    const [id = ''] = tenant.parts.map(String)
    const { status, id: tenantId } = rowKinds.tenants.decode(tenant.entry)
    if (status === 'deleting') continue
    let [stored, counted] = [0, 0]
    for await (const { entry, parts } of readable(store, rowKinds.documents, id)) {
      const row = rowKinds.documents.decode(entry)
      if (row.state === 'deleting') continue
      const document = String(parts[1])
      const finding = await totalFinding(store, row, { tenant: id, document })
      if (finding) findings.push({ ...finding, tenantId, documentId: row.id })
      stored += await countedBytesOf(tables, row, { tenant: id, document }).catch(() => 0)
    }
    for await (const { entry } of readable(store, rowKinds.storage, id)) counted += rowKinds.storage.decode(entry).bytes
    if (stored === counted) continue
    const detail = `${counted} bytes are counted, its documents have ${stored}.`
    findings.push({ code: 'data.wrong-usage', where: `tenant ${id}`, detail, tenantId })
  }
  return findings
}

async function totalFinding(
  store: Store,
  { storedBytes }: DocumentRow,
  { tenant, document }: { readonly tenant: string; readonly document: string },
): Promise<Finding | undefined> {
  if (storedBytes === undefined) return undefined
  let sum = 0
  for (const kind of allRowKinds.filter(({ countsBytes }) => countsBytes)) {
    for await (const opened of readable(store, kind, tenant, document)) sum += opened.storedBytes
  }
  if (sum === storedBytes) return undefined
  const detail = `${storedBytes} bytes are counted, its content has ${sum}.`
  return { code: 'data.wrong-usage', where: `document ${tenant}/${document}`, detail }
}

/** Skips damaged rows, which are reported elsewhere. */
export async function* readable(store: Store, kind: AnyRowKind, ...[tenant, document]: readonly string[]) {
  const range = tenant === undefined ? kind.all : kind.ownedBy(tenant, document)
  if (!range) return
  for await (const entry of store.range(range)) {
    const opened = open(entry)
    if (!('code' in opened)) yield { entry, parts: opened.parts, storedBytes: opened.storedBytes }
  }
}

export function placeOf(key: Key): string {
  const [name, ...parts] = decodeKey(key) ?? []
  if (typeof name !== 'string') return `key ${Buffer.from(key).toString('hex')}`
  return `${name} ${parts.map((part) => String(part instanceof Descending ? part.value : part)).join('/')}`
}
