// Loads agents.yaml for a command and assembles what the engine needs.

import { type LoadedProject, type LoadOptions, loadProject, type Source } from '../../core/declaration/load.js'
import { type Diagnostic, Problem } from '../../core/diagnostic.js'
import type { EngineOptions } from '../../core/plan/options.js'
import type { Project } from '../../core/plugin/declaration.js'
import type { Registry } from '../../core/plugin/registry.js'
import { systemClock } from '../../core/ports/clock.js'
import { nodeDisk } from '../../core/ports/node-disk.js'
import { nodeHost } from '../../core/ports/node-host.js'
import { nodeNetwork } from '../../core/ports/node-http.js'
import type { Ports } from '../../core/ports/ports.js'
import { systemRandom } from '../../core/ports/random.js'
import { builtins } from '../../plugins/builtins.js'
import { kinds } from '../../plugins/kinds/index.js'
import { countDiagnostics } from '../render/diagnostics.js'
import type { EngineCommand } from './engine-command.js'
import { pluginConsent } from './plugin-consent.js'

/** `environment` may name proxies. */
function portsOf(environment: Readonly<Record<string, string | undefined>>): Ports {
  return { disk: nodeDisk, clock: systemClock, random: systemRandom, host: nodeHost, ...nodeNetwork(environment) }
}

export interface OpenedProject {
  readonly project: Project
  readonly registry: Registry
  readonly source: Source | undefined
  readonly engine: EngineOptions
}

/** Loads the file; its problems become diagnostics. If `emulatorUrl` is set, every provider can be used. */
export async function loadFile(command: EngineCommand, emulatorUrl?: string): Promise<LoadedProject> {
  const loaded = await loadProject(loadOptions(command, emulatorUrl))
  const { project } = loaded
  if (project) command.output.hideBy((text) => project.variables.mask(text))
  return loaded
}

/** Returns the options with which every command loads the file. */
export function loadOptions({ context, config }: EngineCommand, emulatorUrl: string | undefined): LoadOptions {
  return {
    file: config,
    workingFolder: context.workingFolder,
    disk: nodeDisk,
    environment: context.env,
    kinds,
    builtins,
    pluginConsent: pluginConsent(context.env),
    isEmulated: emulatorUrl !== undefined,
  }
}

/** Throws all errors of the file; prints warnings and notes. */
export async function openProject(command: EngineCommand, emulatorUrl?: string): Promise<OpenedProject> {
  const { project, registry, diagnostics, source } = await loadFile(command, emulatorUrl)
  if (!project) throw new Problem(diagnostics)
  const { output, verbose } = command
  // Unset variables are reported by planning, when a value is needed.
  remark(
    command,
    diagnostics.filter(({ code }) => code !== 'variable.unset'),
  )
  const engine: EngineOptions = {
    project,
    registry,
    ports: portsOf(command.context.env),
    derive: command.context.derive,
    ...(emulatorUrl === undefined ? {} : { emulatorUrl }),
    onWait(line) {
      output.live('')
      output.note(line)
    },
    ...(verbose ? { trace: (line: string) => output.note(line) } : {}),
  }
  return { project, registry, source, engine }
}

/** Returns the number of warnings, in place of the warnings themselves, which `validate` prints. */
function remark({ output, config, remarks }: EngineCommand, diagnostics: readonly Diagnostic[]): void {
  const isShown = ({ severity }: Diagnostic) => output.isJson || (remarks === 'warnings' && severity === 'warning')
  output.report(diagnostics.filter(isShown))
  const rest = diagnostics.filter((diagnostic) => !isShown(diagnostic))
  if (rest.length > 0)
    output.note(`${config}: ${countDiagnostics(rest)}; "agents validate" shows ${rest.length === 1 ? 'it' : 'them'}.`)
}
