// Collects every problem of a pass with its place, so that all are reported at once.
import type { Diagnostic } from '../diagnostic.js'
import type { RuleText } from '../plugin/rule.js'
import { declarationLimits } from './limits.js'
import { type ProblemCode, problems } from './problems.js'
import type { Range, SourceText } from './source-text.js'

export interface ReportedRange {
  readonly detail: string
  readonly fix?: string
  readonly address?: string
}

type Words = Omit<RuleText, 'spec'>

export class Collector {
  private readonly found: {
    readonly words: Words
    readonly range: Range | undefined
    readonly reported: ReportedRange
  }[] = []
  private dropped = 0
  private errors = 0

  constructor(readonly text: SourceText) {}

  add(code: ProblemCode, range: Range | undefined, reported: ReportedRange): void {
    this.addRule({ code, ...problems[code] }, range, reported)
  }

  addRule(words: Words, range: Range | undefined, reported: ReportedRange): void {
    const isError = words.severity === 'error'
    if (isError) this.errors++
    // A note is dropped if it would displace an error.
    if (this.found.length < declarationLimits.diagnosticsMax || (isError && this.errors === 1)) {
      this.found.push({ words, range, reported })
    } else {
      this.dropped++
    }
  }

  /** Number of errors reported so far; a step failed if it grows. */
  get errorCount(): number {
    return this.errors
  }

  /**
   * Returns the problems in the order of the file; those without a place come first. `conceal` removes the values of
   * variables from what rules reported `about` a piece of the file. Source lines are added only now, because the
   * secrets in them are known only after everything is read.
   */
  diagnostics(conceal: (text: string, about: string) => string = (text) => text): readonly Diagnostic[] {
    const sorted = this.found.toSorted((a, b) => (a.range?.[0] ?? -1) - (b.range?.[0] ?? -1))
    const diagnostics = sorted.map(({ words: { code, severity, summary, fix }, range, reported }): Diagnostic => {
      const { address } = reported
      const about = range === undefined ? '' : this.text.throughLine(range)
      const shown = (text: string) => cut(conceal(text, about))
      return {
        code,
        severity,
        summary,
        detail: shown(reported.detail),
        fix: reported.fix === undefined ? fix : shown(reported.fix),
        ...(range === undefined ? {} : { place: this.text.place(range) }),
        ...(address === undefined ? {} : { address }),
      }
    })
    if (this.dropped === 0) return diagnostics
    const detail = `${this.dropped} more were found.`
    return [...diagnostics, { code: 'declaration.more', ...problems['declaration.more'], detail }]
  }
}

/**
 * Shortens a text: keys, words and lines of the file that it quotes may have any length. `…` marks the cut, so that the
 * start of a secret before it is recognised.
 */
function cut(text: string): string {
  const { messageMax } = declarationLimits
  return text.length > messageMax ? `${text.slice(0, messageMax)}…` : text
}
