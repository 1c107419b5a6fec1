// Variables without a value: told once each, however often the file uses them.
import type { ParsedNode } from 'yaml'
import type { Collector } from './collector.js'
import { rangeOf } from './nodes.js'
import type { UnsetVariable } from './text-reader.js'

export class UnsetVariables {
  private readonly first = new Map<string, { readonly node: ParsedNode; uses: number }>()

  note(unset: readonly UnsetVariable[]): void {
    for (const { name, node } of unset) {
      const known = this.first.get(name)
      if (known) known.uses++
      else this.first.set(name, { node, uses: 1 })
    }
  }

  tell(collector: Collector): void {
    for (const [name, { node, uses }] of this.first) {
      const more = uses > 1 ? ` ${uses} places need it.` : ''
      collector.add('variable.unset', rangeOf(node), {
        detail: `${name} is neither in the environment nor in a .env file.${more}`,
      })
    }
  }
}
