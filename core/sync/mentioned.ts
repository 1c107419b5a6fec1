// Finds variables that a text for agents.yaml refers to and that are not set, which the user has to add to .env.
import type { Variables } from '../plugin/declaration.js'
import type { Json } from '../value/tree.js'
import { variableNames } from './written-text.js'

export function unsetVariablesIn(values: Iterable<Json | undefined>, variables: Variables): readonly string[] {
  const names = [...values].flatMap((value) => [...variableNames(value, (fallback) => fallback === undefined)])
  return [...new Set(names)].filter((name) => variables.value(name) === undefined)
}
