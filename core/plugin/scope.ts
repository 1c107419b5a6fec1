// Scope of a handler that computes the desired object: other resources by name and local sources, nothing remote.
import type { LocalSource, Project } from './declaration.js'

/** Outputs of a resource; at least `id`. */
export interface Outputs {
  readonly id: string
  readonly [name: string]: string
}

export interface Scope {
  /** Canonical provider name. */
  readonly provider: string
  readonly api: string
  readonly project: Project
  /**
   * Returns a placeholder for an output of another declared resource on the same provider; the engine makes it a
   * dependency. `output` defaults to `id`.
   */
  output(kind: string, name: string, output?: string): string
  /** Returns the local file or folder that this declaration names by that text. */
  source(written: string): LocalSource
}
