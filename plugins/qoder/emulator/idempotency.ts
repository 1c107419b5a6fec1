// Idempotency keys: a repeated create gets the first response, and another body under the same key is refused.
import { createHash } from 'node:crypto'
import { canonical, type Json } from '../../../core/value/tree.js'
import { type Answer, type EmulatedRequest, refuse } from '../../emulator/contract.js'

export const idempotencyCollection = 'idempotency'

type Handle<Body, Query> = (request: EmulatedRequest<Body, Query>) => Answer

/** Runs a call once per idempotency key. `scope` distinguishes calls that may share a key. */
export function once<Body, Query>(scope: string, handle: Handle<Body, Query>): Handle<Body, Query> {
  return (request) => {
    const { store, headers, nowMs, params } = request
    const key = headers['idempotency-key']
    if (key === undefined || key === '') return handle(request)
    const id = [scope, ...Object.values(params), key].join(' ')
    const digest = digestOf(request)
    const earlier = store.find(idempotencyCollection, id)
    if (earlier) {
      if (earlier.hidden['digest'] !== digest)
        throw refuse('conflict', 'the idempotency key was used with another body', { code: 'idempotency_key_reused' })
      const { status, body } = earlier.hidden
      return { status: Number(status), body: body ?? null }
    }
    const answer = handle(request)
    const hidden = { digest, status: answer.status ?? 200, body: answer.body ?? null }
    store.insert({ id, collection: idempotencyCollection, body: {}, hidden, createdAtMs: nowMs })
    return answer
  }
}

function digestOf({ body, files }: EmulatedRequest): string {
  const hash = createHash('sha256').update(canonical(body as Json)) // Parsed from JSON or form fields by the toolkit.
  for (const { field, filename, bytes } of files) hash.update(`\n${field} ${filename} `).update(bytes)
  return hash.digest('hex')
}
