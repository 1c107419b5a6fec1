// Prints a provider's whole answer about one object as YAML. Loaded only by the commands that print it.
import { stringify } from 'yaml'
import type { JsonObject } from '../../core/value/tree.js'
import { visible } from './text.js'

export function renderRemote(remote: JsonObject): string {
  return visible(stringify(remote, { lineWidth: 0 }).trimEnd())
}
