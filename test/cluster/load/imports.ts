// Imports documents from a storage in the background: each import ends, in exactly one document, whatever happens meanwhile.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../server/support/client.js'
import type { HistoryRecord } from '../history/records.js'
import type { ImportSource } from './import-sources.js'
import type { Load } from './load.js'
import { documentsPath, expected, unlessUnanswered } from './uploads.js'

const pollMs = 300

/** Documents with each idempotency key and, for successful imports, with each content. */
export type DocumentCounts = ReadonlyMap<string, number>

const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Imports one new file after the other until the run is over. */
export async function importMany(load: Load, client: string, source: ImportSource): Promise<void> {
  const requested: string[] = []
  for (let number = 0; !load.over.aborted; number++) {
    const key = `${client}-${number}`
    const bytes = load.newPdf()
    await source.put(`${key}.pdf`, bytes)
    // Now and then the announced hash is of another file, so that the import must fail.
    const isWrong = load.draw(5) === 0
    const sha256 = hashOf(isWrong ? key : bytes)
    requested.push(key)
    if (!isWrong) requested.push(sha256)
    const end = await unlessUnanswered(ended(load, { key, sha256, connectionId: source.connectionId }))
    const promised = isWrong ? 'failed source-mismatch' : 'ready'
    load.records.push({ kind: 'promise', subject: `import ${key}`, promised, found: end?.state ?? 'no answer' })
    if (end?.state !== 'ready') continue
    load.promises.set(end.id, { sha256, path: `${documentsPath}/${end.id}/download`, by: 'import' })
  }
  load.records.push(...eachOnce(requested, await documentCounts(load)))
}

interface ImportRequest {
  readonly key: string
  readonly sha256: string
  readonly connectionId: string
}

/** Requests an import, sometimes twice, and waits for its end. Returns the id of the document, and its state with the reason. */
async function ended(
  load: Load,
  { key, sha256, connectionId }: ImportRequest,
): Promise<{ readonly id: string; readonly state: string }> {
  const source = { kind: 'connection', connectionId, key: `${key}.pdf` }
  const json = { source, mode: 'async', expected: { sha256 }, idempotencyKey: key }
  const request = async () =>
    expected(await load.steady.send(`${documentsPath}/import`, { method: 'POST', json })).word('/document/id')
  const id = await request()
  if (load.draw(3) === 0) {
    load.records.push({ kind: 'promise', subject: `import ${key} again`, promised: id, found: await request() })
  }
  for (;;) {
    const answer = expected(await load.steady.send(`${documentsPath}/${id}`, {}))
    const state = answer.word('/document/state')
    if (state !== 'pending')
      return { id, state: [state, answer.at('/document/failureReason')].filter(Boolean).join(' ') }
    await sleep(pollMs)
  }
}

/** Returns records of how many documents there are of each import. */
export const eachOnce = (requested: readonly string[], counts: DocumentCounts): readonly HistoryRecord[] =>
  requested.map((one) => ({
    kind: 'promise',
    subject: `documents of the import with ${one}`,
    promised: '1',
    found: `${counts.get(one) ?? 0}`,
  }))

async function documentCounts({ steady }: Load): Promise<DocumentCounts> {
  const counts = new Map<string, number>()
  let page: Answer | undefined
  do {
    const cursor = page?.at('/nextCursor')
    const query = typeof cursor === 'string' ? `?cursor=${encodeURIComponent(cursor)}` : ''
    page = expected(await steady.send(`${documentsPath}${query}`, {}))
    for (const document of (page.at('/documents') as readonly object[]) ?? []) {
      const { idempotencyKey, baseSha } = Object(document)
      for (const one of [idempotencyKey, baseSha].map(String)) counts.set(one, (counts.get(one) ?? 0) + 1)
    }
  } while (typeof page.at('/nextCursor') === 'string')
  return counts
}
