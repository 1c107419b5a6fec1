// The JSON Schema of agents.yaml with the blocks and words of every built-in provider.
import { editorSchema as schemaOf } from '../../core/declaration/json-schema.js'
import { createRegistry } from '../../core/plugin/registry.js'
import type { JsonObject } from '../../core/value/tree.js'
import { builtins } from '../../plugins/builtins.js'
import { kinds } from '../../plugins/kinds/index.js'

/** Loads every built-in provider. */
export async function editorSchema(): Promise<JsonObject> {
  const loading = Object.entries(builtins).map(async ([name, { load }]) => [name, await load()] as const)
  return schemaOf(createRegistry({ kinds, providers: new Map(await Promise.all(loading)) }))
}
