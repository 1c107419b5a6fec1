// Rows of measured figures beside their targets, printed as a table. Ratios hardly depend on the machine.

export class Report {
  #rows = []

  /** Adds a row. The target is a maximum; with `isLeast`, a minimum. Without one the row is for information. */
  row(work, measured, target, { unit = '×', isLeast = false } = {}) {
    this.#rows.push({ work, measured, target, unit, isLeast })
  }

  /** Reports a row that this machine cannot measure. */
  skip(work, reason) {
    this.#rows.push({ work, reason })
  }

  /** Prints the table. Returns true if every target was met. */
  print() {
    const width = Math.max(...this.#rows.map(({ work }) => work.length))
    for (const { work, reason, ...row } of this.#rows)
      console.log(`${work.padEnd(width)}  ${reason === undefined ? shown(row) : `not measured: ${reason}`}`)
    return this.#rows.every((row) => row.reason !== undefined || isMet(row))
  }
}

const isMet = ({ measured, target, isLeast }) =>
  target === undefined || (isLeast ? measured >= target : measured <= target)

function shown(row) {
  const { measured, target, unit, isLeast } = row
  const figure = `${measured.toFixed(unit === 'bytes' || unit === 'requests' ? 0 : 2)} ${unit}`.padStart(12)
  if (target === undefined) return figure
  const goal = `${isLeast ? '≥' : '≤'} ${target.toFixed(unit === '×' ? 2 : 0)} ${unit}`.padEnd(12)
  return `${figure}  ${goal}  ${isMet(row) ? 'met' : 'MISSED'}`
}
