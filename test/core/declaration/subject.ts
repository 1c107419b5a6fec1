// Loads a project from a temporary folder, as the command line does, with the real kinds and providers.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Test } from 'tap'
import { type LoadedProject, type LoadOptions, loadProject } from '../../../core/declaration/load.js'
import type { Diagnostic } from '../../../core/diagnostic.js'
import type { PluginConsent } from '../../../core/plugin/plugin-consent.js'
import { nodeDisk } from '../../../core/ports/node-disk.js'
import { builtins } from '../../../plugins/builtins.js'
import { kinds } from '../../../plugins/kinds/index.js'

/** Files in the form of tap's `testdir`. */
export type Folder = Extract<Parameters<Test['testdir']>[0], object>

export interface LoadFacts extends Partial<Pick<LoadOptions, 'environment' | 'isEmulated' | 'file' | 'pluginConsent'>> {
  /** Beside agents.yaml. */
  readonly files?: Folder
}

export interface LoadedFolder extends LoadedProject {
  readonly folder: string
}

/** Consent to whatever a test puts into its folder. */
export const everyPlugin: PluginConsent = {
  program: fileURLToPath(new URL('../../../', import.meta.url)).replace(/\/$/, ''),
  answerFor: async () => 'allowed',
}

/** Begins a file whose only provider is the one with the fewest rules of its own. */
export const head = 'version: "1"\nproviders:\n  claude:\n    api_key: ${KEY}\n'
export const headLines = 4

/** The least that SKILL.md says. */
export const manual = '---\nname: review\n---\n'

/** A valid file, followed by the given text. */
export const agent = '    model: m\n    instructions: Help.\n'

export async function load(t: Test, text: string | undefined, facts: LoadFacts = {}): Promise<LoadedFolder> {
  const { files = {}, environment = { KEY: 'secret-key' }, isEmulated = false, file = 'agents.yaml' } = facts
  const { pluginConsent = everyPlugin } = facts
  const folder = t.testdir({ ...(text === undefined ? {} : { 'agents.yaml': text }), ...files })
  const loaded = await loadProject({
    file: join(folder, file),
    workingFolder: folder,
    disk: nodeDisk,
    environment,
    kinds,
    builtins,
    pluginConsent,
    isEmulated,
  })
  return { ...loaded, folder }
}

/** `declaration.unknown-key 5:3`, one for each problem in the order of the file. */
export function reportOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ code, place }) => (place ? `${code} ${place.line}:${place.column}` : code))
}

export function textOf({ summary, detail, fix }: Diagnostic): string {
  return [summary, detail, fix].join('\n')
}

/** Returns the only problem, or the first with this code. */
export function theOne(diagnostics: readonly Diagnostic[], code?: string): Diagnostic {
  const found = code === undefined ? diagnostics : diagnostics.filter((diagnostic) => diagnostic.code === code)
  const [first] = found
  if (!first || (code === undefined && found.length > 1))
    throw new Error(`Told: ${reportOf(diagnostics).join(', ') || 'nothing'}`)
  return first
}

/** Returns the underlined text of a diagnostic. */
export function underlined({ place }: Diagnostic): string | undefined {
  return place?.sourceLine.slice(place.column - 1, place.column - 1 + place.length)
}
