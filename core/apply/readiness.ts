// Waits for objects that the provider checks after accepting them.

import type { Resource } from '../graph/resource.js'
import type { Remote } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import type { Task } from './work.js'

/**
 * Waits until the object is ready. Returns `waiting` after the handler's time limit; the row records it, and the next
 * apply continues.
 */
export async function waitUntilReady(
  task: Task,
  row: Row,
  { handler }: Resource,
  remote: Remote,
): Promise<{ readonly row: Row; readonly remote: Remote; readonly isReady: boolean }> {
  const { ready } = handler
  if (!ready || row.id === null) return { row, remote, isReady: true }
  const { clock } = task.work.options.ports
  const startedAtMs = clock.now()
  let current = row
  let seen = remote
  for (let delayMs = ready.firstDelayMs; ; delayMs = Math.min(delayMs * 2, ready.longestDelayMs)) {
    const state = ready.state(seen)
    if (state === 'ready') return { row: current, remote: seen, isReady: true }
    if (current.operation?.type !== 'readiness') {
      current = { ...current, operation: { type: 'readiness', startedAtMs } }
      await task.work.state.put(task.address, current)
    }
    if (state !== 'pending') throw rejected(task, state.failed)
    if (clock.now() - startedAtMs >= ready.timeoutMs) return { row: current, remote: seen, isReady: false }
    await clock.sleep(delayMs, task.signal)
    seen = await handler.read(task.call, row.id)
  }
}

function rejected({ address }: Task, reason: string): Error {
  return problem('provider.rejected', { address, detail: `${address} was accepted and then rejected: ${reason}.` })
}
