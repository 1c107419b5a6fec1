// Builds the JSON Schema of agents.yaml for editors, with the blocks and enumerated values of the providers.
import { editorSchema as schemaOf } from '../../core/declaration/json-schema.js'
import type { Provider } from '../../core/plugin/provider.js'
import { createRegistry } from '../../core/plugin/registry.js'
import type { JsonObject } from '../../core/value/tree.js'
import { builtins } from '../../plugins/builtins.js'
import { kinds } from '../../plugins/kinds/index.js'

/** Default: every built-in provider, all of which it loads. */
export async function editorSchema(providers?: readonly Provider[]): Promise<JsonObject> {
  const known = providers ?? (await Promise.all(Object.values(builtins).map(({ load }) => load())))
  return schemaOf(createRegistry({ kinds, providers: new Map(known.map((provider) => [provider.name, provider])) }))
}
