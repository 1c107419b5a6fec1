// Variables without a value. Each is noted once while the file is read, and is an error as soon as its value is needed.
import type { ParsedNode } from 'yaml'
import { type Diagnostic, Problem } from '../diagnostic.js'
import { placeholdersIn } from '../value/placeholder.js'
import type { Collector } from './collector.js'
import { rangeOf } from './nodes.js'
import { problems } from './problems.js'
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

  /** Marks the variable as reported, so that the more specific problem replaces the general one. */
  settle(name: string): void {
    this.first.delete(name)
  }

  report(collector: Collector): void {
    for (const [name, { node, uses }] of this.first) {
      const more = uses > 1 ? ` ${uses} places need it.` : ''
      collector.add('variable.unset', rangeOf(node), {
        detail: `${name} is neither in the environment nor in a .env file.${more}`,
      })
    }
  }
}

/** Throws if a value that is needed now is not set. `where`: an address, or a key of the file. */
export function unsetVariable(variable: string, where: string): Diagnostic {
  return {
    code: 'variable.unset',
    ...problems['variable.unset'],
    severity: 'error',
    detail: `${where} needs \${${variable}}, which is neither in the environment nor in the nearest .env.`,
    fix: `Add ${variable}=… to the .env beside agents.yaml, or export it.`,
  }
}

/** Throws if a name, id or path still waits for variables. */
export function refuseUnset(word: string, address: string): void {
  const names = placeholdersIn(word).flatMap((found) => (found.type === 'variable' ? [found.name] : []))
  if (names.length > 0) throw new Problem(names.map((name) => ({ ...unsetVariable(name, address), address })))
}
