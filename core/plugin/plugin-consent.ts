// Port of a person's consent to code that a project file names. Loading a plugin runs it, whatever the command, so it is asked
// for before.
import type { PluginContent } from './plugin-content.js'

export interface NamedPlugin {
  /** As agents.yaml names it. */
  readonly specifier: string
  /** Real path of the folder of agents.yaml. */
  readonly folder: string
  readonly content: PluginContent
}

/** `changed`: another content of this plugin in this folder was allowed. */
export type ConsentAnswer = 'allowed' | 'changed' | 'unknown'

export interface PluginConsent {
  /** Real path of the folder of the running program; a plugin that imports it does not contain it. */
  readonly program: string
  answerFor(plugin: NamedPlugin): Promise<ConsentAnswer>
}
