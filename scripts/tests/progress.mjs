// What a run prints: one line for each folder when all of its files have ended, each file that failed at once, and at the end
// the slowest files, what failed, and how to run it alone. A run of a few named files prints a line for each of them.

const slowestCount = 10

export class Progress {
  #print
  #isByFile
  /** Results that are still expected, by folder. */
  #waiting = new Map()
  #results = []

  /** `isByFile` prints each file when it has ended, with the details of what failed. */
  constructor(tests, { print, isByFile }) {
    this.#print = print
    this.#isByFile = isByFile
    for (const test of tests) this.#waiting.set(folderOf(test), (this.#waiting.get(folderOf(test)) ?? 0) + 1)
  }

  /** Takes the result of a test file. */
  take(result) {
    this.#results.push(result)
    if (this.#isByFile) for (const line of linesOf(result)) this.#print(line)
    else if (result.failed > 0) this.#print(`failed ${result.test}`)
    const folder = folderOf(result.test)
    const left = this.#waiting.get(folder) - 1
    this.#waiting.set(folder, left)
    if (left === 0 && !this.#isByFile) this.#print(this.#folderLine(folder))
  }

  /** Prints what concerns the whole run. */
  end() {
    if (this.#isByFile) return
    const slowest = this.#results.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestCount)
    this.#print(`The slowest of ${this.#results.length} files:`)
    for (const { test, seconds } of slowest) this.#print(`  ${seconds.toFixed(1).padStart(6)} s  ${test}`)
    for (const result of this.#results.filter(({ failed }) => failed > 0)) {
      for (const line of linesOf(result)) this.#print(line)
      this.#print(`  again: npm test -- ${result.test}`)
    }
  }

  #folderLine(folder) {
    const results = this.#results.filter(({ test }) => folderOf(test) === folder)
    const sum = (name) => results.reduce((total, result) => total + result[name], 0)
    const counts = [
      `${sum('passed')} passed`,
      ...(sum('failed') > 0 ? [`${sum('failed')} failed`] : []),
      ...(sum('skipped') > 0 ? [`${sum('skipped')} skipped`] : []),
    ]
    const files = `${results.length} ${results.length === 1 ? 'file' : 'files'}`
    const state = sum('failed') > 0 ? 'not ok' : 'ok'
    return `${state.padEnd(6)} ${folder.padEnd(26)} ${files.padStart(9)}, ${counts.join(', ')}`
  }
}

/** `test/server/shares/links.test.ts` belongs to `test/server/shares`; files beside the folders of `test` to `test`. */
function folderOf(test) {
  return test.split('/').slice(0, -1).slice(0, 3).join('/')
}

function linesOf({ test, failed, seconds, reason, output }) {
  const time = `# time=${seconds.toFixed(1)}s`
  return [...output, failed > 0 ? `not ok ${test} ${time}, ${reason}` : `ok ${test} ${time}`]
}
