// Environment variables of managed sessions and deployments: a map in agents.yaml, one text on the wire. The text has
// no escapes; a rule refuses values it cannot express.
import type { Json, JsonObject } from '../../core/value/tree.js'
import { objectOf, textOf } from '../shared/wire.js'

/** Returns `A=1;B=2`, or null for none. */
export function variablesText(variables: Json | undefined): string | null {
  const entries = Object.entries(objectOf(variables))
  return entries.length === 0 ? null : entries.map(([key, value]) => `${key}=${String(value)}`).join(';')
}

export function variablesOf(text: Json | undefined): JsonObject {
  const pairs = textOf(text).split(';').filter(Boolean)
  return Object.fromEntries(
    pairs.map((pair) => {
      const end = pair.indexOf('=')
      return end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)]
    }),
  )
}
