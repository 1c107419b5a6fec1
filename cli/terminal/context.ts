// Context of commands: the process they run in.
import type { BaseContext } from 'clipanion'
import type { EngineOptions } from '../../core/plan/options.js'

export interface Context extends BaseContext {
  readonly workingFolder: string
  /** Version of this program, `0.1.0`. */
  readonly version: string
  /** Replaces the derivation of keys, see `EngineOptions`. */
  readonly derive?: EngineOptions['derive']
  /** Every command, for help, completion and suggestions. */
  readonly catalogue: Catalogue
}

/** Facts about a command that are known without running it. */
export interface CommandSummary {
  /** Words of the command, `state list`. */
  readonly path: string
  readonly category: string
  readonly description: string
  readonly details: string | undefined
  readonly examples: readonly (readonly [title: string, line: string])[]
  /** Operands as shown in help, `ADDRESS [FILE]`. */
  readonly operands: string
  readonly options: readonly OptionSummary[]
}

export interface OptionSummary {
  /** Names of the option, the long one first: `--config`. */
  readonly names: readonly string[]
  readonly takesValue: boolean
  readonly isRequired: boolean
  readonly description: string
}

export type Catalogue = () => readonly CommandSummary[]

export function isTerminal(stream: object): boolean {
  return 'isTTY' in stream && stream.isTTY === true
}

/** Maximum width of text: longer lines are hard to read, however wide the terminal is. */
const columnsMax = 120

/**
 * Returns the width at which text is wrapped: that of the terminal, at most `columnsMax`; `columnsMax` without a
 * terminal.
 */
export function widthOf(stream: object): number {
  const columns = isTerminal(stream) && 'columns' in stream ? stream.columns : undefined
  return typeof columns === 'number' && columns > 0 ? Math.min(columns, columnsMax) : columnsMax
}
