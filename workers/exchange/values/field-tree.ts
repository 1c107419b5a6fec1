// Fields as a tree of partial names, as XFDF and FDF nest them.
import type { FieldEntry } from './field-values.js'

export interface FieldNode {
  readonly name: string
  readonly entry: FieldEntry | undefined
  readonly children: readonly FieldNode[]
}

interface Growing {
  readonly name: string
  entry: FieldEntry | undefined
  readonly children: Map<string, Growing>
}

export function fieldTree(entries: readonly FieldEntry[]): readonly FieldNode[] {
  const root: Growing = { name: '', entry: undefined, children: new Map() }
  for (const entry of entries) {
    let node = root
    for (const part of entry.name.split('.')) {
      const child: Growing = node.children.get(part) ?? { name: part, entry: undefined, children: new Map() }
      node.children.set(part, child)
      node = child
    }
    node.entry = entry
  }
  return grown(root).children
}

/** The depth of the tree is that of the form, which the reader of forms limits. */
const grown = ({ name, entry, children }: Growing): FieldNode => ({
  name,
  entry,
  children: [...children.values()].map(grown),
})
