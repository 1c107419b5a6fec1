// Retries reads of a layer that was changed during the read, so that content and rows of the response belong to the
// same change. The client gets an error only after repeated attempts.

import { limits } from '../limits.js'
import { reread } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { BlobMissing } from '../storage/blobs.js'
import { documentLease } from '../storage/removals.js'

export class LayerMoved extends Refusal {
  /** `missing`: a file that is no longer there, because the layer changed or the file is lost. */
  constructor(readonly missing?: BlobMissing) {
    super('RuntimeUnavailable', 'The layer changed during every attempt to read it', { retryAfterSeconds: 1 })
    this.name = 'LayerMoved'
  }
}

export interface ReadAgainOptions {
  /** True if the last attempt may block writers; false for requests that write themselves. */
  readonly mayHoldWriters: boolean
}

/** Runs `read` with rows of one snapshot, and again with newer ones if the layer changed meanwhile. */
export async function readConsistently<Answer>(
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
  const { deployment, document, signal } = context
  const lease = documentLease(document.internal)
  try {
    if (!mayHoldWriters) return await read(current)
    return await deployment.leases.hold(lease, async () => read(await reread(context)), signal())
  } catch (error) {
    throw lostFileOf(error) ?? error
  }
}

/** Returns the error of a file that is still missing when the rows are read again, so that no change has removed it. */
export const lostFileOf = (error: unknown): BlobMissing | undefined =>
  error instanceof LayerMoved ? error.missing : undefined
