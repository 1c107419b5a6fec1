// Notes a wrong clock of this machine, judged by the responses received during planning.
import type { Diagnostic } from '../diagnostic.js'
import { diagnostic } from '../problems/index.js'

const minuteMs = 60_000
/** Largest difference that is not reported; smaller ones are common and harmless. */
const tolerableMs = 5 * minuteMs

/**
 * Returns a note for each provider whose clock differs from this machine's by more than that. `offsets` are in
 * milliseconds.
 */
export function clockNotes(offsets: ReadonlyMap<string, number>): readonly Diagnostic[] {
  return [...offsets].flatMap(([provider, offsetMs]) => {
    if (Math.abs(offsetMs) < tolerableMs) return []
    const minutes = Math.round(Math.abs(offsetMs) / minuteMs)
    const side = offsetMs < 0 ? 'ahead of' : 'behind'
    return [diagnostic('plan.clock', { detail: `The clock here is ${minutes} minutes ${side} that of ${provider}.` })]
  })
}
