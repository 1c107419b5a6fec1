// Collects every problem of a pass, each with its place, so that people see all of them at once.
import type { Diagnostic, Severity } from '../diagnostic.js'
import type { RuleText } from '../plugin/rule.js'
import { declarationLimits } from './limits.js'
import { type ProblemCode, problems } from './problems.js'
import type { Range, SourceText } from './source-text.js'

export interface Told {
  readonly detail: string
  readonly fix?: string
  readonly address?: string
}

export class Collector {
  private readonly found: { readonly diagnostic: Diagnostic; readonly offset: number }[] = []
  private dropped = 0
  private errors = 0

  constructor(readonly text: SourceText) {}

  add(code: ProblemCode, range: Range | undefined, told: Told): void {
    this.push({ code, ...problems[code] }, range, told)
  }

  addRule({ code, severity, summary, fix }: RuleText, range: Range | undefined, told: Told): void {
    this.push({ code, severity, summary, fix }, range, told)
  }

  /** How many errors were told so far; grows when a step goes wrong. */
  get errorCount(): number {
    return this.errors
  }

  /** In the order of the file; problems without a place come first. */
  diagnostics(): readonly Diagnostic[] {
    const sorted = this.found.toSorted((a, b) => a.offset - b.offset).map(({ diagnostic }) => diagnostic)
    if (this.dropped === 0) return sorted
    return [
      ...sorted,
      { code: 'declaration.more', ...problems['declaration.more'], detail: `${this.dropped} more were found.` },
    ]
  }

  private push(
    text: { readonly code: string; readonly severity: Severity; readonly summary: string; readonly fix: string },
    range: Range | undefined,
    told: Told,
  ): void {
    if (text.severity === 'error') this.errors++
    // An error must never be crowded out by notes.
    if (this.found.length >= declarationLimits.diagnosticsMax && (text.severity !== 'error' || this.errors > 1)) {
      this.dropped++
      return
    }
    const { detail, fix = text.fix, address } = told
    this.found.push({
      offset: range?.[0] ?? -1,
      diagnostic: {
        code: text.code,
        severity: text.severity,
        summary: text.summary,
        detail,
        fix,
        ...(range === undefined ? {} : { place: this.text.place(range) }),
        ...(address === undefined ? {} : { address }),
      },
    })
  }
}
