// Reads facts that removals need, before anything is removed or changed, and records them in the rows.

import { type Diagnostic, Problem } from '../diagnostic.js'
import { explainFailure } from '../plan/explain.js'
import type { Change } from '../plan/plan.js'
import type { Address } from '../value/address.js'
import type { Work } from './work.js'

/**
 * Checks everything that an apply or a destroy removes. Throws with every failure before anything is changed. Returns
 * warnings by address.
 */
export async function preflight(
  work: Work,
  changes: readonly Change[],
): Promise<ReadonlyMap<Address, readonly Diagnostic[]>> {
  const diagnostics: Diagnostic[] = []
  const notes = new Map<Address, Diagnostic[]>()
  await Promise.all(
    changes.map(async ({ address, provider, kind, row }) => {
      if (!row) return
      try {
        const handler = work.connections.handler(provider, kind, row.api)
        if (!handler.preflight) return
        const call = work.connections.call(provider, work.options.hardStop ?? new AbortController().signal, (note) =>
          notes.set(address, [...(notes.get(address) ?? []), { address, ...note }]),
        )
        const learnt = await handler.preflight(call, row)
        if (learnt !== row) await work.state.put(address, learnt)
      } catch (error) {
        diagnostics.push(...explainFailure(error, address, (text) => work.options.project.variables.mask(text)))
      }
    }),
  )
  if (diagnostics.length > 0) throw new Problem(diagnostics)
  return notes
}
