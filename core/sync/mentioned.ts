// Variables that a text for agents.yaml refers to and that nobody has set: what people have to add to .env.

import type { Variables } from '../declaration/declaration.js'
import { substitute } from '../declaration/substitute.js'
import { isObject, type Json } from '../value/tree.js'

export function unsetVariablesIn(values: Iterable<Json | undefined>, variables: Variables): readonly string[] {
  const found = new Set<string>()
  for (const value of values) visit(value, found)
  return [...found].filter((name) => variables.value(name) === undefined)
}

function visit(value: Json | undefined, found: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) visit(item, found)
  else if (isObject(value)) for (const member of Object.values(value)) visit(member, found)
  else if (typeof value === 'string')
    substitute(value, ({ name, fallback, written }) => {
      if (fallback === undefined) found.add(name)
      return written
    })
}
