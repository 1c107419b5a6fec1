// From declarations to resources: one per declaration and target provider, with desired leaves and dependencies.
import type { Declaration, Project } from '../declaration/declaration.js'
import { type Diagnostic, Problem, problem } from '../diagnostic.js'
import type { Resource } from '../plan/plan.js'
import { handlerFor } from '../plugin/capabilities.js'
import type { Handler } from '../plugin/handler.js'
import type { Provider } from '../plugin/provider.js'
import type { Registry } from '../plugin/registry.js'
import type { Scope } from '../plugin/scope.js'
import type { Row } from '../state/row.js'
import { outputPlaceholder, placeholdersIn } from '../value/placeholder.js'
import { isObject, type Tree } from '../value/tree.js'
import { type Address, formatAddress } from './address.js'
import { orderOf } from './order.js'

export const marks = { project: 'agents.project', resource: 'agents.resource' } as const

export interface ResourceRequest {
  readonly project: Project
  readonly registry: Registry
  /** The name that ownership marks carry. */
  readonly projectName: string
  readonly rows: ReadonlyMap<Address, Row>
  /** The providers a declaration goes to in this run. */
  targets(declaration: Declaration): readonly string[]
}

export interface Resources {
  /** Dependencies before dependents. */
  readonly all: ReadonlyMap<Address, Resource>
  readonly diagnostics: readonly Diagnostic[]
}

export function buildResources(request: ResourceRequest): Resources {
  const { project, registry } = request
  const diagnostics: Diagnostic[] = []
  const built = new Map<Address, Resource>()
  for (const providerName of project.providers.keys()) {
    const provider = registry.provider(providerName)
    if (!provider) continue
    const declarations = project.declarations.filter((declaration) =>
      request.targets(declaration).includes(providerName),
    )
    const apis = placeAll(request, { provider, providerName, declarations }, diagnostics)
    for (const declaration of declarations) {
      const address = formatAddress({ ...declaration, provider: providerName })
      const api = apis.get(address) ?? ''
      const found = handlerFor(provider, declaration.kind, api)
      if (found.type === 'absent') continue
      if (found.type === 'refused') {
        diagnostics.push({ ...found.diagnostic, address })
        continue
      }
      try {
        built.set(address, buildResource(request, { providerName, declaration, address, api, handler: found.handler }))
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        diagnostics.push(...error.diagnostics)
      }
    }
  }
  const order = orderOf(new Map([...built].map(([address, { dependencies }]) => [address, dependencies])))
  if (order.type === 'cycle') {
    diagnostics.push({
      code: 'graph.cycle',
      severity: 'error',
      summary: 'Resources depend on each other in a circle',
      detail: `None of them can be created first: ${order.path.join(' -> ')}.`,
      fix: 'Remove one of these references.',
    })
    return { all: built, diagnostics }
  }
  const sorted = order.ids.flatMap((address) => {
    const resource = built.get(address)
    return resource ? [[address, resource] as const] : []
  })
  return { all: new Map(sorted), diagnostics }
}

function placeAll(
  { project, rows }: ResourceRequest,
  group: { readonly provider: Provider; readonly providerName: string; readonly declarations: readonly Declaration[] },
  diagnostics: Diagnostic[],
): ReadonlyMap<Address, string> {
  const { provider, providerName, declarations } = group
  if (!provider.place) return new Map()
  const placeable = declarations.map((declaration) => {
    const address = formatAddress({ ...declaration, provider: providerName })
    const rowApi = rows.get(address)?.api
    return { address, declaration, ...(rowApi === undefined ? {} : { rowApi }) }
  })
  const { apis, findings } = provider.place(placeable, project)
  for (const { declaration, code, finding } of findings) {
    diagnostics.push({
      code,
      severity: 'error',
      summary: 'A resource cannot be placed',
      detail: finding.detail,
      ...(finding.fix === undefined ? {} : { fix: finding.fix }),
      address: formatAddress({ ...declaration, provider: providerName }),
    })
  }
  return apis
}

interface Placed {
  readonly providerName: string
  readonly declaration: Declaration
  readonly address: Address
  readonly api: string
  readonly handler: Handler
}

function buildResource(request: ResourceRequest, placed: Placed): Resource {
  const { providerName, declaration, address, api, handler } = placed
  const kind = request.registry.kinds.get(declaration.kind)
  const externalId = kind?.external?.(declaration.body)
  const scope = scopeFor(request, placed)
  const shared = {
    address,
    provider: providerName,
    kind: declaration.kind,
    name: declaration.name,
    api,
    declaration,
    handler,
  }
  if (externalId !== undefined) {
    return { ...shared, desired: {}, follows: [], externalId, dependencies: new Set() }
  }
  const desired = withParts(
    handler,
    declaration,
    scope,
    withMarks(request, handler, declaration, handler.desired(declaration, scope)),
  )
  const follows = handler.follows?.(declaration, scope) ?? []
  const outputs = placeholdersIn([desired, ...follows]).flatMap((found) =>
    found.type === 'output' ? [found.address] : [],
  )
  const ordered = (kind?.references(declaration.body, request.project) ?? [])
    .filter(({ role }) => role === 'order')
    .map(({ kind: target, name }) => formatAddress({ provider: providerName, kind: target, name }))
  return {
    ...shared,
    desired,
    follows,
    dependencies: new Set([...outputs, ...ordered].filter((other) => other !== address)),
  }
}

function scopeFor(request: ResourceRequest, { providerName, declaration, address, api }: Placed): Scope {
  return {
    provider: providerName,
    api,
    project: request.project,
    output(kind, name, output = 'id') {
      const target = request.project.find(kind, name)
      if (!target || !request.targets(target).includes(providerName)) {
        throw problem('graph.reference-elsewhere', 'A reference leads to another provider', {
          address,
          detail: `${address} needs the ${kind} "${name}", which ${target ? `is on ${target.providers.names.join(', ')} in this run` : 'is not declared'}.`,
          fix: `Let the ${kind} "${name}" target ${providerName} too, or declare one for it.`,
        })
      }
      return outputPlaceholder(formatAddress({ provider: providerName, kind, name }), output)
    },
    source(written) {
      const found = declaration.sources.get(written)
      if (!found) throw new Error(`${address}: the source ${written} was never read`)
      return found
    },
  }
}

function withMarks({ projectName }: ResourceRequest, handler: Handler, declaration: Declaration, tree: Tree): Tree {
  if (handler.mark === undefined) return tree
  const held = tree[handler.mark]
  const marked = { ...(isObject(held) ? held : {}), [marks.project]: projectName, [marks.resource]: declaration.name }
  return { ...tree, [handler.mark]: marked }
}

function withParts(handler: Handler, declaration: Declaration, scope: Scope, tree: Tree): Tree {
  if (!handler.parts) return tree
  return { ...tree, [handler.parts.name]: handler.parts.desired(declaration, scope) }
}
