// Finds the test files that a change can affect. What is measured comes first (test/map.json); a file that nobody has measured
// is tested by what tests the files that use it, and else by the whole folder that mirrors its own.
import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { importersOf } from './import-graph.mjs'
import { filesOf, git, isSource, isTest, testsOf } from './sources.mjs'
import { TestMap } from './test-map.mjs'

/** A file that is used nearly everywhere, and has nothing to execute, is tested by the tests nearest to it. */
const inheritedMax = 16
/** Pages are executed by browsers, where nothing is measured. */
const pages = { sources: 'server/browser/', tests: 'test/browser/' }

/**
 * Returns the affected test files, the changed sources that no test file executes, and the changed files that no rule leads
 * to a test. Paths are relative to `root`; `revision` is what the working tree is compared with: `HEAD`, `main`, ….
 */
export function affectedTests(root, revision, map = TestMap.read(root)) {
  const search = new Search(root, map)
  const changed = [
    ...new Set([
      ...git(root, 'diff', '--name-only', revision),
      ...git(root, 'ls-files', '--others', '--exclude-standard'),
    ]),
  ]
  const found = changed.map((path) => [path, search.testsOf(path)])
  const without = found.filter(([, tests]) => tests.length === 0).map(([path]) => path)
  return {
    tests: [...new Set(found.flatMap(([, tests]) => tests))].sort(),
    untested: without.filter((path) => isSource(path) && search.exists(path)),
    unknown: without.filter((path) => !isSource(path)),
  }
}

class Search {
  #map
  #root
  #files
  #tests
  #importers

  constructor(root, map) {
    this.#root = root
    this.#map = map
    this.#files = new Set(filesOf(root))
    this.#tests = testsOf(root)
    this.#importers = importersOf(root)
  }

  exists(path) {
    return this.#files.has(path)
  }

  /** Returns the test files for one changed file. */
  testsOf(path) {
    if (isTest(path)) return this.exists(path) ? [path] : []
    if (isSource(path)) return this.#testsOfSource(path)
    const tests = [...this.#testsImporting(path), ...this.#testsNaming(path)]
    if (tests.length > 0) return tests
    return path.endsWith('.md') || path.startsWith('docs/') ? this.#testsIn('test/docs/') : []
  }

  #testsOfSource(path) {
    const measured = this.#measured(path)
    const inherited = measured.length > 0 ? [] : this.#inherited(path)
    // A test file that nobody has measured counts for everything that it imports.
    const tests = [
      ...measured,
      ...inherited,
      ...this.#testsImporting(path).filter((test) => !this.#map.seconds.has(test)),
    ]
    if (path.startsWith(pages.sources)) tests.push(...this.#testsIn(pages.tests))
    return tests.length > 0 ? tests : this.#testsOfFolder(path)
  }

  #measured(path) {
    return (this.#map.testsOf(path) ?? []).filter((test) => this.exists(test))
  }

  /** Returns the tests of the files that use this one, of those in its folder first. */
  #inherited(path) {
    const seen = new Set([path])
    const tests = new Set()
    let users = [path]
    while (users.length > 0 && tests.size === 0) {
      users = users.flatMap((user) => [...(this.#importers.get(user) ?? [])]).filter((user) => !seen.has(user))
      for (const user of users.sort((a, b) => distance(a, path) - distance(b, path))) {
        seen.add(user)
        for (const test of isTest(user) ? [user] : this.#measured(user)) if (tests.size < inheritedMax) tests.add(test)
      }
      users = [...new Set(users)]
    }
    return [...tests]
  }

  /** Returns the test files that import a file, directly or by way of others. */
  #testsImporting(path) {
    const reached = new Set([path])
    for (const file of reached) for (const user of this.#importers.get(file) ?? []) reached.add(user)
    return [...reached].filter(isTest)
  }

  /** Returns the test files that contain the name of a file which is read or run, not imported. */
  #testsNaming(path) {
    const names = path.startsWith('test/')
      ? [basename(path)]
      : [path, `../${path}`, `${basename(dirname(path))}/${basename(path)}`]
    const naming = [...this.#files].filter((file) => {
      if (!file.startsWith('test/') || !file.endsWith('.ts')) return false
      const text = readFileSync(join(this.#root, file), 'utf8')
      return names.some((name) => text.includes(`${name}'`))
    })
    return naming.flatMap((file) => (isTest(file) ? [file] : this.#testsImporting(file)))
  }

  #testsOfFolder(path) {
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      const tests = this.#testsIn(`test/${folder}/`)
      if (tests.length > 0) return tests
    }
    return []
  }

  #testsIn(folder) {
    return this.#tests.filter((test) => test.startsWith(folder))
  }
}

/** Number of folders that two paths do not share. */
function distance(a, b) {
  const [from, to] = [a.split('/'), b.split('/')]
  const shared = to.findIndex((name, depth) => name !== from[depth])
  return from.length + to.length - 2 * shared
}
