// Facts that all phases of a sync share.
import { hasErrors, Problem } from '../diagnostic.js'
import { Connections } from '../plan/connections.js'
import type { EngineOptions } from '../plan/options.js'
import type { Project } from '../plugin/declaration.js'
import { diagnostic } from '../problems/index.js'
import type { State } from '../state/store.js'
import type { SourceFolder } from './source-folders.js'
import type { TextFile } from './text-files.js'

export interface SyncOptions extends EngineOptions {
  /** Canonical names of the requested providers; an empty list means all declared providers. */
  readonly providers: readonly string[]
  /** Other projects whose objects are taken over as well. */
  readonly take?: readonly string[]
  /** True if only objects of this project are declared and bound, and none that nobody marked. */
  readonly onlyOwned?: boolean
  /** Called for each object that is read, with the number of all so far. */
  readonly onDiscovered?: (objects: number) => void
  /** Text of agents.yaml. */
  readonly text: string
  /**
   * Loads a candidate text as if it and the files that it names were on the disk. Rejects with the `Problem`s that make
   * it invalid.
   */
  load(text: string, files: readonly TextFile[], folders: readonly SourceFolder[]): Promise<Project>
}

export interface SyncRun {
  readonly state: State
  readonly options: SyncOptions
  /** Canonical names of the providers to read. */
  readonly providers: readonly string[]
  readonly connections: Connections
  readonly signal: AbortSignal
  /** Replaces values of variables in a text. */
  mask(text: string): string
  /** Returns the top-level key of agents.yaml for a kind. */
  sectionOf(kind: string): string
}

export function syncRun(state: State, options: SyncOptions): SyncRun {
  const { project, registry } = options
  return {
    state,
    options,
    providers: options.providers.length > 0 ? options.providers : [...project.providers.keys()],
    connections: new Connections(options),
    signal: options.signal ?? new AbortController().signal,
    mask: (text) => project.variables.mask(text),
    sectionOf: (kind) => registry.kinds.get(kind)?.section ?? `${kind}s`,
  }
}

/** Loads the result, which is written only if `validate` would accept it. */
export async function loadValid(
  { options: { load } }: SyncRun,
  text: string,
  files: readonly TextFile[],
  folders: readonly SourceFolder[],
): Promise<Project> {
  try {
    return await load(text, files, folders)
  } catch (error) {
    if (!(error instanceof Problem) || !hasErrors(error.diagnostics)) throw error
    throw new Problem(
      [
        diagnostic('sync.result-invalid', {
          detail: 'The file that sync would write violates the rules below. The file was left as it is.',
        }),
        ...error.diagnostics,
      ],
      { cause: error },
    )
  }
}
