// Waits for the end of an import that the server works on in the background, also while the server is restarted.
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../core/diagnostic.js'
import type { Output } from '../render/output.js'
import type { DocumentRecord, DocumentsClient } from './client.js'
import { documentsProblem } from './problems.js'

/** Intervals of polling. */
const pollMinMs = 200
const pollMaxMs = 5000
/** Time that a server may be away. */
const awayMaxMs = 60_000

export interface AwaitedImport {
  readonly path: string
  readonly first: DocumentRecord
  readonly output: Output
  /** Ends the wait. */
  readonly signal: AbortSignal
}

/** Polls the document until it is no longer pending, or the wait is ended; it is then returned as it was last. */
export async function awaitImport(
  client: DocumentsClient,
  { path, first, output, signal }: AwaitedImport,
): Promise<DocumentRecord> {
  const startedAtMs = performance.now()
  let document = first
  let awaySinceMs: number | undefined
  for (let pauseMs = pollMinMs; document.state === 'pending'; pauseMs = Math.min(pauseMs * 2, pollMaxMs)) {
    const seconds = Math.round((performance.now() - startedAtMs) / 1000)
    const state = awaySinceMs === undefined ? 'is being imported' : 'is awaited; the server does not answer'
    output.live(`${document.id} ${state} (${seconds} s)`)
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    try {
      document = (await client.json<{ document: DocumentRecord }>(path)).document
      awaySinceMs = undefined
    } catch (error) {
      awaySinceMs ??= performance.now()
      if (!isAway(error) || performance.now() - awaySinceMs > awayMaxMs) throw error
    }
  }
  output.live('')
  return document
}

/** True while a server is stopped or started, or a proxy in front of it finds none. */
function isAway(error: unknown): boolean {
  if (!(error instanceof Problem)) return false
  return error.diagnostics.some(
    ({ code, detail = '' }) =>
      code === 'documents.unreachable' ||
      (code === 'documents.refused' && /^(RuntimeUnavailable|502|503|504):/.test(detail)),
  )
}

/** Sentences for reasons that concern the source, not the file. */
const reasons: ReadonlyMap<string | null, string> = new Map([
  ['source-not-found', 'the connection has no file under this key'],
  ['source-not-allowed', 'the connection does not allow this key or tenant any more'],
  ['source-too-large', 'the file is larger than the server accepts'],
  ['source-mismatch', 'the file has another size or SHA-256 than expected'],
  ['source-changed', 'the file was replaced during the import'],
  ['source-unavailable', 'the storage of the connection could not be reached'],
])

/** Refuses a document whose bytes were never obtained. */
export function refuseNotImported({ id, state, failureReason }: DocumentRecord, source: string): void {
  const reason = reasons.get(failureReason)
  if (state !== 'failed' || reason === undefined) return
  throw documentsProblem('documents.not-imported', {
    detail: `${source} was not imported as ${id}: ${reason} (${failureReason}).`,
    fix: `Correct that and import again; "agents documents delete ${id}" removes the record of the attempt.`,
  })
}
