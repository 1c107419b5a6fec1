// Results of cases: counted, logged line by line, and summarised by cause.
import { appendFileSync } from 'node:fs'
import type { Complaint } from './judges/case.js'

export interface Outcome {
  /** `nothing`: the op does not apply to the file. */
  readonly kind: 'judged' | 'refused' | 'failed' | 'nothing'
  readonly reason?: string
  readonly complaints?: readonly Finding[]
}

export interface Finding extends Complaint {
  /** Name of the act within a chain. */
  readonly act?: string
}

export interface Row {
  readonly file: string
  readonly case: string
  readonly outcome: Outcome
}

export class Report {
  readonly #counts = { judged: 0, refused: 0, failed: 0, nothing: 0 }
  readonly #refusals = new Map<string, number>()
  readonly #causes = new Map<string, string[]>()

  /** With `path`, every row is appended to that file as a JSON line. */
  constructor(private readonly path?: string) {}

  take(row: Row): void {
    const { kind, reason, complaints = [] } = row.outcome
    this.#counts[kind]++
    if (reason !== undefined) this.#refusals.set(reason, (this.#refusals.get(reason) ?? 0) + 1)
    for (const { judge, what } of complaints) {
      const cause = `${judge} | ${what}`
      this.#causes.set(cause, [...(this.#causes.get(cause) ?? []), `${row.case} of ${row.file}`])
    }
    if (this.path !== undefined) appendFileSync(this.path, `${JSON.stringify(row)}\n`)
  }

  get failures(): number {
    return this.#counts.failed
  }

  get judged(): number {
    return this.#counts.judged
  }

  /** Returns readable lines, most frequent first. */
  summary(): readonly string[] {
    const { judged, refused, failed, nothing } = this.#counts
    const causes = [...this.#causes].toSorted(([, one], [, other]) => other.length - one.length)
    const refusals = [...this.#refusals].toSorted(([, one], [, other]) => other - one)
    return [
      `${judged + refused + failed} cases, ${judged} right, ${refused} refused, ${failed} failed (${nothing} ops did not apply to their file)`,
      ...refusals.slice(0, 40).map(([reason, count]) => `refused ${count}: ${reason}`),
      ...causes.map(
        ([cause, files]) => `failed ${files.length}: ${cause} (${[...new Set(files)].slice(0, 3).join('; ')})`,
      ),
    ]
  }
}
