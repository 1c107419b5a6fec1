// Everything a provider answered about one object, as YAML for people. Loaded by the commands that print it, when they do.
import { stringify } from 'yaml'
import type { JsonObject } from '../../core/value/tree.js'
import { visible } from './text.js'

export function renderRemote(remote: JsonObject): string {
  return visible(stringify(remote, { lineWidth: 0 }).trimEnd())
}
