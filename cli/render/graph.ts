// The graph of references as DOT (Graphviz) and as Mermaid. What only sessions use is dashed.
import type { ReferenceGraph } from '../../core/graph/references.js'

export const graphFormats = ['dot', 'mermaid'] as const
export type GraphFormat = (typeof graphFormats)[number]

export const graphRenderers: Readonly<Record<GraphFormat, (graph: ReferenceGraph) => string>> = { dot, mermaid }

function dot({ nodes, edges }: ReferenceGraph): string {
  return [
    'digraph agents {',
    '  rankdir = LR',
    '  node [shape = box]',
    ...nodes.map((address) => `  ${JSON.stringify(address)}`),
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
    ...nodes.map((address) => `  ${id(address)}["${address.replaceAll('"', '#quot;')}"]`),
    ...edges.map(({ from, to, role }) => `  ${id(from)} ${role === 'session' ? '-.->' : '-->'} ${id(to)}`),
  ].join('\n')
}
