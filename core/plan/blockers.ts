// Finds objects of others that block a destroy, before anything is removed: `--cascade` ends exactly the blockers that
// were listed.
import { type Diagnostic, Problem } from '../diagnostic.js'
import { walk } from '../graph/walk.js'
import type { Address } from '../value/address.js'
import { Connections } from './connections.js'
import { explainFailure } from './explain.js'
import type { EngineOptions } from './options.js'
import { parallelismDefault } from './options.js'
import type { Change, Plan } from './plan.js'

export interface FoundBlockers {
  readonly address: Address
  /** Text for people: `session sesn_01 (running)`. */
  readonly labels: readonly string[]
}

/** Returns the blockers of removals, in the order of the plan; resources without blockers are left out. */
export async function blockersOf(plan: Plan, options: EngineOptions): Promise<readonly FoundBlockers[]> {
  const connections = new Connections(options)
  const signal = options.signal ?? new AbortController().signal
  const removals = new Map(
    plan.changes
      .filter(({ action, id }) => action === 'remove' && id !== undefined)
      .map((change) => [change.address, { change, after: [], group: change.provider }]),
  )
  const found = new Map<Address, readonly string[]>()
  const failures: Diagnostic[] = []
  await walk(removals, {
    limit: () => options.parallelism ?? parallelismDefault,
    signal,
    run: async (address) => {
      const change = removals.get(address)?.change
      try {
        if (change) found.set(address, await labelsOf(change, connections, signal))
        return 'done'
      } catch (error) {
        failures.push(...explainFailure(error, address, (text) => options.project.variables.mask(text)))
        return 'failed'
      }
    },
  })
  signal.throwIfAborted()
  if (failures.length > 0) throw new Problem(failures)
  return plan.changes.flatMap(({ address }) => {
    const labels = found.get(address) ?? []
    return labels.length === 0 ? [] : [{ address, labels }]
  })
}

async function labelsOf(
  { provider, kind, id, row }: Change,
  connections: Connections,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const handler = connections.handler(provider, kind, row?.api)
  const blockers = (await handler.blockers?.(connections.call(provider, signal), id ?? '')) ?? []
  return blockers.map(({ label }) => label)
}
