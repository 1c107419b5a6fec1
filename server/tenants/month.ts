// Calendar months in UTC, by which usage is counted.

export interface Month {
  /** Name of the month, such as `2026-11`. */
  readonly name: string
  readonly startMs: number
  readonly endMs: number
}

export function monthAt(nowMs: number): Month {
  const now = new Date(nowMs)
  return monthFrom(now.getUTCFullYear(), now.getUTCMonth())
}

/** Parses the name of a month; undefined if it is none. */
export function monthOf(name: string): Month | undefined {
  const [, year, month] = /^([1-9]\d{3})-(0[1-9]|1[0-2])$/.exec(name) ?? []
  return year === undefined || month === undefined ? undefined : monthFrom(Number(year), Number(month) - 1)
}

/** Returns the month of a year. `month`: counted from 0. */
function monthFrom(year: number, month: number): Month {
  const startMs = Date.UTC(year, month)
  return { name: new Date(startMs).toISOString().slice(0, 7), startMs, endMs: Date.UTC(year, month + 1) }
}
