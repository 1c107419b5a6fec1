// Reads the TAP stream of a test file: prints the details of what failed, with the seed that brings it back, and knows the
// counts, and why tests were left out.

export class TapLines {
  passed = 0
  failed = 0
  skipped = 0
  /** Reasons of skipped tests, one for each. */
  reasons = []
  #print
  #seed
  #depthOfLastPlan = -1
  /** True inside the YAML block of a failed assertion. */
  #isShowing = false

  constructor(print) {
    this.#print = print
  }

  take(line) {
    const text = line.trimStart()
    const depth = line.length - text.length
    const totals = /^# \{ (.*) \}$/.exec(line)
    if (totals) return this.#count(totals[1])
    this.#seed ??= /^# (STEWARD_TEST_SEED=\d+)$/.exec(text)?.[1]
    if (this.#isShowing) {
      if (text !== '---' && text !== '...') this.#print(line)
      if (text === '...') this.#isShowing = false
      return
    }
    if (/^1\.\.\d+/.test(text)) this.#depthOfLastPlan = depth
    const result = /^(not )?ok \d+/.exec(text)
    if (!result) return
    const leftOut = / # (?:SKIP|TODO)(?: (.*))?$/.exec(text)
    if (leftOut) this.reasons.push(leftOut[1] ?? '')
    const closesSubtest = this.#depthOfLastPlan > depth
    this.#depthOfLastPlan = -1
    if (!result[1] || closesSubtest || leftOut) return
    this.#print(this.#seed === undefined ? line : `${line} # ${this.#seed}`)
    this.#isShowing = true
  }

  /** Parses `total: 8, pass: 4, fail: 1, todo: 1, skip: 2`. */
  #count(text) {
    const counts = Object.fromEntries(text.split(', ').map((part) => part.split(': ')))
    this.passed = Number(counts.pass ?? 0)
    this.failed = Number(counts.fail ?? 0)
    this.skipped = Number(counts.skip ?? 0) + Number(counts.todo ?? 0)
  }
}
