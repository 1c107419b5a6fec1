// The graph as people think of it: every declared reference between resources, also those that only sessions use.
import type { Declaration, Project } from '../declaration/declaration.js'
import type { Reference } from '../plugin/kind.js'
import type { Registry } from '../plugin/registry.js'
import { type Address, formatAddress } from './address.js'

export interface ReferenceGraph {
  /** In the order of the file. */
  readonly nodes: readonly Address[]
  /** `from` names `to`. */
  readonly edges: readonly { readonly from: Address; readonly to: Address; readonly role: Reference['role'] }[]
}

/** `targets`: the providers a declaration goes to. */
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
  return { nodes: [...nodes], edges }
}
