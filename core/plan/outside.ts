// Objects outside the project whose ids a declaration contains, such as members of a roster. They are looked up before
// anything is changed, so that a wrong id does not stop an apply halfway.
import { wordInFile } from '../declaration/project.js'
import type { Diagnostic } from '../diagnostic.js'
import { walk } from '../graph/walk.js'
import { diagnostic } from '../problems/index.js'
import { hasPlaceholder } from '../value/placeholder.js'
import { explainFailure } from './explain.js'
import type { PlanningFacts } from './facts.js'
import { parallelismDefault } from './options.js'
import type { Change } from './plan.js'
import { observe } from './refresh.js'

interface OutsideReference {
  readonly change: Change
  readonly kind: string
  readonly id: string
  readonly api: string | undefined
}

/** Returns problems of ids of other objects that these changes would send. */
export async function missingOutside(facts: PlanningFacts, changes: readonly Change[]): Promise<readonly Diagnostic[]> {
  const { connections, project, parallelism = parallelismDefault } = facts
  const signal = facts.signal ?? new AbortController().signal
  const named = new Map(changes.flatMap((change) => namedBy(facts, change)).map((one) => [keyOf(one), one]))
  const found: Diagnostic[] = []
  await walk(new Map([...named].map(([key, { change }]) => [key, { after: [], group: change.provider }])), {
    limit: () => parallelism,
    signal,
    run: async (key) => {
      const one = named.get(key)
      if (!one) return 'done'
      const { address, provider } = one.change
      try {
        const handler = connections.handler(provider, one.kind, one.api)
        const { type } = await observe(handler, connections.call(provider, signal), one.id)
        if (type === 'gone') found.push(missing(one))
        return 'done'
      } catch (error) {
        found.push(...explainFailure(error, address, (text) => project.variables.mask(text)))
        return 'failed'
      }
    },
  })
  return found
}

function namedBy({ registry }: PlanningFacts, change: Change): readonly OutsideReference[] {
  const { action, resource, provider } = change
  const handlers = registry.provider(provider)?.handlers ?? []
  if (!resource || (action !== 'create' && action !== 'update' && action !== 'replace')) return []
  const { kind, body } = resource.declaration
  const outside = registry.kinds.get(kind)?.outside?.(body) ?? []
  // If a provider has no such objects, its rules refuse or ignore them.
  const isKnown = (kind: string) => handlers.some((handler) => handler.kind === kind)
  return outside
    .filter(({ kind, id }) => isKnown(kind) && !hasPlaceholder(id))
    .map((one) => ({ ...one, change, api: resource.api }))
}

function keyOf({ change, kind, id, api = '' }: OutsideReference): string {
  return [change.provider, api, kind, id].join(' ')
}

function missing({ change: { address, provider, resource }, kind, id }: OutsideReference): Diagnostic {
  const written = resource === undefined ? id : wordInFile(resource.declaration, id)
  return diagnostic('plan.outside-missing', {
    address,
    detail: `${address} names the ${kind} ${written}, which ${provider} does not have or has archived.`,
  })
}
