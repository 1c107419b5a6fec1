// Collects the findings of an analysis, each once, up to a limit.
import type { Finding } from '../../../contract/signatures/change-analysis.js'
import { analysisLimits } from '../analysis-limits.js'
import type { Place } from '../compare/slot.js'
import type { LimitationName, RefusalName } from '../policy/refusals.js'
import type { RuleName } from '../policy/rules.js'

type Verdict = Finding['verdict']

export class Findings {
  readonly #found: Record<Verdict, Map<string, Finding>> = {
    forbidden: new Map(),
    incomplete: new Map(),
    permitted: new Map(),
  }
  /** Numbers of objects that have a finding, even one that was left out. */
  readonly #objects = new Set<number>()
  #isCut = false

  /** Forbidden findings, then incomplete, then permitted ones; each group by object number. */
  get all(): readonly Finding[] {
    return Object.values(this.#found).flatMap((found) =>
      [...found.values()].sort((a, b) => a.objectNumber - b.objectNumber),
    )
  }

  /** True if findings were left out. */
  get isCut(): boolean {
    return this.#isCut
  }

  isAbout(number: number): boolean {
    return this.#objects.has(number)
  }

  has(verdict: Verdict): boolean {
    return this.#found[verdict].size > 0
  }

  permit(rule: RuleName, place: Place, detail?: string): void {
    this.add({ rule, verdict: 'permitted', ...located(place, detail) })
  }

  refuse(rule: RuleName | RefusalName, place: Place, detail?: string): void {
    this.add({ rule, verdict: 'forbidden', ...located(place, detail) })
  }

  /** Reports a change that could not be judged. */
  leaveOpen(rule: LimitationName, place: Place, detail?: string): void {
    this.add({ rule, verdict: 'incomplete', ...located(place, detail) })
  }

  add(finding: Finding): void {
    this.#objects.add(finding.objectNumber)
    const found = this.#found[finding.verdict]
    const key = `${finding.rule} ${finding.objectNumber} ${finding.edge ?? ''}`
    if (found.has(key)) return
    if (found.size < analysisLimits.findingsMax) found.set(key, finding)
    else this.#isCut = true
  }
}

const located = ({ holder, path }: Place, detail: string | undefined) => ({
  objectNumber: holder,
  ...(path !== '' && { edge: path }),
  ...(detail !== undefined && { detail }),
})
