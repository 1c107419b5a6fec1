// `project`: the name by which marks on objects say that they are of this project, in whichever folder the file lies.
import { isScalar } from 'yaml'
import type { Stage } from './checked.js'
import { declarationLimits } from './limits.js'
import { nameFault } from './names.js'
import { type Entry, rangeOf } from './nodes.js'

export const projectNameText = {
  description:
    'Name of the project, which the marks on its objects carry, so that a checkout in any folder is the same project. Where it is left out, it is the name of the folder.',
  details:
    'Two projects in one account need different names: neither changes objects with the mark of the other. Files other than agents.yaml add their own name to it: with project: shop, prod.yaml is the project shop.prod. A new name is planned and applied like every other change of the objects.',
  example: 'shop',
} as const

/** Returns the name as written; a variable in it would change whose the objects are from one run to the next. */
export function readProjectName(
  { collector, nodes }: Pick<Stage, 'collector' | 'nodes'>,
  entry: Entry | undefined,
): string | undefined {
  if (entry === undefined) return undefined
  const node = entry.value && nodes.resolve(entry.value)
  const value = isScalar(node) ? node.value : undefined
  const range = rangeOf(entry.value ?? entry.keyNode)
  if (typeof value !== 'string') {
    collector.add('declaration.wrong-type', range, {
      detail: 'project is a text, the name of the project.',
      fix: 'Write the name, in quotes if it looks like a number: project: "2026".',
    })
    return undefined
  }
  const detail = value.includes('${')
    ? 'The name of the project contains a variable, whose value may change from one run to the next.'
    : nameFault(value, declarationLimits.projectNameLengthMax)
  if (detail === undefined) return value
  collector.add('declaration.invalid-name', range, { detail })
  return undefined
}
