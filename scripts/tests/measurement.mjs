// From the traces of test files to the map: which sources each of them executes, and which of them are chosen for a source.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isSource } from './sources.mjs'

/** A function that more test files execute is tested by the nearest ones. */
const testsOfFunction = 8
const wholeLine = /^file:\S+ \d+$/
const moduleStart = /^\/\/ ((?:core|plugins|workers|server|cli|node_modules)\/.*)$/gm

export class Measurement {
  #folder
  /** Lines of traces that appear without any use of the program. */
  #loading = new Set()
  /** Modules of each file that was executed: offset and source, in order. */
  #modules = new Map()
  /** Source of each line of the traces, undefined if it is not one of the product. */
  #sources = new Map()
  /** Test files that execute each function, by source and by line of the trace. */
  #functions = new Map()
  #sourceCounts = new Map()

  constructor(root) {
    this.#folder = join(root, 'node_modules/.steward/traces')
    rmSync(this.#folder, { recursive: true, force: true })
    const folder = this.#newFolder('loading')
    const script = fileURLToPath(new URL('load-everything.mjs', import.meta.url))
    const { status, stderr } = spawnSync(process.execPath, [script], {
      cwd: root,
      env: { ...process.env, ...traced(folder) },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`The sources could not be loaded: ${stderr}`)
    this.#loading = new Set(linesIn(folder))
  }

  /** Returns variables of the environment that let a test file be traced. */
  variablesFor(test) {
    return traced(this.#newFolder(test))
  }

  /** Takes the trace of a test file that has ended. */
  take(test) {
    const folder = join(this.#folder, test)
    const sources = new Set()
    for (const line of linesIn(folder)) {
      if (!this.#sources.has(line)) this.#sources.set(line, this.#loading.has(line) ? undefined : this.#sourceOf(line))
      const source = this.#sources.get(line)
      if (source === undefined) continue
      sources.add(source)
      const functions = this.#functions.get(source) ?? new Map()
      this.#functions.set(source, functions.set(line, (functions.get(line) ?? new Set()).add(test)))
    }
    this.#sourceCounts.set(test, sources.size)
    rmSync(folder, { recursive: true, force: true })
  }

  /** Returns the sources of the map of which none of the chosen test files has executed anything. */
  unproven(map) {
    return map.sources.filter((source) => {
      const executing = new Set([...(this.#functions.get(source)?.values() ?? [])].flatMap((tests) => [...tests]))
      const measured = map.testsOf(source).filter((test) => this.#sourceCounts.has(test))
      return measured.length > 0 && !measured.some((test) => executing.has(test))
    })
  }

  /** Puts what was measured into the map; what was not measured stays. Some tests say too little of a new source. */
  writeInto(map, { isWhole }) {
    for (const source of new Set([...map.sources, ...(isWhole ? this.#functions.keys() : [])])) {
      const others = (map.testsOf(source) ?? []).filter((test) => !this.#sourceCounts.has(test))
      map.choose(source, [...new Set([...others, ...this.#choose(source)])])
    }
  }

  /** For each function all test files that execute it, or the nearest ones; those of rare functions count for the others. */
  #choose(source) {
    const functions = [...(this.#functions.get(source)?.values() ?? [])].sort((a, b) => a.size - b.size)
    const chosen = new Set()
    for (const tests of functions) {
      const candidates = [...tests].sort((a, b) => this.#distance(a, source) - this.#distance(b, source))
      let count = candidates.filter((test) => chosen.has(test)).length
      for (const test of candidates) {
        if (count >= testsOfFunction) break
        if (!chosen.has(test)) count++
        chosen.add(test)
      }
    }
    return [...chosen]
  }

  /** A test file is nearer if its folder mirrors that of the source; among equals, if it executes less. */
  #distance(test, source) {
    const [from, to] = [test.split('/').slice(1), source.split('/')]
    const shared = to.findIndex((name, depth) => name !== from[depth])
    return (this.#sourceCounts.get(test) ?? 0) - shared * 10_000
  }

  #sourceOf(line) {
    const [url, offset] = line.split(' ')
    const modules = this.#modules.get(url) ?? this.#readModules(url)
    this.#modules.set(url, modules)
    const source = modules.findLast(([start]) => start <= Number(offset))?.[1]
    // Offset 0 of a file is its loading.
    return offset !== '0' && source !== undefined && isSource(source) ? source : undefined
  }

  #readModules(url) {
    const path = fileURLToPath(url)
    const compiled = /\/node_modules\/\.steward\/compiled\/(.*)\.js$/.exec(path)
    if (compiled) return [[0, `${compiled[1]}.ts`]]
    if (!path.endsWith('js') || !existsSync(path)) return []
    return [...readFileSync(path, 'utf8').matchAll(moduleStart)].map(({ index, 1: source }) => [index, source])
  }

  #newFolder(name) {
    const folder = join(this.#folder, name)
    mkdirSync(folder, { recursive: true })
    return folder
  }
}

function traced(folder) {
  const preload = new URL('trace.mjs', import.meta.url)
  preload.searchParams.set('folder', folder)
  return { NODE_OPTIONS: `--import=${preload.href}` }
}

/** Returns the lines of all traces; a process that is killed while it writes leaves a part of a line. */
function linesIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    const [, ...lines] = readFileSync(join(folder, name), 'utf8').split('\n').reverse()
    return lines.filter((line) => wholeLine.test(line))
  })
}
