// First phase of an import: finds the object at its provider, and refuses one that is bound already.
import { type Attempt, explainingFailures } from '../actions/failures.js'
import type { ApplyOptions } from '../apply/options.js'
import { Problem } from '../diagnostic.js'
import { walk } from '../graph/walk.js'
import { Connections } from '../plan/connections.js'
import { type Download, downloaded } from '../plan/downloaded.js'
import { explainFailure } from '../plan/explain.js'
import { markIn } from '../plan/marks.js'
import type { Present } from '../plan/observation.js'
import { parallelismDefault } from '../plan/options.js'
import { observe } from '../plan/refresh.js'
import type { Handler, ListedObject } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import { type Neighbours, neighbouringObjects } from '../state/neighbours.js'
import type { State } from '../state/store.js'
import { type Address, parseAddress } from '../value/address.js'
import { type Binding, refuseBound, refuseMarked, refuseNeighbouring } from './bound.js'

export interface FoundForImport {
  readonly handler: Handler
  readonly object: ListedObject
  readonly found: Present
  readonly content?: Download
}

/** What an import has to know of the project that binds the object. */
export type Binds = Pick<State, 'project' | 'rows'>

/** Finds the object in any API of the provider. Rejects if it is missing, archived, bound already or of another project. */
export async function findForImport(
  options: ApplyOptions,
  { project: projectName, rows }: Binds,
  binding: Binding,
  neighbours: Promise<Neighbours> = neighbouringObjects(options),
): Promise<FoundForImport> {
  const { address, id } = binding
  refuseBound(options, rows, binding)
  refuseNeighbouring(await neighbours, binding)
  const { provider, kind } = parseAddress(address)
  const connections = new Connections(options)
  const call = connections.call(provider, options.hardStop ?? new AbortController().signal)
  const handlers = connections
    .provider(provider)
    .handlers.filter((handler) => handler.kind === kind && !handler.isStateOnly)
  for (const handler of handlers) {
    const found = await explainingFailures(attemptFor(options, address), () => observe(handler, call, id))
    if (found.type === 'gone') continue
    refuseMarked(markIn(handler, found.observed), projectName, binding)
    const parts = new Map([...found.parts].map(([key, part]) => [key, part.remote]))
    const content = await explainingFailures(attemptFor(options, address), () =>
      downloaded(handler, call, found.remote),
    )
    return { handler, object: { id, remote: found.remote, parts }, found, ...(content ? { content } : {}) }
  }
  throw problem('import.not-found', { address, detail: `${provider} has no ${kind} ${id}, or it is archived.` })
}

/** Throws `Problem` with everything that is wrong with any of the bindings. */
export async function findAllForImport(
  options: ApplyOptions,
  binds: Binds,
  bindings: readonly Binding[],
): Promise<ReadonlyMap<Address, FoundForImport>> {
  const wanted = new Map(bindings.map((binding) => [binding.address, { binding, after: [], group: '' }]))
  const neighbours = neighbouringObjects(options)
  const located = new Map<Address, FoundForImport>()
  const failures: unknown[] = []
  await walk(wanted, {
    limit: () => options.parallelism ?? parallelismDefault,
    run: async (address) => {
      const binding = wanted.get(address)?.binding
      try {
        if (binding) located.set(address, await findForImport(options, binds, binding, neighbours))
        return 'done'
      } catch (error) {
        failures.push(error)
        return 'failed'
      }
    },
  })
  const explained = failures.flatMap((error) =>
    explainFailure(error, '', (text) => options.project.variables.mask(text)),
  )
  if (explained.length > 0) throw new Problem(explained)
  return located
}

export function attemptFor({ project }: ApplyOptions, address: Address): Attempt {
  return { subject: address, mask: (text) => project.variables.mask(text) }
}
