// Prints a provider's complete answer about one object as YAML. Only the commands that print it load this file.
import { stringify } from 'yaml'
import type { JsonObject } from '../../core/value/tree.js'
import { visibleLines } from './text.js'

export function renderRemote(remote: JsonObject): string {
  return visibleLines(stringify(remote, { lineWidth: 0 }).trimEnd())
}
