// The graph of all declared references between resources, including those that only sessions use.
import type { Declaration, Project } from '../plugin/declaration.js'
import type { Reference } from '../plugin/kind.js'
import type { Registry } from '../plugin/registry.js'
import { type Address, formatAddress } from '../value/address.js'
import { buildResources, type Resources } from './resources.js'

export interface ReferenceGraph {
  /** Declared resources in the order of the file, then implied ones (an upload that a deployment names by path). */
  readonly nodes: readonly Address[]
  /** The resource `from` names the resource `to`. */
  readonly edges: readonly { readonly from: Address; readonly to: Address; readonly role: Reference['role'] }[]
}

/** Creates the graph. `targets` returns the target providers of a declaration. */
export function referenceGraph(
  project: Project,
  registry: Registry,
  targets: (declaration: Declaration) => readonly string[],
): ReferenceGraph {
  const places = project.declarations.flatMap((declaration) =>
    targets(declaration).map((provider) => ({ declaration, provider })),
  )
  const nodes = new Set(places.map(({ declaration, provider }) => formatAddress({ ...declaration, provider })))
  const edges = places.flatMap(({ declaration, provider }) => {
    const references = registry.kinds.get(declaration.kind)?.references(declaration.body, project) ?? []
    const from = formatAddress({ ...declaration, provider })
    return references
      .map(({ kind, name, role }) => ({ from, to: formatAddress({ provider, kind, name }), role }))
      .filter(({ to }) => nodes.has(to))
  })
  const { all } = buildResources({ project, registry, projectName: '', rows: new Map(), targets })
  const implied = [...all.keys()].filter((address) => !nodes.has(address))
  return { nodes: [...nodes, ...implied], edges: [...edges, ...impliedEdges(all, new Set(implied))] }
}

/** Returns references from and to resources that have no declaration of their own. */
function* impliedEdges(
  all: Resources['all'],
  implied: ReadonlySet<Address>,
): Iterable<ReferenceGraph['edges'][number]> {
  for (const [from, { dependencies }] of all)
    for (const to of dependencies) if (implied.has(from) || implied.has(to)) yield { from, to, role: 'value' }
}
