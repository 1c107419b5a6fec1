// Input that all phases of planning share, and their findings.
import { type Diagnostic, hasErrors, Problem } from '../diagnostic.js'
import { Connections } from './connections.js'
import type { PriorState } from './facts.js'
import type { LeafHasher } from './hasher.js'
import { type PlanOptions, parallelismDefault } from './options.js'
import { selectedProviders } from './scope.js'

export interface PlanningRun {
  readonly prior: PriorState
  readonly hasher: LeafHasher
  readonly options: PlanOptions
  readonly connections: Connections
  /** Canonical names of the providers that `--recreate` names. */
  readonly recreate: readonly string[]
  readonly parallelism: number
  readonly signal: AbortSignal
  /** Replaces values of variables in a text. */
  mask(text: string): string
}

export function planningRun(prior: PriorState, hasher: LeafHasher, options: PlanOptions): PlanningRun {
  const { project, registry } = options
  return {
    prior,
    hasher,
    options,
    recreate: selectedProviders(registry, [...project.providers.keys()], options.recreate ?? [], '--recreate'),
    connections: new Connections(options),
    parallelism: options.parallelism ?? parallelismDefault,
    signal: options.signal ?? new AbortController().signal,
    mask: (text) => project.variables.mask(text),
  }
}

export interface Reported {
  readonly diagnostics: readonly Diagnostic[]
}

/** Collects the diagnostics of the phases in their order. */
export class Findings {
  private readonly collected: Diagnostic[] = []

  get all(): readonly Diagnostic[] {
    return this.collected
  }

  /** Returns the result of a phase. Throws `Problem` with all findings so far if one of them is an error. */
  passed<Result extends Reported>(result: Result): Result {
    this.collected.push(...result.diagnostics)
    if (hasErrors(this.collected)) throw new Problem(this.collected)
    return result
  }
}
