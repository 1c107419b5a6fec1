// The type of all problems reported to people: what is wrong, where, and how to fix it.
import { recogniseEverywhere } from './brand.js'

export type Severity = 'error' | 'warning' | 'note'

/** A place in a file. Lines and columns count from 1. */
export interface Place {
  /** Path of the file, relative to the working folder if that is shorter. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** Number of characters to underline, at least 1. */
  readonly length: number
  /** Source line of the place. It never contains values of variables, because they are inserted after parsing. */
  readonly sourceLine: string
}

export interface Diagnostic {
  /** Stable code that people can search for: lower-case words with dots, `declaration.unknown-key`. */
  readonly code: string
  readonly severity: Severity
  /** Short text without any input of the user. */
  readonly summary: string
  /** Full sentences that say what is wrong, and why. */
  readonly detail?: string
  /** The fix, in the imperative. */
  readonly fix?: string
  readonly place?: Place
  /** Address of the resource concerned, `qoder.agent.reviewer`. */
  readonly address?: string
}

/**
 * Error that stops the work, with all problems found: a user's mistake or a provider's refusal. It is shown without a
 * stack.
 */
export class Problem extends Error {
  static {
    recogniseEverywhere(Problem, 'Problem')
  }

  readonly diagnostics: readonly Diagnostic[]

  constructor(diagnostics: Diagnostic | readonly Diagnostic[], options?: ErrorOptions) {
    const all: readonly Diagnostic[] = 'code' in diagnostics ? [diagnostics] : diagnostics
    super(all.map(({ summary, detail }) => (detail ? `${summary}: ${detail}` : summary)).join('; '), options)
    this.name = 'Problem'
    this.diagnostics = all
  }
}

/** Creates an error without a place and without a table of codes, for plugins. */
export function problem(
  code: string,
  summary: string,
  more: Omit<Diagnostic, 'code' | 'summary' | 'severity'> & { readonly cause?: unknown } = {},
): Problem {
  const { cause, ...rest } = more
  return new Problem({ code, severity: 'error', summary, ...rest }, cause === undefined ? undefined : { cause })
}

/** Texts for a code, used by the program and by docs/diagnostics.md. */
export interface ProblemText {
  readonly severity: Severity
  readonly summary: string
  readonly fix: string
  /** Documentation: when it happens and why it matters. */
  readonly meaning?: string
  /** Documentation: an example of a detail. */
  readonly example?: string
}

export type ProblemTable<Code extends string = string> = Readonly<Record<Code, ProblemText>>

/** Texts of one case, which add to those of the table or replace them. */
type CaseText = Partial<Omit<Diagnostic, 'code' | 'severity'>>

/**
 * Returns two functions for the codes of a table. One creates the problem as a value, the other one as an error to
 * throw.
 */
export function fromTable<Code extends string>(table: ProblemTable<Code>) {
  const diagnostic = (code: Code, more: CaseText): Diagnostic => {
    const { severity, summary, fix } = table[code]
    return { code, severity, summary, fix, ...more }
  }
  return {
    diagnostic,
    problem: (code: Code, { cause, ...more }: CaseText & { readonly cause?: unknown }): Problem =>
      new Problem(diagnostic(code, more), cause === undefined ? undefined : { cause }),
  }
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some(({ severity }) => severity === 'error')
}
