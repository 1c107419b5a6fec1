// A layer changed while it was being read, so that what was read may be newer than the rows the request began with: the
// read begins again. The client is told only when that goes on.

import { limits } from '../limits.js'
import { reread } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import { documentLease } from '../storage/removals.js'

export class LayerMoved extends Refusal {
  constructor() {
    super('RuntimeUnavailable', 'The layer is changed faster than it can be read', { retryAfterSeconds: 1 })
    this.name = 'LayerMoved'
  }
}

export interface ReadAgainOptions {
  /** Writers may be made to wait, should they be faster every time. Not for who is a writer himself. */
  readonly mayHoldWriters: boolean
}

/** Reads with the rows of one moment, again with newer ones whenever the layer moved on. */
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
