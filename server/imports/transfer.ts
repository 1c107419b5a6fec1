// Reading of a source under limits that hold for every kind of source: a deadline, a minimum rate, a declared length.
import { Refusal } from '../refusals/refusal.js'
import { failureOf, upstreamFailed } from './failures.js'
import { type ImportTimeouts, withTimeout } from './network.js'

export interface TransferLimits {
  readonly timeouts: Pick<ImportTimeouts, 'totalMs'>
  /** Signal that is aborted when nobody waits for the import any more. */
  readonly signal: AbortSignal
}

/** Runs the work with a deadline; the reason of its signal is the error to send. */
export async function withDeadline<Result>(
  { signal, timeouts }: TransferLimits,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const transfer = new AbortController()
  const leave = () => transfer.abort(new Refusal('Aborted', 'Client disconnected before the import finished'))
  const timer = setTimeout(
    () => transfer.abort(upstreamFailed(`The source did not finish in ${timeouts.totalMs / 1000} s`)),
    timeouts.totalMs,
  )
  signal.addEventListener('abort', leave, { once: true })
  try {
    if (signal.aborted) leave()
    return await work(transfer.signal)
  } catch (error) {
    throw failureOf(error, transfer.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
  }
}

export interface BodyLimits extends Pick<ImportTimeouts, 'idleMs' | 'bytesPerSecondMin'> {
  readonly sizeBytes: number
  readonly signal: AbortSignal
}

/**
 * Yields the pieces of a body. The time limit covers only waiting for the source, not writing its bytes. Throws
 * `UpstreamFailed` for a body of another length, and when the source is too slow.
 */
export async function* steadyBytes(body: AsyncIterable<Uint8Array>, limits: BodyLimits): AsyncGenerator<Uint8Array> {
  const { sizeBytes, idleMs, bytesPerSecondMin, signal } = limits
  const chunks = body[Symbol.asyncIterator]()
  let received = 0
  let waitedMs = 0
  for (;;) {
    const requestedAtMs = performance.now()
    const { done, value } = await withTimeout(idleMs, chunks.next()).catch((error) => {
      throw failureOf(error, signal)
    })
    if (done) break
    received += value.length
    waitedMs += performance.now() - requestedAtMs
    if (waitedMs > idleMs && received < (bytesPerSecondMin * waitedMs) / 1000) {
      throw upstreamFailed(`The source sends less than ${bytesPerSecondMin} bytes a second`)
    }
    yield value
  }
  if (received !== sizeBytes) throw upstreamFailed('The source sent fewer bytes than it declared')
}
