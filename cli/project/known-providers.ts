// The providers that commands describe: built-in ones, and plugins of the project file, if there is one. In a file with
// errors, everything loadable is used; "agents validate" reports the rest.
import { loadProject } from '../../core/declaration/load.js'
import { type Diagnostic, Problem } from '../../core/diagnostic.js'
import type { Provider } from '../../core/plugin/provider.js'
import { builtins } from '../../plugins/builtins.js'
import { usualFile } from '../line/global-options.js'
import type { EngineCommand } from './engine-command.js'
import { loadOptions } from './open-project.js'

/**
 * Returns the built-in providers, then those of plugins under the names that the file gives them. Throws if the file
 * that the command line names does not exist. Plugins that were not allowed to run are left out, with a note unless `isQuiet`.
 */
export async function knownProviders(
  command: EngineCommand,
  { isQuiet = false }: { readonly isQuiet?: boolean } = {},
): Promise<readonly Provider[]> {
  const known = await Promise.all(Object.values(builtins).map(({ load }) => load()))
  // No call is made, so no credentials are needed.
  const { registry, diagnostics } = await loadProject(loadOptions(command, 'http://127.0.0.1'))
  if (command.config !== usualFile && isMissing(diagnostics)) throw new Problem(diagnostics)
  const leftOut = diagnostics.filter(({ code }) => code === 'provider.plugin-not-allowed')
  if (!isQuiet) for (const { detail = '' } of leftOut) command.output.note(`Left out: ${detail} ${advice}`)
  const pluginProviders = [...registry.providers].filter(([name]) => builtins[name] === undefined)
  return [...known, ...pluginProviders.map(([name, provider]) => ({ ...provider, name }))]
}

const advice = '"agents plugins allow" shows its files and asks.'

function isMissing(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ code }) => code === 'declaration.file-missing')
}
