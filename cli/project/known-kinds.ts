// The kinds that commands describe: the built-in ones, and those that plugins of the project file define.
import type { Kind } from '../../core/plugin/kind.js'
import type { Provider } from '../../core/plugin/provider.js'
import { createRegistry } from '../../core/plugin/registry.js'
import { kinds } from '../../plugins/kinds/index.js'

export function knownKinds(providers: readonly Provider[]): readonly Kind[] {
  const named = new Map(providers.map((provider) => [provider.name, provider]))
  return [...createRegistry({ kinds, providers: named }).kinds.values()]
}
