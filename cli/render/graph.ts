// Renders the graph of references as DOT (Graphviz) and as Mermaid: a box for each provider, and dashed lines for
// references that only sessions use.

import type { ReferenceGraph } from '../../core/graph/references.js'
import { type Address, parseAddress } from '../../core/value/address.js'

export const graphFormats = ['dot', 'mermaid'] as const
export type GraphFormat = (typeof graphFormats)[number]

export const graphRenderers: Readonly<Record<GraphFormat, (graph: ReferenceGraph) => string>> = { dot, mermaid }

const legend = 'Solid: must exist first, and its id is sent. Dashed: used when a session starts.'

function dot({ nodes, edges }: ReferenceGraph): string {
  return [
    'digraph agents {',
    `  // ${legend}`,
    '  rankdir = LR',
    '  node [shape = box]',
    ...byProvider(nodes).flatMap(([provider, members]) => [
      `  subgraph ${JSON.stringify(`cluster_${provider}`)} {`,
      `    label = ${JSON.stringify(provider)}`,
      ...members.map((address) => `    ${JSON.stringify(address)}`),
      '  }',
    ]),
    ...edges.map(({ from, to, role }) => {
      const style = role === 'session' ? ' [style = dashed]' : ''
      return `  ${JSON.stringify(from)} -> ${JSON.stringify(to)}${style}`
    }),
    '}',
  ].join('\n')
}

function mermaid({ nodes, edges }: ReferenceGraph): string {
  const ids = new Map(nodes.map((address, index) => [address, `n${index}`]))
  const id = (address: string) => ids.get(address) ?? address
  return [
    'flowchart LR',
    `  %% ${legend}`,
    ...byProvider(nodes).flatMap(([provider, members], index) => [
      `  subgraph p${index}["${provider}"]`,
      ...members.map((address) => `    ${id(address)}["${address.replaceAll('"', '#quot;')}"]`),
      '  end',
    ]),
    ...edges.map(({ from, to, role }) => `  ${id(from)} ${role === 'session' ? '-.->' : '-->'} ${id(to)}`),
  ].join('\n')
}

function byProvider(nodes: readonly Address[]): readonly (readonly [string, readonly Address[]])[] {
  const groups = new Map<string, Address[]>()
  for (const address of nodes) {
    const { provider } = parseAddress(address)
    groups.set(provider, [...(groups.get(provider) ?? []), address])
  }
  return [...groups]
}
