// The providers that commands tell about: the built-in ones, and those that plugins bring to the project file, if there is
// one. A file with mistakes brings what can be loaded of it; "agents validate" reports the rest.
import { loadProject } from '../../core/declaration/load.js'
import type { Provider } from '../../core/plugin/provider.js'
import { builtins } from '../../plugins/builtins.js'
import type { EngineCommand } from './engine-command.js'
import { loadOptions } from './open-project.js'

/** The built-in providers first. One of a plugin has the name that the file gives it. */
export async function knownProviders(command: EngineCommand): Promise<readonly Provider[]> {
  const known = await Promise.all(Object.values(builtins).map(({ load }) => load()))
  // Calls go nowhere, so no key of a provider is missed.
  const { registry } = await loadProject(loadOptions(command, 'http://127.0.0.1'))
  const brought = [...registry.providers].filter(([name]) => builtins[name] === undefined)
  return [...known, ...brought.map(([name, provider]) => ({ ...provider, name }))]
}
