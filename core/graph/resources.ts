// Builds the resources: one for each declaration and target provider, dependencies before dependents.

import { type Diagnostic, Problem } from '../diagnostic.js'
import { handlerFor } from '../plugin/capabilities.js'
import type { Provider } from '../plugin/provider.js'
import { diagnostic } from '../problems/index.js'
import { type Address, formatAddress } from '../value/address.js'
import { orderOf } from './order.js'
import { placeAll } from './placement.js'
import type { Resource } from './resource.js'
import { buildResource, derivedOf, type Placement, type ResourceRequest } from './resource.js'
import { refuseVariablesInName } from './variable-keys.js'

export interface Resources {
  /** Resources by address, dependencies before dependents. */
  readonly all: ReadonlyMap<Address, Resource>
  readonly diagnostics: readonly Diagnostic[]
}

export function buildResources(request: ResourceRequest): Resources {
  const { project, registry, rows } = request
  const diagnostics: Diagnostic[] = []
  const built = new Map<Address, Resource>()
  for (const providerName of project.providers.keys()) {
    const provider = registry.provider(providerName)
    if (!provider) continue
    const declarations = project.declarations.filter((one) => request.targets(one).includes(providerName))
    const placed = placeAll({ project, provider, providerName, declarations, rows })
    diagnostics.push(...placed.diagnostics)
    for (const declaration of declarations) {
      const api = placed.apis.get(formatAddress({ ...declaration, provider: providerName })) ?? ''
      const made = build({ request, provider, providerName, declaration, api, removeAfter: [] })
      for (const resource of made.resources) built.set(resource.address, resource)
      diagnostics.push(...made.diagnostics)
    }
  }
  return sort(built, diagnostics)
}

interface BuildRequest extends Omit<Placement, 'handler' | 'address'> {
  readonly provider: Provider
}

/** Builds the resource of a declaration and those derived from it. */
function build(given: BuildRequest): {
  readonly resources: readonly Resource[]
  readonly diagnostics: readonly Diagnostic[]
} {
  const { provider, providerName, declaration, api } = given
  const address = formatAddress({ ...declaration, provider: providerName })
  const handler = handlerFor(provider, declaration.kind, api)
  if (!handler) return { resources: [], diagnostics: [] }
  try {
    const placement: Placement = { ...given, address, handler }
    const derived = derivedOf(placement).map((one) => {
      refuseVariablesInName(one.name, declaration, address)
      return build({
        ...given,
        declaration: { ...declaration, kind: one.kind, name: one.name, body: one.body },
        removeAfter: (one.removeAfter ?? []).map((other) => formatAddress({ ...other, provider: providerName })),
      })
    })
    return {
      resources: [...derived.flatMap(({ resources }) => resources), buildResource(placement)],
      diagnostics: derived.flatMap((one) => one.diagnostics),
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { resources: [], diagnostics: error.diagnostics }
  }
}

function sort(built: ReadonlyMap<Address, Resource>, diagnostics: readonly Diagnostic[]): Resources {
  const order = orderOf(new Map([...built].map(([address, { dependencies }]) => [address, dependencies])))
  if (order.type === 'cycle') return { all: built, diagnostics: [...diagnostics, cycle(order.path)] }
  const sorted = order.ids.flatMap((address) => {
    const resource = built.get(address)
    return resource ? [[address, resource] as const] : []
  })
  return { all: new Map(sorted), diagnostics }
}

function cycle(path: readonly Address[]): Diagnostic {
  return diagnostic('graph.cycle', { detail: `None of them can be created first: ${path.join(' -> ')}.` })
}
