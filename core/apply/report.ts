// Collects outcomes of an apply, one per change, and reports each as soon as it is known.
import type { Diagnostic } from '../diagnostic.js'
import type { Outcome, OutcomeStatus } from '../plan/plan.js'
import { diagnostic } from '../problems/index.js'
import type { ApplyOptions } from './options.js'
import type { Step } from './steps.js'

/** Collects one outcome per change from the results of its steps. */
export class Report {
  private readonly byAddress = new Map<string, { outcome: Outcome; startedAtMs: number }>()

  constructor(private readonly options: ApplyOptions) {}

  outcomes(): readonly Outcome[] {
    return [...this.byAddress.values()].map(({ outcome }) => outcome)
  }

  start({ type, change }: Step): void {
    if (type === 'clean') return
    this.options.onProgress?.({ type: 'started', address: change.address, action: change.action })
    this.byAddress.set(change.address, {
      outcome: { address: change.address, action: change.action, status: 'interrupted', diagnostics: [], elapsedMs: 0 },
      startedAtMs: this.options.ports.clock.now(),
    })
  }

  end(step: Step, status: OutcomeStatus, diagnostics: readonly Diagnostic[], id = step.change.id): void {
    const { change } = step
    const nowMs = this.options.ports.clock.now()
    const previous = this.byAddress.get(change.address)
    if (step.type === 'clean' && status === 'done' && diagnostics.length === 0) return
    const outcome: Outcome = {
      address: change.address,
      action: change.action,
      status: step.type === 'clean' ? afterCleaning(previous?.outcome.status, status) : status,
      ...(id ? { id } : {}),
      diagnostics: [...(previous?.outcome.diagnostics ?? []), ...diagnostics],
      elapsedMs: nowMs - (previous?.startedAtMs ?? nowMs),
    }
    this.byAddress.set(change.address, { outcome, startedAtMs: previous?.startedAtMs ?? nowMs })
    this.options.onProgress?.({ type: 'ended', outcome })
  }

  skip(step: Step | undefined, end: 'skipped' | 'waiting' | 'interrupted', because: Step | undefined): void {
    if (!step || step.type === 'clean') return
    const reason = because ? [{ ...waitsFor(end, because.change.address), address: step.change.address }] : []
    this.end(step, end, reason)
  }
}

/**
 * Returns the status of a replacement after the removal of the old object. The new object exists, so a failed removal
 * makes it partial.
 */
function afterCleaning(written: OutcomeStatus | undefined, cleaned: OutcomeStatus): OutcomeStatus {
  const isWritten = written === 'done' || written === 'partial'
  if (cleaned === 'failed' && isWritten) return 'partial'
  return cleaned === 'done' ? (written ?? 'done') : cleaned
}

function waitsFor(end: 'skipped' | 'waiting' | 'interrupted', address: string): Diagnostic {
  return end === 'waiting'
    ? diagnostic('apply.waits-for', { detail: `${address} is not ready yet.` })
    : diagnostic('apply.skipped', { detail: `${address}, which must come first, was not finished.` })
}
