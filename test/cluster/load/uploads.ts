// Uploads documents and records what the answers promise.
import { createHash } from 'node:crypto'
import type { Answer } from '../../server/support/client.js'
import type { Load } from './load.js'
import { Unanswered } from './steady-client.js'

export const tenantId = 'acme'
export const documentsPath = `/v1/tenants/${tenantId}/documents`

/** Uploads a new document; returns its id. Throws `Unanswered`, and an error for an answer that nobody would expect. */
export async function upload(load: Load, key: string): Promise<string> {
  const bytes = load.newPdf()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  for (;;) {
    const request = { contentLength: bytes.length, contentSha256: sha256, idempotencyKey: key }
    const announced = expected(await load.steady.send(`${documentsPath}/init`, { method: 'POST', json: request }))
    const id = announced.word('/document/id')
    if (announced.at('/tag') !== 'deduped') await sendBytes(load, announced, bytes)
    const committed = await load.steady.send(`${documentsPath}/${id}/commit`, { method: 'POST', json: { sha256 } })
    // The bytes were sent to a process that ended before it stored them: they are sent again.
    if (committed.code === 'UploadMismatch') continue
    expected(committed)
    load.promises.set(id, { sha256, path: `${documentsPath}/${id}/download`, by: 'upload' })
    return id
  }
}

async function sendBytes({ api, steady }: Load, announced: Answer, bytes: Uint8Array): Promise<void> {
  if (announced.at('/upload/kind') === 'presigned') return putBytes(announced, bytes)
  const body = new FormData()
  body.set('file', new Blob([Buffer.from(bytes)], { type: 'application/pdf' }), 'document.pdf')
  const path = new URL(announced.word('/upload/url'), api.url).pathname
  const sent = await steady.send(path, { method: 'POST', body })
  // An earlier attempt may have been stored, and its document published.
  if (sent.status >= 400 && sent.code !== 'Conflict') expected(sent)
}

/** Sends the bytes to the store itself; a failed attempt is noticed by the commit. */
async function putBytes(announced: Answer, bytes: Uint8Array): Promise<void> {
  const headers = Object(announced.at('/upload/presigned/headers'))
  const url = announced.word('/upload/presigned/url')
  await fetch(url, { method: 'PUT', headers, body: Buffer.from(bytes) }).catch(() => undefined)
}

/** Returns the answer of a request that must succeed. */
export function expected(answer: Answer): Answer {
  if (answer.status >= 400) throw new Error(`${answer.status} ${answer.text}`)
  return answer
}

/** Uploads documents, one after the other, until the run is over. */
export async function uploadMany(load: Load, client: string): Promise<void> {
  for (let number = 0; !load.over.aborted; number++) {
    await unlessUnanswered(upload(load, `${client}-${number}`))
  }
}

export async function unlessUnanswered<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Unanswered) return undefined
    throw error
  }
}
