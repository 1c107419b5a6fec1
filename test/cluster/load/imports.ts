// Imports documents from a folder in the background: each import ends, in exactly one document, whatever happens meanwhile.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from '../../server/support/client.js'
import type { Load } from './load.js'
import { documentsPath, expected, unlessUnanswered } from './uploads.js'

/** Name of the connection in the settings of the servers. */
export const connectionId = 'archive'

const pollMs = 300

const hashOf = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** Imports one new file after the other until the run is over. `folder`: the root of the connection. */
export async function importMany(load: Load, client: string, folder: string): Promise<void> {
  const imported = new Map<string, string>()
  for (let number = 0; !load.over.aborted; number++) {
    const key = `${client}-${number}`
    const bytes = load.newPdf()
    writeFileSync(join(folder, `${key}.pdf`), bytes)
    // Now and then the announced hash is of another file, so that the import must fail.
    const work = load.draw(5) === 0 ? failOne(load, key) : importOne(load, key, hashOf(bytes))
    const id = await unlessUnanswered(work)
    if (id !== undefined) imported.set(hashOf(bytes), id)
  }
  await findEachOnce(load, imported)
}

/** Returns the id of the document. */
async function importOne(load: Load, key: string, sha256: string): Promise<string> {
  const { id, state } = await ended(load, key, sha256)
  load.records.push({ kind: 'promise', subject: `import ${key} as ${id}`, promised: 'ready', found: state })
  load.promises.set(id, { sha256, path: `${documentsPath}/${id}/download`, by: 'import' })
  return id
}

async function failOne(load: Load, key: string): Promise<undefined> {
  const { id, state } = await ended(load, key, hashOf(key))
  const promised = 'failed source-mismatch'
  load.records.push({ kind: 'promise', subject: `import ${key} as ${id}`, promised, found: state })
  return undefined
}

/** Requests an import, sometimes twice, and waits for its end. Returns the id of the document, and its state with the reason. */
async function ended(
  load: Load,
  key: string,
  sha256: string,
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

/** Records how many documents there are with each imported content. */
async function findEachOnce(load: Load, imported: ReadonlyMap<string, string>): Promise<void> {
  const found = new Map<string, number>()
  for await (const sha256 of contents(load)) found.set(sha256, (found.get(sha256) ?? 0) + 1)
  for (const [sha256, id] of imported) {
    const count = `${found.get(sha256) ?? 0}`
    load.records.push({ kind: 'promise', subject: `documents with the content of ${id}`, promised: '1', found: count })
  }
}

async function* contents({ steady }: Load): AsyncIterable<string> {
  let page: Answer | undefined
  do {
    const cursor = page?.at('/nextCursor')
    const query = typeof cursor === 'string' ? `?cursor=${encodeURIComponent(cursor)}` : ''
    page = expected(await steady.send(`${documentsPath}${query}`, {}))
    for (const document of (page.at('/documents') as readonly object[]) ?? []) yield String(Object(document).baseSha)
  } while (typeof page.at('/nextCursor') === 'string')
}
