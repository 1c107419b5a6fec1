// Retries reads of a layer that was changed during the read, so that content and rows of the response belong to the same
// change. The client gets an error only after repeated attempts.

import { limits } from '../limits.js'
import { reread } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import { documentLease } from '../storage/removals.js'

export class LayerMoved extends Refusal {
  constructor() {
    super('RuntimeUnavailable', 'The layer changed during every attempt to read it', { retryAfterSeconds: 1 })
    this.name = 'LayerMoved'
  }
}

export interface ReadAgainOptions {
  /** True if the last attempt may block writers; false for requests that write themselves. */
  readonly mayHoldWriters: boolean
}

/** Runs `read` with rows of one snapshot, and again with newer ones if the layer changed meanwhile. */
export async function untilAtRest<Answer>(
  context: DocumentContext,
  read: (context: DocumentContext) => Promise<Answer>,
  { mayHoldWriters }: ReadAgainOptions,
): Promise<Answer> {
  let current = context
  for (let attempts = 1; attempts < limits.readAttemptsMax; attempts++) {
    try {
      return await read(current)
    } catch (error) {
      if (!(error instanceof LayerMoved)) throw error
    }
    current = await reread(current)
  }
  if (!mayHoldWriters) return read(current)
  const { deployment, document, signal } = context
  return deployment.leases.hold(documentLease(document.internal), async () => read(await reread(context)), signal())
}
