// test/map.json: which test files execute which sources of the product, and how long a test file takes. Measured by runs with
// `--measure`; read to find the tests that a change can affect, and to start the longest ones first.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const file = 'test/map.json'
/** Seconds that a test file which nobody has measured is expected to take. */
const unknownSeconds = 10

export class TestMap {
  /** Wall seconds of each test file, by path. Their order is that of the file, which only grows, so that indices stay. */
  seconds = new Map()
  /** Paths of test files, by source. */
  #tests = new Map()

  static read(root) {
    const map = new TestMap()
    const { tests, sources } = JSON.parse(readFileSync(join(root, file), 'utf8'))
    const paths = tests.map(([path]) => path)
    for (const [path, seconds] of tests) map.seconds.set(path, seconds)
    for (const [source, indices] of Object.entries(sources))
      map.#tests.set(
        source,
        indices.map((index) => paths[index]),
      )
    return map
  }

  /** Returns the test files that execute a source; undefined if none was seen to do so. */
  testsOf(source) {
    return this.#tests.get(source)
  }

  get sources() {
    return [...this.#tests.keys()]
  }

  secondsOf(test) {
    return this.seconds.get(test) ?? unknownSeconds
  }

  /**
   * Returns test files that execute every source of the map, each source twice where two of them do: those that give the most
   * for their time first.
   */
  provers() {
    const missing = new Map(this.sources.map((source) => [source, Math.min(2, this.testsOf(source).length)]))
    const executed = new Map()
    for (const source of this.sources)
      for (const test of this.testsOf(source)) executed.set(test, [...(executed.get(test) ?? []), source])
    const chosen = new Set()
    while (missing.size > 0) {
      const worthOf = ([test, sources]) =>
        sources.filter((source) => missing.has(source)).length / (1 + this.secondsOf(test))
      const rest = [...executed]
        .filter(([test]) => !chosen.has(test))
        .map((entry) => ({ entry, worth: worthOf(entry) }))
      const best = rest.reduce((a, b) => (b.worth > a.worth ? b : a)).entry
      chosen.add(best[0])
      for (const source of best[1]) {
        const left = (missing.get(source) ?? 0) - 1
        if (left > 0) missing.set(source, left)
        else missing.delete(source)
      }
    }
    return chosen
  }

  record(test, seconds) {
    this.seconds.set(test, Math.max(1, Math.round(seconds)))
  }

  choose(source, tests) {
    if (tests.length > 0) this.#tests.set(source, tests)
    else this.#tests.delete(source)
  }

  /** Removes what no longer exists. */
  keep(tests, sources) {
    for (const test of this.seconds.keys()) if (!tests.includes(test)) this.seconds.delete(test)
    for (const [source, chosen] of this.#tests)
      this.choose(source, sources.includes(source) ? chosen.filter((test) => tests.includes(test)) : [])
  }

  write(root) {
    const paths = [...this.seconds.keys()]
    const places = new Map(paths.map((path, index) => [path, index]))
    const tests = paths.map((path) => `    ${JSON.stringify([path, this.seconds.get(path)])}`)
    const sources = [...this.#tests.keys()].sort().map((source) => {
      const indices = this.#tests.get(source).map((test) => places.get(test))
      return `    ${JSON.stringify(source)}: ${JSON.stringify(indices.sort((a, b) => a - b))}`
    })
    const text = `{\n  "tests": [\n${tests.join(',\n')}\n  ],\n  "sources": {\n${sources.join(',\n')}\n  }\n}\n`
    writeFileSync(join(root, file), text)
  }
}
